// SPDX-License-Identifier: MIT

#include "queue/stall.h"

#include <errno.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/environment.h"
#include "device/platform.h"
#include "queue/slow.h"

#define DEFAULT_SECONDS 10
#define MOST_SECONDS 1000000 // base/environment.def has it for users
#define SECOND 1000000000u   // ns

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
    const uint64_t after = queue->platform->stall_after, known = mez_progress_known(queue);
    // Where nobody has looked for a while, it is not known since when.
    const bool unwatched = stall->since == 0 || now > stall->looked + after / 2;
    if (unwatched || known > stall->progress)
        restart(stall, known, now);
    stall->looked = now;
    if (stall->warned || now < stall->since + after)
        return false;
    const uint64_t reached = mez_progress_look(queue);
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
    mez_queue_describe_to(queue, &text);
    mez_log_write(MEZ_TOPIC_QUEUE, MEZ_LOG_WARN, "no progress for %.1f s: %-s",
        (double)queue->platform->stall_after / SECOND, mez_text_get(&text));
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
    const uint64_t oldest = mez_progress_known(queue) + 1;
    if (oldest <= mez_queue_last_task(queue))
        mez_queue_describe_oldest(queue, oldest, &text);
    mez_lock_release(&queue->lock);
    error = mez_error_add(error, "queue", "\"%s\"", queue->name);
    if (text.length > 0)
        error = mez_error_add(error, "oldest task", "%-s", mez_text_get(&text));
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
    const uint64_t oldest = mez_progress_known(queue) + 1;
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
