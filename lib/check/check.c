// SPDX-License-Identifier: MIT
//
// Checking all requirements of a kernel, launches, and fixed targets.

#include "check/check.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "check/describe.h"
#include "check/judge.h"
#include "check/matrix.h"

mez_check_device mez_check_device_of(const char *name, const mez_target *target)
{
    mez_check_device device = {.name = name,
        .target = target,
        .compiler = (mez_igc)target->compiler,
        .spirv_version = target->spirv_version};
    device.matrices = mez_matrix_combinations(target->name, &device.matrix_count);
    return device;
}

mez_answer mez_check_one(const mez_requirement *requirement, mez_aspect_numbering numbering,
    const mez_check_device *device)
{
    mez_judging judging = {.device = device, .numbering = numbering};
    return mez_judge(&judging, requirement);
}

bool mez_check_passes(const mez_requirements *requirements, const mez_check_device *device)
{
    for (uint32_t i = 0; i < requirements->count; i++)
        if (mez_check_one(&requirements->items[i], requirements->numbering, device) == MEZ_LACKS)
            return false;
    return true;
}

mez_error mez_check(
    const mez_requirements *requirements, const mez_check_device *device, mez_verdict *verdict)
{
    *verdict = (mez_verdict){0};
    mez_judging judging = {
        .device = device, .numbering = requirements->numbering, .verdict = verdict};
    for (uint32_t i = 0; i < requirements->count; i++) {
        const mez_answer answer = mez_judge(&judging, &requirements->items[i]);
        if (answer > verdict->answer)
            verdict->answer = answer;
    }
    return judging.no_memory ? mez_error_no_memory("what a device lacks") : mez_ok();
}

// --- The story

static mez_error make_headline(const mez_requirements *requirements, const mez_check_device *device)
{
    if (requirements->kernel)
        return mez_error_make(MEZ_ERRC_KERNEL_NOT_SUPPORTED,
            "kernel \"%s\" of \"%s\" needs what device \"%s\" does not have", requirements->kernel,
            requirements->image, device->name);
    return mez_error_make(MEZ_ERRC_KERNEL_NOT_SUPPORTED,
        "\"%s\" needs what device \"%s\" does not have", requirements->image, device->name);
}

static const mez_reason *next_refusal(const mez_verdict *verdict, uint32_t *i)
{
    while (*i < verdict->count && verdict->reasons[*i].answer != MEZ_LACKS)
        ++*i;
    return *i < verdict->count ? &verdict->reasons[(*i)++] : NULL;
}

// What the device has is shown once where several reasons have it in common, with the last of them.
static mez_error add_reasons(mez_error error, const mez_verdict *verdict)
{
    uint32_t i = 0;
    const mez_reason *reason = next_refusal(verdict, &i);
    while (reason) {
        const mez_reason *next = next_refusal(verdict, &i);
        const bool again = next && strcmp(reason->has, next->has) == 0;
        mez_text place = {0};
        mez_check_add_place(&place, reason->requirement);
        error = mez_error_add(error, "needs", "%s\n%-s%-s%s", reason->text, mez_text_get(&place),
            again ? "" : "\n", again ? "" : reason->has);
        mez_text_finish(&place);
        reason = next;
    }
    return error;
}

static mez_error add_others(
    mez_error error, const mez_requirements *requirements, const mez_check_devices *others)
{
    mez_text names = {0};
    for (uint32_t i = 0; others && i < others->count; i++)
        if (mez_check_passes(requirements, &others->items[i]))
            mez_text_add(&names, "%s\"%s\"", names.length ? ", " : "", others->items[i].name);
    if (names.length)
        error = mez_error_add(error, "would run on", "%-s", mez_text_get(&names));
    else if (others && others->count > 1)
        error = mez_error_add(
            error, "would run on", "none of the %u devices here", (unsigned)others->count);
    mez_text_finish(&names);
    return error;
}

mez_error mez_check_refuse(const mez_requirements *requirements, const mez_check_device *device,
    const mez_check_devices *others)
{
    if (mez_check_passes(requirements, device))
        return mez_ok();
    mez_verdict verdict;
    mez_error error = mez_check(requirements, device, &verdict);
    if (!mez_failed(error)) {
        error = add_reasons(make_headline(requirements, device), &verdict);
        error = add_others(error, requirements, others);
    }
    mez_verdict_finish(&verdict);
    return error;
}

// --- Launches and the work-group size that their kernel requires

static mez_error refuse(mez_check_text which, const char *const *values)
{
    mez_text text = {0};
    mez_check_add_text(&text, which, values);
    const mez_error error = mez_error_make(MEZ_ERRC_ND_RANGE, "%-s", mez_text_get(&text));
    mez_text_finish(&text);
    return error;
}

static uint64_t local_in(const size_t *local, uint32_t dimensions, uint32_t i)
{
    return i < dimensions ? local[i] : 1;
}

static mez_error refuse_sizes(
    const mez_requirement *required, uint32_t dimensions, const size_t *local)
{
    mez_text given = {0}, wanted = {0};
    const uint32_t count = required->group.dimensions ? required->group.dimensions : 3;
    for (uint32_t i = 0; i < count; i++) {
        const char *comma = i ? ", " : "";
        mez_text_add(&given, "%s%" PRIu64, comma, local_in(local, dimensions, i));
        mez_text_add(&wanted, "%s%" PRIu64, comma, required->group.sizes[i]);
    }
    const char *const values[] = {mez_text_get(&given), mez_text_get(&wanted)};
    const mez_error error = refuse(MEZ_CHECK_TEXT_RANGE_SIZES, values);
    mez_text_finish(&given);
    mez_text_finish(&wanted);
    return error;
}

