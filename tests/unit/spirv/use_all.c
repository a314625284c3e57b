// SPDX-License-Identifier: MIT
//
// Asking a module everything that lib/spirv can find out.

#include "use_all.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "spirv/aspects.h"
#include "spirv/rewrite.h"
#include "spirv/module.h"
#include "spirv/signature.h"
#include "spirv/survey.h"

// Reads every byte of a string, so that a sanitizer sees one that does not end.
static size_t touch(const char *text)
{
    return text ? strlen(text) : 0;
}

static size_t touch_functions(const struct mez_spirv_module *module)
{
    size_t length = 0;
    for (uint32_t i = 0; i < module->function_count; i++)
        length += touch(module->functions[i].name);
    return length;
}

static size_t touch_symbols(const struct mez_spirv_module *module)
{
    size_t length = 0;
    for (uint32_t i = 0; i < module->import_count; i++)
        length += touch(module->imports[i].name);
    for (uint32_t i = 0; i < module->export_count; i++)
        length += touch(module->exports[i].name);
    for (uint32_t i = 0; i < module->extension_count; i++)
        length += touch(module->extensions[i]);
    return length;
}

static enum mez_spirv_status use_signature(
    const struct mez_spirv_module *module, const struct mez_spirv_entry_point *kernel)
{
    struct mez_spirv_signature signature;
    const enum mez_spirv_status status = mez_spirv_signature_init(module, kernel, NULL, &signature);
    for (uint32_t i = 0; i < signature.count; i++) {
        char declaration[40];
        mez_spirv_argument_declaration(&signature.arguments[i], declaration, sizeof declaration);
        touch(declaration);
    }
    mez_spirv_signature_finish(&signature);
    return status;
}

static enum mez_spirv_status use_places(
    const struct mez_spirv_survey *survey, uint32_t function, const mez_aspects *aspects)
{
    mez_aspects_each(aspects, aspect)
    {
        struct mez_spirv_place place;
        const enum mez_spirv_status status =
            mez_spirv_survey_find_use(survey, function, aspect, &place);
        if (status)
            return status;
        touch(place.line.file);
        for (uint32_t i = 0; i < place.step_count; i++)
            touch(place.steps[i].call.file);
        mez_spirv_place_finish(&place);
    }
    return MEZ_SPIRV_OK;
}

static enum mez_spirv_status use_imports(const struct mez_spirv_survey *survey, uint32_t function)
{
    const struct mez_spirv_symbol **imports;
    uint32_t count;
    const enum mez_spirv_status status =
        mez_spirv_survey_list_imports(survey, function, &imports, &count);
    for (uint32_t i = 0; i < count; i++)
        touch(imports[i]->name);
    mez_free_memory(imports);
    return status;
}

static enum mez_spirv_status use_memory(const struct mez_spirv_module *module, uint32_t function)
{
    uint64_t bytes;
    bool keeps;
    const enum mez_spirv_status status = mez_spirv_local_memory(module, function, NULL, &bytes);
    return status ? status : mez_spirv_has_double_variables(module, function, true, NULL, &keeps);
}

static void hear(void *context, const char *text)
{
    *(size_t *)context += touch(text);
}

static enum mez_spirv_status use_survey(
    const struct mez_spirv_module *module, enum mez_spirv_survey_mode mode)
{
    struct mez_spirv_survey *survey;
    size_t length = 0;
    enum mez_spirv_status status = mez_spirv_survey_create(module, mode, NULL, &survey);
    if (status)
        return status;
    for (uint32_t i = 0; !status && i < module->entry_point_count; i++) {
        const struct mez_spirv_kernel_needs *kernel = &survey->kernels[i];
        status = use_places(survey, kernel->kernel->function, &kernel->required);
        if (!status)
            status = use_imports(survey, kernel->kernel->function);
        if (!status)
            status = use_memory(module, kernel->kernel->function);
    }
    if (!status)
        status = mez_spirv_survey_warn(survey, hear, &length, NULL);
    mez_spirv_survey_destroy(&survey);
    return status;
}

static enum mez_spirv_status use_kernels(const struct mez_spirv_module *module)
{
    enum mez_spirv_status status = MEZ_SPIRV_OK;
    for (uint32_t i = 0; !status && i < module->entry_point_count; i++)
        status = use_signature(module, &module->entry_points[i]);
    return status;
}

// Other values make another module of the same form.
static enum mez_spirv_status use_constants(struct mez_spirv_module *module)
{
    static const unsigned char value[8] = {0x81, 0xff, 0x7f, 0x80, 1, 0, 0xfe, 0xff};
    struct mez_spirv_spec_constant constant;
    for (uint32_t at = 0; mez_spirv_next_spec_constant(module, &at, &constant);) {
        if (constant.name)
            touch(constant.name);
        mez_spirv_specialize(module, constant.number, value);
    }
    mez_spirv_write_group_sizes(module);
    struct mez_spirv_module *anew;
    const enum mez_spirv_status status = mez_spirv_module_create(
        module->words, (size_t)module->word_count * sizeof *module->words, NULL, &anew);
    if (status != MEZ_SPIRV_OK && status != MEZ_SPIRV_NO_MEMORY)
        abort();
    mez_spirv_module_destroy(&anew);
    return status;
}

static enum mez_spirv_status use_stripped(const struct mez_spirv_module *module)
{
    uint32_t *words, count;
    const enum mez_spirv_status status = mez_spirv_strip(module, NULL, &words, &count);
    if (status ? words != NULL : count > module->word_count)
        abort();
    mez_free_memory(words);
    return status;
}

// Whatever module gets hidden arguments, the reader takes it.
static enum mez_spirv_status use_hidden(const struct mez_spirv_module *module)
{
    uint32_t *words, count;
    struct mez_spirv_module *changed = NULL;
    enum mez_spirv_status status = mez_spirv_add_hidden(module, NULL, &words, &count);
    if (words) {
        status = mez_spirv_module_create(words, (size_t)count * sizeof *words, NULL, &changed);
        if (status ? status != MEZ_SPIRV_NO_MEMORY
                   : changed->function_count != module->function_count)
            abort();
    }
    mez_spirv_module_destroy(&changed);
    mez_free_memory(words);
    return status;
}

enum mez_spirv_status use_all(const void *bytes, size_t size)
{
    struct mez_spirv_problem problem;
    struct mez_spirv_module *module;
    enum mez_spirv_status status = mez_spirv_module_create(bytes, size, &problem, &module);
    if (status) {
        touch(problem.text);
        return status;
    }

    touch_symbols(module);
    touch_functions(module);
    status = use_kernels(module);
    if (!status)
        status = use_survey(module, MEZ_SURVEY_VALUES);
    if (!status)
        status = use_survey(module, MEZ_SURVEY_TYPES);
    if (!status)
        status = use_stripped(module);
    if (!status)
        status = use_hidden(module);
    if (!status)
        status = use_constants(module);
    mez_spirv_module_destroy(&module);
    return status;
}
