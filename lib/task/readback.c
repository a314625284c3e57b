// SPDX-License-Identifier: MIT

#include "task/readback.h"

#include "base/alloc.h"
#include "queue/traced.h"

mez_error mez_probe_reserve(mez_probe *probe)
{
    return mez_grow(&probe->modules, probe->module_count, &probe->module_capacity)
               ? mez_ok()
               : mez_error_no_memory("a list of modules");
}

void mez_probe_add(mez_probe *probe, mez_module *module)
{
    probe->native |= module->native_asserts;
    if (!module->assert_record)
        return;
    for (uint32_t i = 0; i < probe->module_count; i++)
        if (probe->modules[i] == module)
            return;
    probe->modules[probe->module_count++] = module;
}

void mez_probe_finish(mez_probe *probe)
{
    if (probe->records)
        probe->platform->probe_hooks->finish(probe);
    mez_free_memory(probe->modules);
    *probe = (mez_probe){0};
}

mez_error mez_probe_append(mez_probe *probe, struct mez_queue *queue, ze_command_list_handle_t list)
{
    if (MEZ_TRACED(queue->traced))
        return mez_traced_copy_records(queue, probe, list);
    return probe->platform->probe_hooks->append(probe, list);
}

void mez_probe_look(
    mez_probe *probe, struct mez_queue *queue, uint64_t first_task, uint64_t last_task)
{
    if (MEZ_TRACED(queue->traced))
        mez_traced_check_records(queue, probe, first_task, last_task);
    else
        probe->platform->probe_hooks->look(probe, queue, first_task, last_task);
}

mez_error mez_probe_look_beside(struct mez_queue *queue)
{
    if (MEZ_TRACED(queue->traced))
        return mez_traced_check_beside(queue);
    return queue->platform->probe_hooks->look_beside(queue);
}
