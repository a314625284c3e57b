// SPDX-License-Identifier: MIT

#include "queue/stall.h"
#include "queue/slow.h"
#include "queue/traced.h"

#include <errno.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/environment.h"
#include "device/lost.h"

#define DEFAULT_SECONDS 10
#define MOST_SECONDS 1000000 // base/environment.def has it for users
#define SECOND 1000000000u   // ns
#define MOST_AWAITED 8       // events that a description names
#define DEPTH 2              // tasks, and what the tasks that they wait for wait for themselves

// Whole seconds and a fraction. The C library's own reading depends on the locale.
static bool read_seconds(const char *text, uint64_t *nanoseconds)
{
    if (*text < '0' || *text > '9')
        return false;
    char *end;
    errno = 0;
    const unsigned long seconds = strtoul(text, &end, 10);
    if (errno || seconds > MOST_SECONDS)
        return false;
    *nanoseconds = seconds * (uint64_t)SECOND;
    if (*end == '.')
        end++;
    for (uint64_t unit = SECOND / 10; *end >= '0' && *end <= '9'; unit /= 10)
        *nanoseconds += (uint64_t)(*end++ - '0') * unit;
    return *end == '\0';
}

mez_error mez_stall_read_setting(uint64_t *stall_after)
{
    const char *text = mez_setting(MEZ_VARIABLE_STALL);
    *stall_after = (uint64_t)DEFAULT_SECONDS * SECOND;
    if (!text || read_seconds(text, stall_after))
        return mez_ok();
    return mez_setting_refused(MEZ_VARIABLE_STALL);
}

// --- How far a queue has come. The caller holds its lock.

static uint64_t known_progress(const mez_queue *queue)
{
    const uint64_t seen = atomic_load_explicit(&queue->seen, memory_order_acquire);
    return seen > queue->completed ? seen : queue->completed;
}

// Not of events for other tasks alone: the host can't ask for them, though another task of their queue may have been seen to end.
static bool has_happened(const mez_event *event)
{
    if (mez_event_is_complete(event))
        return true;
    if (!(event->sort & MEZ_EVENT_DEVICE))
        return ZE_RESULT(zeEventHostSynchronize, event->ze, 0) == ZE_RESULT_SUCCESS;
    const mez_queue *queue = mez_event_is_of_queue(event) ? event->owner : NULL;
    return queue && event->task <= atomic_load_explicit(&queue->seen, memory_order_acquire);
}

// Goes on from `reached` as far as the events of tasks show: each one a task that has ended, and in order all before it.
static uint64_t follow_events(const mez_queue *queue, uint64_t reached)
{
    for (const mez_event *event = queue->references.signalled; event; event = event->next) {
        const bool unasked = queue->in_order && event->sort & MEZ_EVENT_DEVICE;
        if (event->task <= reached || unasked)
            continue;
        const bool next = queue->in_order || event->task == reached + 1;
        if (!next || !has_happened(event))
            break;
        reached = event->task;
    }
    return reached;
}

// Asks the driver, too, unless the queue is being destroyed. The caller holds the lock.
static uint64_t look_for_progress(mez_queue *queue)
{
    uint64_t known = known_progress(queue);
    if (mez_waiters_enter(&queue->waiters)) {
        const uint64_t looked = queue->ops->look(queue);
        known = looked > known ? looked : known;
        mez_waiters_leave(&queue->waiters);
    }
    return follow_events(queue, known);
}

// --- What a queue is at

typedef struct awaited {
    mez_event *events[MOST_AWAITED]; // referenced
    uint32_t count;
    uint32_t more;     // that found no room
    bool queue_itself; // what was submitted before the task, by events of the library's own
} awaited;

// The events that a task waits for and that have not happened. The caller holds the lock.
static void collect_awaited(const mez_queue *queue, uint64_t task, awaited *awaited)
{
    *awaited = (struct awaited){0};
    for (uint32_t i = 0; i < queue->references.count; i++) {
        const mez_awaited_event *kept = mez_task_references_at(&queue->references, i);
        if (kept->task != task || !kept->event || has_happened(kept->event))
            continue;
        if (!kept->event->source) {
            awaited->queue_itself = true;
            continue;
        }
        if (awaited->count == MOST_AWAITED) {
            awaited->more++;
            continue;
        }
        mez_event_ref(kept->event);
        awaited->events[awaited->count++] = kept->event;
    }
}

static void add_tasks(mez_text *text, uint64_t count)
{
    mez_text_add(text, "%llu task%s", (unsigned long long)count, count == 1 ? "" : "s");
}

static void add_awaited(const awaited *awaited, int depth, mez_text *text);

