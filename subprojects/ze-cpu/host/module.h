// SPDX-License-Identifier: MIT
//
// Modules: programs that the engine built.
#ifndef ZE_CPU_MODULE_H
#define ZE_CPU_MODULE_H

#include <engine.h>
#include <level_zero/ze_api.h>
#include <stdatomic.h>
#include <stdbool.h>

struct _ze_module_handle_t {
    atomic_uint references; // the application's, and one for each kernel and each launch under way
    ze_context_handle_t context;
    ze_device_handle_t device;
    const struct zc_engine *engine;
    struct zc_program *program;
    bool unlinked; // some import has found no definition yet
};

ze_module_handle_t zc_module_ref(ze_module_handle_t module);
void zc_module_unref(ze_module_handle_t module);
// Compiles the kernel of that name, where that has not been done.
ze_result_t zc_module_find_kernel(
    ze_module_handle_t module, const char *name, const struct zc_kernel **kernel);

#endif
