// SPDX-License-Identifier: MIT

#include "check/fixed.h"

#include <string.h>

#include "base/alloc.h"
#include "check/describe.h"

// --- Targets

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

// --- Warning

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