// One task that an event stands for: its queue is another one, or out of order.
static void add_task_of_event(const mez_event *event, int depth, mez_text *text)
{
    mez_queue *queue = event->owner;
    awaited awaited;
    mez_lock_take(&queue->lock);
    mez_queue_describe_task(queue, event->task, text);
    const uint64_t reached = follow_events(queue, known_progress(queue));
    collect_awaited(queue, event->task, &awaited);
    mez_lock_release(&queue->lock);
    mez_text_add(text, " of queue \"%s\"", queue->name);
    if (queue->in_order && event->task > reached + 1) {
        mez_text_add(text, ", behind ");
        add_tasks(text, event->task - reached - 1);
    }
    add_awaited(&awaited, depth - 1, text);
}

static void add_line(int depth, mez_text *text)
{
    mez_text_add(text, "\n%*s", 4 * (DEPTH - depth + 1), "");
}

// Lets the events go.
static void add_awaited(const awaited *awaited, int depth, mez_text *text)
{
    for (uint32_t i = 0; i < awaited->count; i++) {
        mez_event *event = awaited->events[i];
        if (depth > 0) {
            add_line(depth, text);
            mez_text_add(text, "it waits for ");
            if (mez_event_is_of_queue(event))
                add_task_of_event(event, depth, text);
            else
                mez_text_add(text, "a hand-signalled event of the application");
        }
        mez_event_unref(event);
    }
    if (depth > 0 && awaited->more > 0) {
        add_line(depth, text);
        mez_text_add(text, "and %u more", awaited->more);
    }
    if (depth > 0 && awaited->queue_itself) {
        add_line(depth, text);
        mez_text_add(text, "it waits for what its queue was given before it");
    }
}

static double seconds(uint64_t nanoseconds)
{
    return (double)nanoseconds / SECOND;
}

// How long the task has been there. The caller holds the lock.
static void add_age(const mez_queue *queue, uint64_t task, mez_text *text)
{
    const uint64_t now = mez_time_now();
    const mez_stall *stall = &queue->stall;
    bool exact;
    uint64_t since = mez_history_since(&queue->history, task, &exact);
    // Whoever waits has waited for this task or a later one, unless there has been progress.
    const bool waited_for = stall->since > 0 && stall->progress + 1 == task;
    if (!exact && waited_for && (since == 0 || stall->since < since))
        since = stall->since;
    if (since > 0 && since <= now)
        mez_text_add(text, ", for %s%.1f s", exact ? "" : "at least ", seconds(now - since));
}

// The oldest task, with its age. The caller holds the lock.
static void add_oldest(const mez_queue *queue, uint64_t oldest, mez_text *text)
{
    mez_history_describe(&queue->history, oldest, text);
    add_age(queue, oldest, text);
    mez_text_add(text, ", ");
    add_tasks(text, mez_queue_last_task(queue) - oldest);
    mez_text_add(text, " behind it");
}

static void describe(mez_queue *queue, mez_text *text)
{
    awaited awaited = {0};
    mez_text_add(text, "queue \"%s\" (%s, %s)", queue->name, queue->ops->name,
        queue->in_order ? "in order" : "out of order");
    mez_lock_take(&queue->lock);
    const uint64_t oldest = look_for_progress(queue) + 1;
    const bool idle = oldest > mez_queue_last_task(queue);
    if (!idle) {
        mez_text_add(text, ": the oldest task that is not known to have ended is ");
        add_oldest(queue, oldest, text);
        collect_awaited(queue, oldest, &awaited);
    }
    mez_lock_release(&queue->lock);
    if (idle && oldest == 1)
        mez_text_add(text, ": the device has been given no task");
    else if (idle)
        mez_text_add(text, ": all %llu tasks that the device was given have ended",
            (unsigned long long)oldest - 1);
    add_awaited(&awaited, DEPTH, text);
    mez_deferred_describe(queue, text);
    if (mez_platform_is_lost(queue->platform))
        mez_text_add(text, "\n    the device is lost");
}

size_t mez_queue_describe(mez_queue *queue, char *buffer, size_t size)
{
    mez_text text = {0};
    if (queue)
        describe(queue, &text);
    mez_bounded out = mez_bounded_begin(buffer, size);
    mez_bounded_add(&out, mez_text_get(&text), text.length);
    mez_text_finish(&text);
    return out.length;
}

// --- Stalls

static void restart(mez_stall *stall, uint64_t progress, uint64_t now)
{
    if (progress > stall->progress)
        stall->warned = false;
    stall->progress = progress;
    stall->since = now;
}

