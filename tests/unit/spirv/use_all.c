// SPDX-License-Identifier: MIT
//
// Asking a module everything that lib/spirv can tell.

#include "use_all.h"

#include <string.h>

#include "spirv/needs.h"
#include "spirv/reader.h"
#include "spirv/signature.h"

// Reads every byte of a string, so that a sanitizer sees one that does not end.
static size_t touch(const char *text)
{
    return text ? strlen(text) : 0;
}

static size_t touch_functions(const struct mez_spirv_module *module)
{
    size_t length = 0;
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct mez_spirv_function *function = &module->functions[i];
        length += touch(function->name);
        length +=
            touch(mez_spirv_decoration_text(module, function->id, MEZ_DECORATION_USER_SEMANTIC));
    }
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
    for (uint32_t i = 0; i < signature.count; i++)
        touch(signature.arguments[i].name);
    mez_spirv_signature_finish(&signature);
    return status;
}

static enum mez_spirv_status use_needs(
    const struct mez_spirv_module *module, const struct mez_spirv_entry_point *kernel)
{
    struct mez_spirv_needs *needs;
    const enum mez_spirv_status status = mez_spirv_needs_create(module, kernel->name, NULL, &needs);
    for (uint32_t kind = 0; needs && kind < MEZ_NEED_COUNT; kind++) {
        const struct mez_spirv_place *where = &needs->needs[kind].where;
        touch(where->line.file);
        for (uint32_t i = 0; i < where->chain_length; i++)
            touch(where->chain[i]);
    }
    for (uint32_t i = 0; needs && i < needs->import_count; i++)
        touch(needs->imports[i]->name);
    mez_spirv_needs_destroy(&needs);
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
    for (uint32_t i = 0; !status && i < module->entry_point_count; i++) {
        status = use_signature(module, &module->entry_points[i]);
        if (!status)
            status = use_needs(module, &module->entry_points[i]);
    }
    mez_spirv_module_destroy(&module);
    return status;
}
