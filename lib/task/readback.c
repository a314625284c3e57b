// SPDX-License-Identifier: MIT

#include "task/readback.h"

#include "base/alloc.h"

mez_error mez_readback_reserve(mez_readback *readback)
{
    return mez_grow(&readback->modules, readback->module_count, &readback->module_capacity)
               ? mez_ok()
               : mez_error_no_memory("a list of modules");
}

void mez_readback_add(mez_readback *readback, mez_module *module)
{
    readback->native |= module->native_asserts;
    if (!module->assert_record)
        return;
    for (uint32_t i = 0; i < readback->module_count; i++)
        if (readback->modules[i] == module)
            return;
    readback->modules[readback->module_count++] = module;
}

void mez_readback_finish(mez_readback *readback)
{
    if (readback->records)
        readback->platform->assert_functions->finish(readback);
    mez_free_memory(readback->modules);
    *readback = (mez_readback){0};
}