// True once for each stall. The caller holds the lock.
static bool has_stalled(mez_queue *queue, uint64_t now)
{
    mez_stall *stall = &queue->stall;
    const uint64_t after = queue->platform->stall_after, known = known_progress(queue);
    // Where nobody has looked for a while, it is not known since when.
    const bool unwatched = stall->since == 0 || now > stall->looked + after / 2;
    if (unwatched || known > stall->progress)
        restart(stall, known, now);
    stall->looked = now;
    if (stall->warned || now < stall->since + after)
        return false;
    const uint64_t reached = look_for_progress(queue);
    if (reached > stall->progress)
        restart(stall, reached, now);
    else
        stall->warned = true;
    return stall->warned;
}

void mez_queue_warn_of_stall(void *owner)
{
    mez_queue *queue = owner;
    mez_text text = {0};
    if (!mez_log_shows(MEZ_TOPIC_QUEUE, MEZ_LOG_WARN))
        return;
    describe(queue, &text);
    mez_log_write(MEZ_TOPIC_QUEUE, MEZ_LOG_WARN, "no progress for %.1f s: %s",
        seconds(queue->platform->stall_after), mez_text_get(&text));
    mez_text_finish(&text);
}

// A kernel may fail an assert long after it has stalled. The caller holds the lock.
static bool is_time_to_look_beside(mez_queue *queue, uint64_t now)
{
    mez_stall *stall = &queue->stall;
    if (!stall->warned || now < stall->beside + queue->platform->stall_after)
        return false;
    stall->beside = now;
    return true;
}

static mez_error look(void *owner, uint64_t now)
{
    mez_queue *queue = owner;
    MEZ_TRY(mez_platform_loss(queue->platform));
    MEZ_TRY(mez_queue_why_abandoned(queue));
    if (now == 0 || queue->platform->stall_after == 0 || !mez_lock_try(&queue->lock))
        return mez_ok();
    const bool stalled = has_stalled(queue, now), beside = is_time_to_look_beside(queue, now);
    mez_lock_release(&queue->lock);
    if (stalled)
        mez_queue_warn_of_stall(queue);
    return beside ? queue->hooks->look_beside(queue) : mez_ok();
}

// --- Lost devices

static mez_error add_where_it_was(mez_queue *queue, mez_error error)
{
    mez_text text = {0};
    mez_lock_take(&queue->lock);
    const uint64_t oldest = known_progress(queue) + 1;
    if (oldest <= mez_queue_last_task(queue))
        add_oldest(queue, oldest, &text);
    mez_lock_release(&queue->lock);
    error = mez_error_add(error, "queue", "\"%s\"", queue->name);
    if (text.length > 0)
        error = mez_error_add(error, "oldest task", "%s", mez_text_get(&text));
    mez_text_finish(&text);
    return error;
}

mez_error mez_queue_note_loss(mez_queue *queue, mez_error error)
{
    if (!mez_error_says_lost(error))
        return error;
    if (!mez_platform_is_lost(queue->platform))
        error = add_where_it_was(queue, error);
    return mez_platform_note_loss(queue->platform, error);
}

mez_error mez_queue_destroyed_early(const mez_queue *queue)
{
    const mez_error loss = mez_platform_loss(queue->platform);
    if (mez_failed(loss))
        return loss;
    return mez_error_make(
        MEZ_ERRC_DEVICE_LOST, "queue \"%s\" was destroyed before its tasks ran", queue->name);
}

static bool says_assert_failed(const mez_queue *queue, ze_result_t answer)
{
    return answer == ZE_NEWER_INTEL_RESULT_ASSERT_FAILED && queue->platform->caps.assert_code;
}

ze_result_t mez_queue_check_answer_code(
    mez_queue *queue, ze_result_t answer, uint64_t first_task, uint64_t last_task)
{
    if (!says_assert_failed(queue, answer))
        return answer;
    const mez_assert_functions *hooks = queue->platform->assert_functions;
    mez_queue_keep_error(queue, hooks->reported_by_driver(queue, first_task, last_task));
    return ZE_RESULT_SUCCESS;
}

static mez_error reported_by_driver(mez_queue *queue)
{
    mez_lock_take(&queue->lock);
    const uint64_t oldest = known_progress(queue) + 1;
    const mez_error error = queue->platform->assert_functions->reported_by_driver(
        queue, oldest, mez_queue_last_task(queue));
    mez_lock_release(&queue->lock);
    return error;
}

static mez_error failed(void *owner, mez_error error)
{
    mez_queue *queue = owner;
    const bool native = mez_error_get_category(error) == MEZ_CATEGORY_LEVEL_ZERO;
    return native && says_assert_failed(queue, (ze_result_t)error.value)
               ? reported_by_driver(queue)
               : mez_queue_note_loss(queue, error);
}

const mez_wait_guard mez_queue_guard = {.look = look, .failed = failed};
