// SPDX-License-Identifier: MIT

#include "spirv/survey.h"

#include <string.h>

#include "base/text.h"
#include "spirv/declarations.h"

struct warner {
    mez_spirv_report_warning *report;
    void *context;
};

static void emit(const struct warner *warner, mez_text *text)
{
    warner->report(warner->context, mez_text_get(text));
    mez_text_finish(text);
}

// --- Uses that are not declared

static void add_line(mez_text *text, const struct mez_spirv_source_line *line)
{
    mez_text_add(text, "%s:%u:%u", line->file, line->line, line->column);
}

static void add_step(mez_text *text, const struct mez_spirv_step *step)
{
    mez_text_add(text, "\n  %s()", step->function->name);
    if (!step->call.file)
        return;
    mez_text_add(text, " ");
    add_line(text, &step->call);
}

static void warn_of_use(const struct warner *warner, const struct mez_spirv_function *function,
    mez_aspect aspect, const struct mez_spirv_place *place)
{
    mez_text text = {0};
    if (place->line.file) {
        add_line(&text, &place->line);
        mez_text_add(&text, ": ");
    }
    mez_text_add(&text,
        "warning: function '%s' uses aspect '%s' not listed in 'sycl::device_has'\n"
        "use is from this call chain:",
        function->name, mez_aspect_name(aspect));
    for (uint32_t i = 0; i < place->step_count; i++)
        add_step(&text, &place->steps[i]);
    if (!place->line.file)
        mez_text_add(&text, "\ncompile with '-g' to get source location");
    emit(warner, &text);
}

static enum mez_spirv_status warn_of_function(
    const struct mez_spirv_survey *survey, uint32_t index, const struct warner *warner)
{
    const struct mez_spirv_function_needs *needs = &survey->functions[index];
    const mez_aspects undeclared = mez_aspects_except(&needs->used, &needs->declared);
    mez_aspects_each(&undeclared, aspect)
    {
        struct mez_spirv_place place;
        const enum mez_spirv_status status =
            mez_spirv_survey_find_use(survey, index, aspect, &place);
        if (status)
            return status;
        warn_of_use(warner, &survey->module->functions[index], aspect, &place);
        mez_spirv_place_finish(&place);
    }
    return MEZ_SPIRV_OK;
}

// A variable declares for a kernel's wrapper and its body, which have one name: the body speaks.
static enum mez_spirv_status warn_of_uses(
    const struct mez_spirv_survey *survey, const struct warner *warner)
{
    enum mez_spirv_status status = MEZ_SPIRV_OK;
    for (uint32_t i = 0; !status && i < survey->module->function_count; i++) {
        const struct mez_spirv_function_needs *needs = &survey->functions[i];
        if (needs->has_declaration && !needs->is_wrapper && !needs->is_copy)
            status = warn_of_function(survey, i, warner);
    }
    for (uint32_t i = 0; !status && i < survey->module->entry_point_count; i++) {
        const struct mez_spirv_kernel_needs *kernel = &survey->kernels[i];
        const uint32_t wrapper = kernel->kernel->function;
        if (survey->functions[wrapper].has_declaration && survey->functions[wrapper].is_wrapper &&
            !survey->functions[kernel->body].has_declaration)
            status = warn_of_function(survey, wrapper, warner);
    }
    return status;
}

// --- Declarations that say nothing

static void warn_of_name(const struct warner *warner,
    const struct mez_spirv_declaration *declaration, const char *name, size_t length)
{
    mez_text text = {0};
    const char *nearest = mez_aspect_suggest(name, length);
    mez_text_add(&text, "warning: function '%s' declares '%.*s', which is not an aspect",
        declaration->function, (int)(length < 80 ? length : 80), name);
    if (nearest)
        mez_text_add(&text, "; is '%s' meant?", nearest);
    emit(warner, &text);
}

static void check_declaration(void *context, const struct mez_spirv_declaration *declaration)
{
    const struct warner *warner = context;
    mez_text text = {0};
    if (declaration->found_count == 0) {
        mez_text_add(&text,
            "warning: aspects are declared for function '%s', which the module does not have",
            declaration->function);
        emit(warner, &text);
    }
    if (declaration->is_cut) {
        mez_text_add(&text,
            "warning: function '%s' declares more than all aspects: the end of its list is ignored",
            declaration->function);
        emit(warner, &text);
    }
    const char *rest = declaration->list, *name;
    size_t length;
    int32_t number;
    while ((name = mez_spirv_next_name(&rest, &length))) {
        if (mez_aspect_find(name, length) == MEZ_ASPECT_NONE &&
            !mez_spirv_internal_aspect(name, length, &number))
            warn_of_name(warner, declaration, name, length);
    }
}

enum mez_spirv_status mez_spirv_survey_warn(const struct mez_spirv_survey *survey,
    mez_spirv_report_warning *report, void *context, struct mez_spirv_problem *problem)
{
    struct warner warner = {.report = report, .context = context};
    enum mez_spirv_status status =
        mez_spirv_each_declaration(survey->module, check_declaration, &warner, problem);
    if (!status)
        status = warn_of_uses(survey, &warner);
    if (status)
        mez_spirv_fail(problem, status, 0, "no memory to report a module's declarations");
    return status;
}
