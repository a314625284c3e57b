// SPDX-License-Identifier: MIT

#include "task/readback.h"

#include "task/mailbox.h"

mez_error mez_readback_reserve(mez_readback *readback)
{
    return mez_vector_reserve(&readback->modules) ? mez_ok()
                                                  : mez_error_no_memory("a list of modules");
}

void mez_readback_add(mez_readback *readback, mez_module *module)
{
    readback->native |= module->native_asserts;
    readback->posts |= module->posts;
    if (!module->assert_record)
        return;
    for (size_t i = 0; i < readback->modules.count; i++)
        if (readback->modules.items[i] == module)
            return;
    readback->modules.items[readback->modules.count++] = module;
}

void mez_readback_finish(mez_readback *readback)
{
    if (readback->records)
        readback->platform->assert_functions->finish(readback);
    mez_vector_finish(&readback->modules);
    mez_mailbox_destroy(readback->mailbox);
    *readback = (mez_readback){0};
}
