// SPDX-License-Identifier: MIT
//
// Linking modules with each other after they have been built.
#include "build_log.h"
#include "check.h"
#include "device.h"
#include "module.h"

#include <stdlib.h>
#include <string.h>

// Modules given to one call, and the log that it writes.
struct modules {
    ze_module_handle_t *list;
    uint32_t count;
    char *log;
};

static ze_result_t check_modules(const struct modules *modules)
{
    ZC_REQUIRE_POINTER(modules->list);
    for (uint32_t i = 0; i < modules->count; i++)
        ZC_REQUIRE_HANDLE(modules->list[i]);
    return ZE_RESULT_SUCCESS;
}

static struct zc_program **list_programs(const struct modules *modules)
{
    struct zc_program **programs = calloc((size_t)modules->count + 1, sizeof *programs);
    for (uint32_t i = 0; programs && i < modules->count; i++)
        programs[i] = modules->list[i]->program;
    return programs;
}

static void append_text(char **log, char *text)
{
    if (text)
        zc_log_print(log, "%s", text);
    free(text);
}

static ze_result_t link_one(
    struct modules *modules, struct zc_program *const *programs, ze_module_handle_t module)
{
    const struct zc_features features = zc_device_features(module->device);
    const struct zc_link_request request = {.program = module->program,
        .libraries = programs,
        .library_count = modules->count,
        .features = &features};
    char *text = NULL;
    const enum zc_build_result result = module->engine->link(&request, &text);
    append_text(&modules->log, text);
    if (result == ZC_BUILD_OUT_OF_MEMORY)
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    module->unlinked = result != ZC_BUILD_OK;
    return module->unlinked ? ZE_RESULT_ERROR_MODULE_LINK_FAILURE : ZE_RESULT_SUCCESS;
}

// Goes on after a failure: the log is to name all symbols that are missing.
static ze_result_t link_all(struct modules *modules)
{
    struct zc_program **programs = list_programs(modules);
    ZC_REQUIRE(programs, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    ze_result_t result = ZE_RESULT_SUCCESS;
    for (uint32_t i = 0; i < modules->count; i++) {
        if (!modules->list[i]->unlinked)
            continue;
        const ze_result_t failure = link_one(modules, programs, modules->list[i]);
        result = result ? result : failure;
    }
    free(programs);
    return result;
}

// Intel's driver links only with modules that were built with -library-compilation; any will do here.
ze_result_t zeModuleDynamicLink(
    uint32_t count, ze_module_handle_t *list, ze_module_build_log_handle_t *log)
{
    struct modules modules = {.list = list, .count = count};
    ze_result_t result = check_modules(&modules);
    ZC_PASS(result);
    result = link_all(&modules);
    if (log)
        *log = zc_build_log_create(modules.log);
    else
        free(modules.log);
    return result;
}

static bool is_exported(const struct modules *modules, const char *name)
{
    for (uint32_t i = 0; i < modules->count; i++) {
        uint32_t count = 0;
        ze_module_handle_t module = modules->list[i];
        const char *const *names = module->engine->exports(module->program, &count);
        for (uint32_t k = 0; k < count; k++)
            if (!strcmp(names[k], name))
                return true;
    }
    return false;
}

static void list_imports(struct modules *modules, ze_module_handle_t module, bool all)
{
    uint32_t count = 0;
    const char *const *names = module->engine->imports(module->program, &count);
    for (uint32_t i = 0; i < count; i++)
        if (all || !is_exported(modules, names[i]))
            zc_log_print(&modules->log, "Module <%p>: %s <%s>\n", (void *)module,
                all ? "Imported Symbol" : "Unresolvable Imported Symbol", names[i]);
}

static void list_exports(struct modules *modules, ze_module_handle_t module)
{
    uint32_t count = 0;
    const char *const *names = module->engine->exports(module->program, &count);
    for (uint32_t i = 0; i < count; i++)
        zc_log_print(
            &modules->log, "Module <%p>: Exported Symbol <%s>\n", (void *)module, names[i]);
}

ze_result_t zeModuleInspectLinkageExt(ze_linkage_inspection_ext_desc_t *desc, uint32_t count,
    ze_module_handle_t *list, ze_module_build_log_handle_t *log)
{
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE_POINTER(log);
    ZC_REQUIRE_FLAGS(desc->flags, ZE_LINKAGE_INSPECTION_EXT_FLAG_IMPORTS |
                                      ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS |
                                      ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS);
    struct modules modules = {.list = list, .count = count};
    const ze_result_t result = check_modules(&modules);
    ZC_PASS(result);
    for (uint32_t i = 0; i < count; i++) {
        if (desc->flags & ZE_LINKAGE_INSPECTION_EXT_FLAG_IMPORTS)
            list_imports(&modules, list[i], true);
        if (desc->flags & ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS)
            list_imports(&modules, list[i], false);
        if (desc->flags & ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS)
            list_exports(&modules, list[i]);
    }
    *log = zc_build_log_create(modules.log);
    return ZE_RESULT_SUCCESS;
}
