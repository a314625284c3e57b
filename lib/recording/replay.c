// SPDX-License-Identifier: MIT

#include "queue/companion.h"
#include "queue/probes.h"
#include "queue/slow.h"
#include "recording/recording.h"
#include "trace/call.h"

// The task that must end before there is room; 0: there is. The caller holds the lock.
static uint64_t task_in_the_way(const mez_queue *queue, const void *lender, uint32_t most)
{
    uint64_t oldest = 0;
    uint32_t count = 0;
    for (const mez_encoding *one = queue->references.oldest_list; one; one = one->next)
        if (one->lender == lender && count++ == 0)
            oldest = one->task;
    return count >= most ? oldest : 0;
}

// Waits until fewer than `most` lists of one lender are in flight on the queue. Errors: those of a wait for the oldest.
static mez_error make_room(mez_queue *queue, const void *lender, uint32_t most)
{
    MEZ_REFUSE_CLOSED("mez_replay", NULL);
    for (;;) {
        mez_lock_take(&queue->lock);
        mez_queue_take_up_seen(queue);
        const uint64_t task = task_in_the_way(queue, lender, most);
        mez_lock_release(&queue->lock);
        if (!task)
            return mez_ok();
        MEZ_TRY(mez_queue_wait_for_task(queue, task, MEZ_NEVER));
    }
}

// Submits a list with nothing to wait for and no event, by the short way that a queue may have. False: it has none, and nothing was
// done. Else *error is how it went; unless it failed the caller's reference is the queue's.
static bool replay_at_once(mez_queue *queue, mez_encoding *encoding, mez_error *error)
{
    const mez_queue_ops *ops = queue->ops;
    if (!ops->replay || atomic_load(&queue->slow) != 0)
        return false;
    mez_lock_take(&queue->lock);
    const bool crowded = ops->crowded && ops->crowded(queue) > 0;
    const bool at_once =
        !crowded && atomic_load(&queue->slow) == 0; // now that nobody can change it
    if (at_once) {
        mez_probe_quick_begin(queue, MEZ_COMMAND_REPLAY, NULL, NULL);
        *error = ops->replay(queue, encoding);
        mez_probe_task_end(queue, NULL, *error, mez_queue_last_task(queue));
    }
    mez_lock_release(&queue->lock);
    return at_once;
}

static mez_error check(const mez_queue *queue, const mez_recording *recording)
{
    if (queue->platform != recording->platform)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "the recording belongs to another context than the queue");
    if (queue->device != recording->device)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "the recording is for device \"%s\", but the queue runs on \"%s\"",
            recording->device->info.name, queue->device->info.name);
    if (!queue->engine->computes)
        return mez_error_make(MEZ_ERRC_FEATURE_NOT_SUPPORTED,
            "queue \"%s\" is on the %s engine, but recordings need the compute engine", queue->name,
            queue->engine->name);
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

// Written by hand: mez_replay as a whole has no second body, so that a replay by the short way does not ask whether somebody listens.
MEZ_TRACE_COLD mez_error submit_task_traced(const mez_location *where, mez_queue *queue,
    mez_encoding *encoding, const mez_task_params *task)
{
    const void *recording = encoding->lender;
    MEZ_TRACE_NOTIFY(
        mez_replay, where, submit_task(where, queue, encoding, task), queue, recording, task);
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
    if (!task && replay_at_once(queue, encoding, &error)) {
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
        MEZ_TRY(make_room(queue, recording, MEZ_MOST_REPLAYS));
    if (mez_queue_is_spread(queue))
        MEZ_TRY(bar_what_precedes(where, queue));
    MEZ_TRY(mez_recording_borrow(recording, &list));
    return submit(where, queue, &list->encoding, task);
}

mez_error mez_replay_at(const mez_location *where, mez_queue *queue, mez_recording *recording,
    const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE(queue, where);
    MEZ_REQUIRE(recording, where);
    MEZ_PROBE_CALL_BEGIN(mez_replay, where);
    mez_error error = replay(where, queue, recording, task);
    if (__builtin_expect(!mez_failed(error), 1))
        return MEZ_PROBE_CALL_END("mez_replay", error);
    error = mez_error_add(error, "recording", "\"%s\"", recording->name);
    error = mez_queue_add_facts(error, where, queue, task);
    return MEZ_PROBE_CALL_END("mez_replay", error);
}
