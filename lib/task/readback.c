// SPDX-License-Identifier: MIT

#include "task/readback.h"

#include "base/alloc.h"
#include "queue/traced.h"

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

mez_error mez_readback_append(
    mez_readback *readback, struct mez_queue *queue, ze_command_list_handle_t list)
{
    if (MEZ_TRACED(queue->traced))
        return mez_traced_copy_records(queue, readback, list);
    return readback->platform->assert_functions->append(readback, list);
}

void mez_readback_look(
    mez_readback *readback, struct mez_queue *queue, uint64_t first_task, uint64_t last_task)
{
    if (MEZ_TRACED(queue->traced))
        mez_traced_check_records(queue, readback, first_task, last_task);
    else
        readback->platform->assert_functions->look(readback, queue, first_task, last_task);
}

mez_error mez_readback_look_beside(struct mez_queue *queue)
{
    if (MEZ_TRACED(queue->traced))
        return mez_traced_check_beside(queue);
    return queue->platform->assert_functions->look_beside(queue);
}
