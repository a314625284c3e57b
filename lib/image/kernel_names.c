// SPDX-License-Identifier: MIT

#include "image/kernel_names.h"

#include <string.h>

#include "base/alloc.h"

// Intel's driver adds one where functions are exported or called by pointer.
#define SYMBOL_TABLE "Intel_Symbol_Table_Void_Program"

mez_error mez_kernel_names_list(ze_module_handle_t module, const char ***names, uint32_t *count)
{
    uint32_t named = 0;
    *names = NULL;
    *count = 0;
    MEZ_TRY(ZE(zeModuleGetKernelNames, module, &named, NULL));
    const char **list = mez_alloc_array(named + 1u, sizeof *list);
    if (!list)
        return mez_error_no_memory("the names of kernels");
    const mez_error error = named > 0 ? ZE(zeModuleGetKernelNames, module, &named, list) : mez_ok();
    if (mez_failed(error)) {
        mez_free_memory(list);
        return error;
    }
    for (uint32_t i = 0; i < named; i++)
        if (strcmp(list[i], SYMBOL_TABLE) != 0)
            list[(*count)++] = list[i];
    *names = list;
    return error;
}

static bool have(const char *const *names, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static mez_error check(const mez_wanted_kernels *wanted, const char *const *names, uint32_t count)
{
    mez_error error = mez_ok();
    for (uint32_t i = 0; i < wanted->count; i++) {
        if (have(names, count, wanted->names[i]))
            continue;
        if (!mez_failed(error))
            error = mez_error_make(
                MEZ_ERRC_KERNEL, "the driver built a module without kernels that its code has");
        error = mez_error_add(error, "missing", "%s", wanted->names[i]);
    }
    return error;
}

mez_error mez_kernel_names_check(ze_module_handle_t module, const mez_wanted_kernels *wanted)
{
    const char **names;
    uint32_t count;
    if (!wanted || wanted->count == 0)
        return mez_ok();
    MEZ_TRY(mez_kernel_names_list(module, &names, &count));
    const mez_error error = check(wanted, names, count);
    mez_free_memory(names);
    return error;
}