static mez_error check_one(
    const mez_requirement *required, uint32_t dimensions, const size_t *local)
{
    const uint32_t wanted = required->group.dimensions;
    if (wanted && wanted != dimensions)
        return mez_error_add(refuse(MEZ_CHECK_TEXT_RANGE_DIMENSIONS, NULL), "dimensions",
            "the range has %u, the kernel requires %u", (unsigned)dimensions, (unsigned)wanted);
    for (uint32_t i = 0; local && i < 3; i++)
        if (local_in(local, dimensions, i) != required->group.sizes[i])
            return refuse_sizes(required, dimensions, local);
    return mez_ok();
}

mez_error mez_check_range(
    const mez_requirements *requirements, uint32_t dimensions, const size_t *local)
{
    for (uint32_t i = 0; i < requirements->count; i++) {
        if (requirements->items[i].kind != MEZ_REQUIRES_GROUP_SIZE)
            continue;
        const mez_error error = check_one(&requirements->items[i], dimensions, local);
        if (mez_failed(error))
            return mez_error_add(error, "kernel", "\"%s\" of \"%s\"",
                requirements->kernel ? requirements->kernel : "all", requirements->image);
    }
    return mez_ok();
}

// --- Fixed targets

mez_error mez_fixed_targets_of(
    const mez_target *const *list, uint32_t count, mez_fixed_targets *targets)
{
    *targets = (mez_fixed_targets){.devices = mez_alloc_array(count, sizeof *targets->devices)};
    if (!targets->devices)
        return mez_error_no_memory("fixed targets");
    for (; targets->count < count; targets->count++)
        targets->devices[targets->count] =
            mez_check_device_of(list[targets->count]->name, list[targets->count]);
    return mez_ok();
}

void mez_fixed_targets_finish(mez_fixed_targets *targets)
{
    mez_free_memory(targets->devices);
    *targets = (mez_fixed_targets){0};
}

// --- Warning of what fixed targets lack

typedef struct warner {
    const mez_fixed_targets *targets;
    const struct mez_spirv_survey *survey;
    mez_spirv_report_warning *report;
    void *context;
} warner;

// The names of those that lack it; an empty text: none.
static mez_text list_lacking(const mez_fixed_targets *targets, const mez_requirement *requirement)
{
    mez_text names = {0};
    for (uint32_t i = 0; i < targets->count; i++) {
        const mez_check_device *device = &targets->devices[i];
        if (mez_check_one(requirement, MEZ_ASPECTS_CLASSIC, device) == MEZ_LACKS)
            mez_text_add(&names, "%s'%s'", names.length ? ", " : "", device->name);
    }
    return names;
}

static void emit(const warner *warner, const mez_requirement *requirement, const char *what)
{
    mez_text names = list_lacking(warner->targets, requirement);
    if (names.length == 0)
        return;
    const struct mez_spirv_function *function =
        &warner->survey->module->functions[requirement->function];
    struct mez_spirv_place place = {0};
    mez_text text = {0}, value = {0};
    if (mez_check_find_place(requirement, &place) && place.line.file)
        mez_text_add(&text, "%s:%u:%u: ", place.line.file, (unsigned)place.line.line,
            (unsigned)place.line.column);
    mez_requirement_add_value(&value, requirement, MEZ_ASPECTS_CLASSIC);
    mez_text_add(&text, "warning: function '%s' %s '%s' not supported by fixed target%s %s",
        function->name, what, mez_text_get(&value), strchr(mez_text_get(&names), ',') ? "s" : "",
        mez_text_get(&names));
    warner->report(warner->context, mez_text_get(&text));
    mez_spirv_place_finish(&place);
    mez_text_finish(&text);
    mez_text_finish(&value);
    mez_text_finish(&names);
}

static void warn_of_aspects(const warner *warner, uint32_t function)
{
    const struct mez_spirv_function_needs *needs = &warner->survey->functions[function];
    mez_aspects aspects = needs->own;
    mez_aspects_unite(&aspects, &needs->declared);
    mez_aspects_each(&aspects, aspect)
    {
        const mez_requirement requirement = {
            .kind = MEZ_REQUIRES_ASPECT,
            .aspect.name = aspect,
            .survey = warner->survey,
            .function = function,
        };
        emit(warner, &requirement, "uses aspect");
    }
}

static mez_error warn_of_sizes(const warner *warner, const struct mez_spirv_kernel_needs *needs)
{
    mez_requirements requirements = {0};
    const mez_error error = mez_requirements_add_kernel(&requirements, warner->survey, needs);
    for (uint32_t i = 0; i < requirements.count; i++) {
        const mez_requirement *requirement = &requirements.items[i];
        if (requirement->kind == MEZ_REQUIRES_SUB_GROUP_SIZE)
            emit(warner, requirement, "requires sub-group size");
        if (requirement->kind == MEZ_REQUIRES_GROUP_SIZE)
            emit(warner, requirement, "requires work-group size");
    }
    mez_requirements_finish(&requirements);
    return error;
}

mez_error mez_fixed_targets_warn(const mez_fixed_targets *targets,
    const struct mez_spirv_survey *survey, mez_spirv_report_warning *report, void *context)
{
    const warner warner = {targets, survey, report, context};
    for (uint32_t i = 0; i < survey->module->function_count; i++)
        if (!survey->functions[i].is_wrapper && // its body speaks
            !survey->functions[i].is_copy)
            warn_of_aspects(&warner, i);
    for (uint32_t i = 0; i < survey->module->entry_point_count; i++)
        MEZ_TRY(warn_of_sizes(&warner, &survey->kernels[i]));
    return mez_ok();
}
