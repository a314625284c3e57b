// SPDX-License-Identifier: MIT

#include "image/kernel_names.h"

#include <string.h>

#include "base/alloc.h"

// Intel's driver adds one where functions are exported or called by pointer.
#define SYMBOL_TABLE "Intel_Symbol_Table_Void_Program"

mez_error mez_kernel_names_list(ze_module_handle_t module, const char ***names, uint32_t *count)
{
    uint32_t told = 0;
    *names = NULL;
    *count = 0;
    MEZ_TRY(ZE(zeModuleGetKernelNames, module, &told, NULL));
    const char **list = mez_alloc_array(told + 1u, sizeof *list);
    if (!list)
        return mez_error_no_memory("the names of kernels");
    const mez_error error = told > 0 ? ZE(zeModuleGetKernelNames, module, &told, list) : mez_ok();
    if (mez_failed(error)) {
        mez_free_memory(list);
        return error;
    }
    for (uint32_t i = 0; i < told; i++)
        if (strcmp(list[i], SYMBOL_TABLE) != 0)
            list[(*count)++] = list[i];
    *names = list;
    return error;
}

bool mez_kernel_names_have(const char *const *names, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

mez_error mez_kernel_names_complete(
    ze_module_handle_t module, const mez_wanted_kernels *wanted, bool *complete)
{
    const char **names;
    uint32_t count;
    *complete = true;
    if (!wanted)
        return mez_ok();
    MEZ_TRY(mez_kernel_names_list(module, &names, &count));
    for (uint32_t i = 0; i < wanted->count; i++)
        *complete = *complete && mez_kernel_names_have(names, count, wanted->names[i]);
    mez_free_memory(names);
    return mez_ok();
}
