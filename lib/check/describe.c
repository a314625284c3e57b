// SPDX-License-Identifier: MIT
//
// Requirements and the reasons of verdicts in words.

#include "check/describe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "check/judge.h"
#include "spirv/asserts.h"
#include "spirv/capabilities.h"
#include "spirv/opcodes.h"
#include "target/target.h"

const char *mez_write_number(char room[MEZ_NUMBER_ROOM], uint64_t value)
{
    snprintf(room, MEZ_NUMBER_ROOM, "%" PRIu64, value);
    return room;
}

const char *mez_write_version(char room[MEZ_NUMBER_ROOM], uint32_t version)
{
    snprintf(room, MEZ_NUMBER_ROOM, "%" PRIu32 ".%" PRIu32, version >> 16, version & 0xffff);
    return room;
}

// As compilers name an architecture of which nothing else is known.
static void add_ip_version(mez_text *text, uint32_t ip)
{
    mez_text_add(
        text, "intel_gpu_%" PRIu32 "_%" PRIu32 "_%" PRIu32, ip >> 22, ip >> 14 & 0xff, ip & 0x3f);
}

static void add_architecture(mez_text *text, uint32_t ip)
{
    const mez_targets *targets;
    const mez_target *target = NULL;
    if (!mez_failed(
            mez_targets_get_default(&targets))) // a table that can't be read costs only the name
        target = mez_targets_find_ip(targets, ip);
    if (target)
        mez_text_add(text, "%s", target->name);
    else
        add_ip_version(text, ip);
}

static void add_aspect(mez_text *text, mez_aspect aspect, uint32_t number)
{
    if (aspect == MEZ_ASPECT_NONE)
        mez_text_add(text, "%" PRIu32, number);
    else
        mez_text_add(text, "%s", mez_aspect_name(aspect));
}

void mez_check_add_fixed_targets(
    mez_text *text, const mez_requirement *requirement, mez_aspect_numbering numbering)
{
    for (uint32_t i = 0; i < requirement->fixed_target.count; i++) {
        const uint32_t value = requirement->fixed_target.values[i];
        mez_text_add(text, "%s", i ? "," : "");
        if (value < MEZ_FIXED_TARGET_IP)
            add_aspect(text, mez_aspect_from_number(numbering, value), value);
        else
            add_architecture(text, value);
    }
}

const char *mez_requirement_kind_name(mez_requirement_kind kind)
{
    static const char *const names[] = {
        [MEZ_REQUIRES_ARCHITECTURE] = "architecture",
        [MEZ_REQUIRES_FIXED_TARGET] = "fixed target",
        [MEZ_REQUIRES_ASPECT] = "aspect",
        [MEZ_REQUIRES_SUB_GROUP_SIZE] = "sub-group size",
        [MEZ_REQUIRES_GROUP_SIZE] = "work-group size",
        [MEZ_REQUIRES_LOCAL_MEMORY] = "local memory",
        [MEZ_REQUIRES_ARGUMENTS] = "arguments",
        [MEZ_REQUIRES_MATRIX] = "joint_matrix",
        [MEZ_REQUIRES_MATRIX_MAD] = "joint_matrix_mad",
        [MEZ_REQUIRES_ASSERT_FUNCTION] = "signature of",
        [MEZ_REQUIRES_DEFINITION] = "definition of",
        [MEZ_REQUIRES_SPIRV_VERSION] = "SPIR-V",
        [MEZ_REQUIRES_CAPABILITY] = "capability",
        [MEZ_REQUIRES_EXTENSION] = "extension",
    };
    return names[kind];
}

static void add_sizes(mez_text *text, const uint64_t sizes[3], uint32_t dimensions)
{
    for (uint32_t i = 0; i < (dimensions ? dimensions : 3); i++)
        mez_text_add(text, "%s%" PRIu64, i ? " x " : "", sizes[i]);
}

void mez_requirement_add_value(
    mez_text *text, const mez_requirement *requirement, mez_aspect_numbering numbering)
{
    char version[MEZ_NUMBER_ROOM], capability[MEZ_SPIRV_CAPABILITY_ROOM];
    switch (requirement->kind) {
    case MEZ_REQUIRES_ARCHITECTURE:
        mez_text_add(text, "%s", requirement->architecture);
        break;
    case MEZ_REQUIRES_FIXED_TARGET:
        mez_check_add_fixed_targets(text, requirement, numbering);
        break;
    case MEZ_REQUIRES_ASPECT:
        add_aspect(text, requirement->aspect.name, requirement->aspect.number);
        break;
    case MEZ_REQUIRES_SUB_GROUP_SIZE:
        mez_text_add(text, "%" PRIu32, requirement->sub_group_size);
        break;
    case MEZ_REQUIRES_GROUP_SIZE:
        add_sizes(text, requirement->group.sizes, requirement->group.dimensions);
        break;
    case MEZ_REQUIRES_LOCAL_MEMORY:
    case MEZ_REQUIRES_ARGUMENTS:
        mez_text_add(text, "%" PRIu64 " bytes", requirement->bytes);
        break;
    case MEZ_REQUIRES_MATRIX:
    case MEZ_REQUIRES_MATRIX_MAD:
        mez_text_add(text, "%.*s", (int)requirement->matrix.length, requirement->matrix.start);
        break;
    case MEZ_REQUIRES_ASSERT_FUNCTION:
        mez_text_add(text, "%s", MEZ_ASSERT_FUNCTION);
        break;
    case MEZ_REQUIRES_DEFINITION:
        mez_text_add(text, "%s", requirement->import->name);
        break;
    case MEZ_REQUIRES_SPIRV_VERSION:
        mez_text_add(text, "%s", mez_write_version(version, requirement->spirv_version));
        break;
    case MEZ_REQUIRES_CAPABILITY:
        mez_text_add(text, "%s", mez_spirv_capability_name(requirement->capability, capability));
        break;
    default:
        mez_text_add(text, "%s", requirement->extension);
    }
}

