// SPDX-License-Identifier: MIT

#include "queue/companion.h"
#include "recording/recording.h"
#include "trace/call.h"

static mez_error check(const mez_queue *queue, const mez_recording *recording)
{
    if (queue->platform != recording->platform)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "the recording belongs to another context than the queue");
    if (queue->device != recording->device)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "the recording is for device \"%s\", and the queue runs on \"%s\"",
            recording->device->info.name, queue->device->info.name);
    if (!queue->engine->computes)
        return mez_error_make(MEZ_ERRC_FEATURE_NOT_SUPPORTED,
            "queue \"%s\" is on the %s engine, and recordings are for the one that computes",
            queue->name, queue->engine->name);
    return mez_ok();
}

// A list's first command orders what is in its own list of the driver's. Not inlined: most replays need none.
__attribute__((noinline)) static mez_error bar_what_precedes(
    const mez_location *where, mez_queue *queue)
{
    mez_command barrier = {.kind = MEZ_COMMAND_NOTHING, .where = where};
    return mez_queue_submit_task(queue, &barrier, NULL);
}

MEZ_TRACE_BODY mez_error submit_task(const mez_location *where, mez_queue *queue,
    mez_encoding *encoding, const mez_task_params *task)
{
    mez_command command = {.kind = MEZ_COMMAND_REPLAY, .where = where};
    command.replay = encoding;
    const mez_error error = mez_queue_submit_task(queue, &command, task);
    mez_encoding_unref(encoding); // the queue has its own
    return error;
}

MEZ_TRACE_COLD mez_error submit_task_traced(const mez_location *where, mez_queue *queue,
    mez_encoding *encoding, const mez_task_params *task)
{
    const void *recording = encoding->lender;
    MEZ_TRACE_TELL(
        mez_queue_replay, where, submit_task(where, queue, encoding, task), queue, recording, task);
}

__attribute__((noinline)) static mez_error submit_slowly(const mez_location *where,
    mez_queue *queue, mez_encoding *encoding, const mez_task_params *task)
{
    MEZ_TRACE_LONG(submit_task, where, queue, encoding, task);
}

// Takes the reference of the encoding.
static mez_error submit(const mez_location *where, mez_queue *queue, mez_encoding *encoding,
    const mez_task_params *task)
{
    mez_error error;
    if (!task && mez_replay_at_once(queue, encoding, &error)) {
        if (mez_failed(error))
            mez_encoding_unref(encoding);
        return error;
    }
    return submit_slowly(where, queue, encoding, task);
}

static mez_error replay(const mez_location *where, mez_queue *queue, mez_recording *recording,
    const mez_task_params *task)
{
    mez_recorded_list *list;
    MEZ_TRY(check(queue, recording));
    if (atomic_load_explicit(&recording->lent, memory_order_relaxed) >= MEZ_MOST_REPLAYS)
        MEZ_TRY(mez_replays_make_room(queue, recording, MEZ_MOST_REPLAYS));
    if (mez_queue_is_spread(queue))
        MEZ_TRY(bar_what_precedes(where, queue));
    MEZ_TRY(mez_recording_borrow(recording, &list));
    return submit(where, queue, &list->encoding, task);
}

mez_error mez_queue_replay_at(const mez_location *where, mez_queue *queue, mez_recording *recording,
    const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE(queue, where);
    MEZ_REQUIRE(recording, where);
    MEZ_PROBE_CALL_BEGIN(mez_queue_replay, where);
    mez_error error = replay(where, queue, recording, task);
    if (__builtin_expect(!mez_failed(error), 1))
        return MEZ_PROBE_CALL_END("mez_queue_replay", error);
    error = mez_error_add(error, "recording", "\"%s\"", recording->name);
    error = mez_queue_tell(error, where, queue, task);
    return MEZ_PROBE_CALL_END("mez_queue_replay", error);
}
