// SPDX-License-Identifier: MIT
//
// Judging device code, and the list of what was found.

#include <mezzanine/code.h>

#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"
#include "base/version.h"
#include "check/check.h"
#include "check/describe.h"
#include "spirv/opcodes.h"
#include "toolchain/code.h"

// Texts are ours, except for `kind`, which is static.
typedef struct found {
    mez_finding finding;
    char *texts[8];
    uint32_t text_count;
    char **calls;
} found;

struct mez_findings {
    MEZ_VECTOR(found) list;
    mez_answer answer;
    mez_answer *unit_answers; // MEZ_MAY_HAVE where nobody has judged
    uint32_t unit_count;
    mez_check_device device; // while the list is made; later its compiler alone
    bool all;                // while the list is made
};

static mez_error no_memory(void)
{
    return mez_error_no_memory("findings");
}

// --- One finding

// A copy that belongs to the finding; NULL: no memory.
static const char *keep(found *item, const char *text)
{
    return item->texts[item->text_count++] = mez_copy_string(text);
}

static bool keep_calls(found *item, const struct mez_spirv_place *place)
{
    item->calls = mez_alloc_array((size_t)place->step_count + 1, sizeof *item->calls);
    if (!item->calls)
        return false;
    item->finding.calls = (const char *const *)item->calls;
    for (uint32_t i = 0; i < place->step_count; i++) {
        item->calls[i] = mez_copy_string(place->steps[i].function->name);
        if (!item->calls[i])
            return false;
        item->finding.call_count++;
    }
    return true;
}

static bool keep_place(found *item, const struct mez_spirv_place *place)
{
    char room[MEZ_SPIRV_OPCODE_ROOM];
    mez_finding *finding = &item->finding;
    finding->declared = place->declared;
    finding->function = keep(item, place->function->name);
    finding->instruction = keep(item, mez_spirv_opcode_name(place->opcode, room));
    if (place->line.file) {
        finding->file = keep(item, place->line.file);
        finding->line = place->line.line;
        finding->column = place->line.column;
    }
    return finding->function && finding->instruction && (finding->file || !place->line.file) &&
           keep_calls(item, place);
}

static bool describe_place(const mez_requirement *requirement, found *item)
{
    struct mez_spirv_place place;
    const bool known = mez_check_find_place(requirement, &place);
    const bool kept = !known || keep_place(item, &place);
    mez_spirv_place_finish(&place);
    return kept;
}

static bool describe(const mez_check_unit *unit, const mez_requirement *requirement,
    const mez_reason *reason, found *item)
{
    mez_finding *finding = &item->finding;
    mez_text value = {0}, place = {0};
    mez_requirement_add_value(&value, requirement, unit->requirements.numbering);
    mez_check_add_place(&place, requirement);
    finding->answer = reason ? reason->answer : MEZ_HAS;
    finding->kind = mez_requirement_kind_name(requirement->kind);
    finding->requirement_kind = requirement->kind;
    finding->of_module = mez_requirement_is_of_module(requirement->kind);
    finding->value = keep(item, mez_text_get(&value));
    finding->place = keep(item, mez_text_get(&place));
    finding->text = keep(item, reason ? reason->text : "");
    finding->has = keep(item, reason ? reason->has : "");
    finding->kernel = unit->kernel ? keep(item, unit->kernel) : NULL;
    mez_text_finish(&value);
    mez_text_finish(&place);
    return finding->value && finding->place && finding->text && finding->has &&
           (finding->kernel || !unit->kernel) && describe_place(requirement, item);
}

static mez_error add_finding(mez_findings *findings, const mez_code *code, uint32_t number,
    const mez_requirement *requirement, const mez_reason *reason)
{
    const mez_check_unit *unit = &code->units->units[code->requirements.items[number].unit];
    if (!mez_vector_reserve(&findings->list))
        return no_memory();
    found *item = &findings->list.items[findings->list.count++];
    *item = (found){.finding = {.binary = (uint32_t)(unit->binary - code->units->binaries),
                        .requirement = number}};
    return describe(unit, requirement, reason, item) ? mez_ok() : no_memory();
}

static void finish_finding(found *item)
{
    for (uint32_t i = 0; i < item->text_count; i++)
        mez_free_memory(item->texts[i]);
    for (uint32_t i = 0; i < item->finding.call_count; i++)
        mez_free_memory(item->calls[i]);
    mez_free_memory(item->calls);
}

// --- Kernels

// A requirement may have several reasons, such as one for each dimension of a work-group.
static mez_error add_requirement(
    mez_findings *findings, const mez_code *code, uint32_t number, const mez_verdict *verdict)
{
    const mez_requirement *requirement = mez_code_find_requirement(code, number);
    bool any = false;
    for (uint32_t i = 0; i < verdict->count; i++) {
        if (verdict->reasons[i].requirement != requirement)
            continue;
        any = true;
        MEZ_TRY(add_finding(findings, code, number, requirement, &verdict->reasons[i]));
    }
    return any || !findings->all ? mez_ok()
                                 : add_finding(findings, code, number, requirement, NULL);
}

