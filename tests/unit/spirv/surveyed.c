// SPDX-License-Identifier: MIT

#include "surveyed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "modules.h"

struct surveyed survey_module(struct mez_spirv_module *module, enum mez_spirv_survey_mode mode)
{
    struct surveyed it = {.module = module};
    struct mez_spirv_problem problem = {0};
    if (mez_spirv_survey_create(module, mode, &problem, &it.survey))
        fail_msg("%s", problem.text);
    return it;
}

struct surveyed open_survey(const char *name, enum mez_spirv_survey_mode mode)
{
    return survey_module(open_module(name), mode);
}

void close_survey(struct surveyed *it)
{
    mez_spirv_survey_destroy(&it->survey);
    mez_spirv_module_destroy(&it->module);
}

const struct mez_spirv_kernel_needs *kernel_of(const struct surveyed *it, const char *name)
{
    const struct mez_spirv_kernel_needs *kernel = mez_spirv_survey_find_kernel(it->survey, name);
    if (!kernel)
        fail_msg("no kernel %s", name);
    return kernel;
}

uint32_t index_of(const struct surveyed *it, const char *function)
{
    for (uint32_t i = 0; i < it->module->function_count; i++) {
        if (strcmp(it->module->functions[i].name, function) == 0)
            return i;
    }
    fail_msg("no function %s", function);
    return 0;
}

const struct mez_spirv_function_needs *function_of(const struct surveyed *it, const char *function)
{
    return &it->survey->functions[index_of(it, function)];
}

const char *names_of(const mez_aspects *aspects)
{
    static char names[1024];
    names[0] = '\0';
    mez_aspects_each(aspects, aspect)
    {
        if (names[0])
            strcat(names, " ");
        strcat(names, mez_aspect_name(aspect));
    }
    return names;
}

struct mez_spirv_place find_use(const struct surveyed *it, const char *kernel, mez_aspect aspect)
{
    struct mez_spirv_place place;
    const uint32_t function = kernel_of(it, kernel)->kernel->function;
    assert_int_equal(mez_spirv_survey_find_use(it->survey, function, aspect, &place), MEZ_SPIRV_OK);
    assert_ptr_equal(place.steps[place.step_count - 1].function, place.function);
    return place;
}
