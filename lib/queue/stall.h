// SPDX-License-Identifier: MIT
//
// What a waiter looks at between two looks at the driver: is the device lost, and has the queue stalled? A queue has stalled when
// somebody has waited for it for platform->stall_after without a task being seen to end. Then a warning names the task that
// is stuck and what it waits for, once until another task has ended.

#ifndef MEZ_QUEUE_STALL_H
#define MEZ_QUEUE_STALL_H

#include "queue/queue.h"

// Of every wait for a queue or for an event of its tasks; the owner is the queue.
extern const mez_wait_guard mez_queue_guard;

// Is it that of a task?
static inline bool mez_event_is_of_queue(const mez_event *event)
{
    return event->source && event->source->guard == &mez_queue_guard;
}

// Logs what the queue, a mez_queue, is at: nothing has come of a wait for platform->stall_after.
void mez_queue_warn_of_stall(void *queue);

// As mez_platform_note_loss; the story gets the queue and the task that it was at. The caller does not hold the queue's lock.
mez_error mez_queue_note_loss(mez_queue *queue, mez_error error);

// Part of the next, where the number is that of the code, which means it on some drivers only.
__attribute__((cold)) ze_result_t mez_queue_check_answer_code(
    mez_queue *queue, ze_result_t answer, uint64_t first_task, uint64_t last_task);

// What a look at these tasks answers. A driver that reports a failed assert by a code does so once, to whoever comes first: then they
// have ended, and the queue keeps the failure. The caller holds the lock.
static inline ze_result_t mez_queue_check_answer(
    mez_queue *queue, ze_result_t answer, uint64_t first_task, uint64_t last_task)
{
    const bool maybe = __builtin_expect(answer == ZE_NEWER_INTEL_RESULT_ASSERT_FAILED, 0);
    return maybe ? mez_queue_check_answer_code(queue, answer, first_task, last_task) : answer;
}

// What tasks end with that are in flight when their queue goes: only a lost device leaves any.
mez_error mez_queue_destroyed_early(const mez_queue *queue);

// Reads MEZ_STALL, in nanoseconds. Error: MEZ_ERRC_INVALID_PARAMETER.
mez_error mez_stall_read_setting(uint64_t *stall_after);

// --- Progress
//
// How far the device has come with the tasks of a queue. Nothing is retired: these look, for descriptions and warnings.

// The newest task that is known to have ended, with all before it. The caller holds the lock, here and below.
uint64_t mez_progress_known(const mez_queue *queue);

// Goes on from `reached` as far as the events of tasks show.
uint64_t mez_progress_follow(const mez_queue *queue, uint64_t reached);

// All that can be seen now: asks the driver, too, unless the queue is being destroyed.
uint64_t mez_progress_look(mez_queue *queue);

// Has the event of a task that the driver has happened?
bool mez_progress_has_happened(const mez_event *event);

// --- In words
//
// What a queue is at, in words: the oldest task that the device has, what is deferred, and what they wait for.

// What mez_queue_describe returns. The caller holds no queue's lock.
void mez_queue_describe_to(mez_queue *queue, mez_text *text);

// Adds a task that has not ended, as the oldest, with its age and how many are behind it. The caller holds the lock.
void mez_queue_describe_oldest(const mez_queue *queue, uint64_t oldest, mez_text *text);

#endif