// --- Places

static bool uses_import(const mez_requirement *requirement)
{
    return requirement->kind == MEZ_REQUIRES_DEFINITION ||
           (requirement->kind == MEZ_REQUIRES_ASSERT_FUNCTION && requirement->import);
}

bool mez_check_find_place(const mez_requirement *requirement, struct mez_spirv_place *place)
{
    *place = (struct mez_spirv_place){0};
    if (requirement->survey && uses_import(requirement))
        return mez_spirv_survey_find_import(requirement->survey, requirement->function,
                   requirement->import, place) == MEZ_SPIRV_OK;
    return requirement->survey && requirement->kind == MEZ_REQUIRES_ASPECT &&
           mez_spirv_survey_find_use(requirement->survey, requirement->function,
               requirement->aspect.name, place) == MEZ_SPIRV_OK;
}

static void add_line(mez_text *text, const struct mez_spirv_source_line *line)
{
    if (!line->file)
        return;
    mez_text_add(text, " (%s:%u", line->file, line->line);
    if (line->column)
        mez_text_add(text, ":%u", line->column);
    mez_text_add(text, ")");
}

static void add_steps(mez_text *text, const struct mez_spirv_place *place)
{
    if (place->step_count < 2)
        return;
    mez_text_add(text, ", reached by ");
    for (uint32_t i = 0; i < place->step_count; i++)
        mez_text_add(text, "%s%s", i ? " -> " : "", place->steps[i].function->name);
}

static void add_place(mez_text *text, const struct mez_spirv_place *place)
{
    char room[MEZ_SPIRV_OPCODE_ROOM];
    mez_text_add(text, "%s in function \"%s\"",
        place->declared ? "the declaration" : mez_spirv_opcode_name(place->opcode, room),
        place->function->name);
    add_line(text, &place->line);
    add_steps(text, place);
}

static const char *function_name(const mez_requirement *requirement)
{
    return requirement->survey->module->functions[requirement->function].name;
}

static bool is_mode(const mez_requirement *requirement)
{
    return requirement->kind == MEZ_REQUIRES_SUB_GROUP_SIZE ||
           requirement->kind == MEZ_REQUIRES_GROUP_SIZE;
}

void mez_check_add_place(mez_text *text, const mez_requirement *requirement)
{
    struct mez_spirv_place place = {0};
    mez_text_add(text, "for ");
    if (requirement->kind == MEZ_REQUIRES_ARCHITECTURE)
        mez_text_add(text, "all kernels of the image: it is native code");
    else if (!requirement->survey)
        mez_text_add(text, "all kernels of the image: its properties say so");
    else if (mez_check_find_place(requirement, &place))
        add_place(text, &place);
    else if (is_mode(requirement))
        mez_text_add(text, "OpExecutionMode of kernel \"%s\"", function_name(requirement));
    else
        mez_text_add(text, "function \"%s\"", function_name(requirement));
    mez_spirv_place_finish(&place);
}

// --- Reasons of a verdict

// Takes both texts. False: one of them is missing for lack of memory.
static bool add_reason(mez_verdict *verdict, const mez_reason *reason)
{
    if (!reason->text || !reason->has ||
        !mez_array_reserve(verdict->reasons, verdict->count, verdict->capacity))
        return false;
    verdict->reasons[verdict->count++] = *reason;
    return true;
}

static void finish_reason(const mez_reason *reason)
{
    mez_free_memory(reason->text);
    mez_free_memory(reason->has);
}

mez_answer mez_judging_note(mez_judging *judging, const mez_requirement *requirement,
    mez_answer answer, mez_check_text which, const char *const *values, const char *has, ...)
{
    if (!judging->verdict)
        return answer;
    mez_text sentence = {0}, instead = {0};
    mez_check_add_text(&sentence, which, values);
    va_list arguments;
    va_start(arguments, has);
    mez_text_add_list(&instead, has, arguments);
    va_end(arguments);
    const mez_reason reason = {answer, requirement, sentence.string, instead.string};
    if (!add_reason(judging->verdict, &reason)) {
        finish_reason(&reason);
        judging->no_memory = true;
    }
    return answer;
}

void mez_verdict_finish(mez_verdict *verdict)
{
    for (uint32_t i = 0; i < verdict->count; i++)
        finish_reason(&verdict->reasons[i]);
    mez_free_memory(verdict->reasons);
    *verdict = (mez_verdict){0};
}

// --- Sentences of texts.def

static const char *const texts[] = {
#define TEXT(name, words) [MEZ_CHECK_TEXT_##name] = (words),
#include "check/texts.def"
#undef TEXT
};

void mez_check_add_text(mez_text *text, mez_check_text which, const char *const *values)
{
    const char *rest = texts[which];
    for (const char *gap; (gap = strchr(rest, '%')); rest = gap + 1)
        mez_text_add(text, "%.*s%s", (int)(gap - rest), rest, *values++);
    mez_text_add(text, "%s", rest);
}