static mez_error add_verdict(
    mez_findings *findings, const mez_code *code, uint32_t unit, const mez_verdict *verdict)
{
    const mez_code_unit *listed = &code->listed_units[unit];
    for (uint32_t i = 0; i < listed->requirement_count; i++)
        MEZ_TRY(add_requirement(findings, code, listed->first_requirement + i, verdict));
    findings->unit_answers[unit] = verdict->answer;
    if (verdict->answer > findings->answer)
        findings->answer = verdict->answer;
    return mez_ok();
}

static mez_error judge_unit(mez_findings *findings, const mez_code *code, uint32_t unit)
{
    mez_verdict verdict = {0};
    mez_error error =
        mez_check(&code->units->units[unit].requirements, &findings->device, &verdict);
    if (!mez_failed(error))
        error = add_verdict(findings, code, unit, &verdict);
    mez_verdict_finish(&verdict);
    return error;
}

static bool has_kernel(const mez_check_unit *unit, const char *name)
{
    const char *listed;
    if (unit->kernel)
        return strcmp(unit->kernel, name) == 0;
    for (uint32_t i = 0; (listed = mez_check_binary_kernel(unit->binary, i)); i++)
        if (strcmp(listed, name) == 0)
            return true;
    return false;
}

#define KERNELS_NAMED 16

static mez_error no_such_kernel(const mez_code *code, const char *kernel)
{
    const uint32_t count = mez_code_get_kernel_count(code);
    mez_text names = {0};
    for (uint32_t i = 0; i < count && i < KERNELS_NAMED; i++)
        mez_text_add(&names, "%s%s", i ? ", " : "", mez_code_get_kernel(code, i)->name);
    if (count > KERNELS_NAMED)
        mez_text_add(&names, " and %u more", (unsigned)(count - KERNELS_NAMED));
    mez_error error =
        mez_error_make(MEZ_ERRC_KERNEL, "the code has no kernel that is called \"%s\"", kernel);
    error = mez_error_add(error, "kernels", "%s", count ? mez_text_get(&names) : "none");
    mez_text_finish(&names);
    return error;
}

static mez_error judge_units(mez_findings *findings, const mez_code *code, const char *kernel)
{
    bool any = false;
    findings->unit_count = code->units->count;
    findings->unit_answers =
        mez_alloc_array((size_t)findings->unit_count + 1, sizeof *findings->unit_answers);
    if (!findings->unit_answers)
        return no_memory();
    for (uint32_t i = 0; i < findings->unit_count; i++)
        findings->unit_answers[i] = MEZ_MAY_HAVE;
    for (uint32_t i = 0; i < code->units->count; i++) {
        const mez_check_unit *unit = &code->units->units[i];
        if (kernel && !has_kernel(unit, kernel))
            continue;
        any = true;
        MEZ_TRY(judge_unit(findings, code, i));
    }
    return any || !kernel ? mez_ok() : no_such_kernel(code, kernel);
}

// --- The call

static mez_error choose_compiler(const char *version, mez_igc *compiler)
{
    if (version && !mez_igc_find(version, compiler))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "\"%s\" is not a version of Intel's compiler: these begin with 1 or 2", version);
    return mez_ok();
}

mez_error mez_code_judge(
    const mez_code *code, const mez_judge_params *params, mez_findings **findings)
{
    MEZ_REQUIRE(findings, NULL);
    *findings = NULL;
    MEZ_REQUIRE(code, NULL);
    MEZ_REQUIRE(params, NULL);
    MEZ_REQUIRE(params->target, NULL);
    MEZ_TRY_RESERVED(mez_judge_params, params);
    mez_check_device device = mez_check_device_of(params->target->name, params->target);
    MEZ_TRY(choose_compiler(params->compiler, &device.compiler));
    mez_findings *made = mez_new(mez_findings);
    if (!made)
        return no_memory();
    made->device = device;
    made->all = params->all;
    const mez_error error = judge_units(made, code, params->kernel);
    if (mez_failed(error))
        mez_findings_destroy(&made);
    *findings = made;
    return error;
}

mez_answer mez_findings_get_answer(const mez_findings *findings)
{
    return findings ? findings->answer : MEZ_MAY_HAVE;
}

mez_answer mez_findings_get_unit_answer(const mez_findings *findings, uint32_t unit)
{
    return findings && unit < findings->unit_count ? findings->unit_answers[unit] : MEZ_MAY_HAVE;
}

const char *mez_findings_get_compiler(const mez_findings *findings)
{
    return mez_igc_name(findings ? findings->device.compiler : MEZ_IGC_UNKNOWN);
}

uint32_t mez_findings_get_count(const mez_findings *findings)
{
    return findings ? findings->list.count : 0;
}

const mez_finding *mez_findings_get_finding(const mez_findings *findings, uint32_t index)
{
    return index < mez_findings_get_count(findings) ? &findings->list.items[index].finding : NULL;
}

void mez_findings_destroy(mez_findings **findings)
{
    if (!findings)
        return;
    mez_findings *old = *findings;
    *findings = NULL;
    if (!old)
        return;
    for (uint32_t i = 0; i < old->list.count; i++)
        finish_finding(&old->list.items[i]);
    mez_free_memory(old->unit_answers);
    mez_vector_finish(&old->list);
    mez_free_memory(old);
}
