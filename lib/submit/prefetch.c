// SPDX-License-Identifier: MIT
//
// Hints on shared memory. Level Zero's have no events, so what waits and what signals are barriers around them: tasks of their
// own, each of which is in order or was not submitted.

#include <mezzanine/memory.h>

#include "memory/memory.h"
#include "queue/queue.h"
#include "submit/ranges.h"
#include "task/params.h"
#include "traced_calls.h"

static mez_error submit_between_barriers(
    mez_queue *queue, mez_command *hint, const mez_task_params *params)
{
    mez_command barrier = {.kind = MEZ_COMMAND_NOTHING, .where = hint->where};
    const char *name = hint->debug_name = params ? params->debug_name : NULL;
    if (params && params->wait_count > 0) {
        const mez_task_params before = {
            .debug_name = name, .wait_for = params->wait_for, .wait_count = params->wait_count};
        MEZ_TRY(mez_queue_submit_task(queue, &barrier, &before));
    }
    MEZ_TRY(mez_queue_submit_task(queue, hint, NULL));
    if (!params || !params->event)
        return mez_ok();
    const mez_task_params behind = {
        .debug_name = name, .event = params->event, .device_event = params->device_event};
    return mez_queue_submit_task(queue, &barrier, &behind);
}

static mez_error check_memory(mez_queue *queue, const mez_command *hint)
{
    const void *memory = hint->hint.memory;
    mez_memory_info info;
    MEZ_TRY(mez_memory_find_info(queue->platform, memory, &info));
    const bool used = info.origin == MEZ_POINTER_ALLOCATION || info.origin == MEZ_POINTER_FOREIGN;
    if (info.origin == MEZ_POINTER_PLAIN || (used && info.kind != MEZ_MEMORY_SHARED))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "%p is not shared memory", memory);
    return mez_range_check(queue->platform, &info, hint, MEZ_SIDE_MEMORY, memory, hint->hint.size);
}

static mez_error submit_hint(mez_queue *queue, mez_command *hint, const mez_task_params *params)
{
    MEZ_TRY(mez_task_check_reserved(params));
    if (hint->hint.size == 0)
        hint->kind = MEZ_COMMAND_NOTHING;
    else
        MEZ_TRY(check_memory(queue, hint));
    return submit_between_barriers(queue, hint, params);
}

MEZ_TRACE_BODY mez_error prefetch(const mez_location *where, mez_queue *queue, const void *memory,
    size_t size, const mez_task_params *task)
{
    mez_command command = {.kind = MEZ_COMMAND_PREFETCH, .where = where};
    command.hint.memory = memory;
    command.hint.size = size;
    return mez_queue_add_facts(submit_hint(queue, &command, task), where, queue, task);
}

MEZ_TRACED_CALL(mez_prefetch, prefetch)

mez_error mez_prefetch_at(const mez_location *where, mez_queue *queue, const void *memory,
    size_t size, const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE(queue, where);
    MEZ_REQUIRE(memory, where);
    MEZ_TRACE_CALL(mez_prefetch, where, prefetch, where, queue, memory, size, task);
}

static bool translate(mez_advice advice, ze_memory_advice_t *ze)
{
    static const ze_memory_advice_t translations[] = {
        [MEZ_ADVICE_READ_MOSTLY] = ZE_MEMORY_ADVICE_SET_READ_MOSTLY,
        [MEZ_ADVICE_NOT_READ_MOSTLY] = ZE_MEMORY_ADVICE_CLEAR_READ_MOSTLY,
        [MEZ_ADVICE_PREFER_DEVICE] = ZE_MEMORY_ADVICE_SET_PREFERRED_LOCATION,
        [MEZ_ADVICE_PREFER_NOWHERE] = ZE_MEMORY_ADVICE_CLEAR_PREFERRED_LOCATION,
        [MEZ_ADVICE_NON_ATOMIC_MOSTLY] = ZE_MEMORY_ADVICE_SET_NON_ATOMIC_MOSTLY,
        [MEZ_ADVICE_NOT_NON_ATOMIC_MOSTLY] = ZE_MEMORY_ADVICE_CLEAR_NON_ATOMIC_MOSTLY,
        [MEZ_ADVICE_CACHED] = ZE_MEMORY_ADVICE_BIAS_CACHED,
        [MEZ_ADVICE_UNCACHED] = ZE_MEMORY_ADVICE_BIAS_UNCACHED,
    };
    if ((size_t)advice >= sizeof translations / sizeof translations[0])
        return false;
    *ze = translations[advice];
    return true;
}

static mez_error submit_advice(const mez_location *where, mez_queue *queue, const void *memory,
    size_t size, mez_advice advice, const mez_task_params *params)
{
    mez_command command = {.kind = MEZ_COMMAND_ADVISE, .where = where};
    command.hint.memory = memory;
    command.hint.size = size;
    command.hint.device = queue->device->ze;
    if (!translate(advice, &command.hint.advice))
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "memory advice %d does not exist", (int)advice);
    return submit_hint(queue, &command, params);
}

MEZ_TRACE_BODY mez_error advise(const mez_location *where, mez_queue *queue, const void *memory,
    size_t size, mez_advice advice, const mez_task_params *task)
{
    return mez_queue_add_facts(
        submit_advice(where, queue, memory, size, advice, task), where, queue, task);
}

MEZ_TRACED_CALL(mez_advise, advise)

mez_error mez_advise_at(const mez_location *where, mez_queue *queue, const void *memory,
    size_t size, mez_advice advice, const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE(queue, where);
    MEZ_REQUIRE(memory, where);
    MEZ_TRACE_CALL(mez_advise, where, advise, where, queue, memory, size, advice, task);
}
