// SPDX-License-Identifier: MIT

#include "queue/stall.h"

#include "base/process.h"
#include "device/platform.h"

#define MOST_TASKS 8  // deferred ones that are named
#define MOST_EVENTS 8 // of a task
#define DEPTH 3       // of lines below the queue's own

// A task, or a queue with its oldest one, as it was while the queue's lock was held. Another queue's lock can't be taken meanwhile, so
// what the task waits for is described later.
typedef struct line {
    mez_text text;
    mez_event *events[MOST_EVENTS]; // that it waits for and that have not happened; referenced
    uint32_t count;
    uint32_t more;     // that found no room
    bool queue_itself; // it waits for what was submitted before it, by events of the library's own
} line;

static void note_event(line *line, mez_event *event)
{
    if (line->count == MOST_EVENTS) {
        line->more++;
        return;
    }
    mez_event_ref(event);
    line->events[line->count++] = event;
}

static void add_tasks(mez_text *text, uint64_t count)
{
    mez_text_add(text, "%llu task%s", (unsigned long long)count, count == 1 ? "" : "s");
}

// --- Tasks that the device has

// The caller holds the lock.
static void note_awaited(const mez_queue *queue, uint64_t task, line *line)
{
    for (uint32_t i = 0; i < queue->references.count; i++) {
        const mez_awaited_event *kept = mez_task_references_at(&queue->references, i);
        if (kept->task != task || !kept->event || mez_progress_has_happened(kept->event))
            continue;
        if (kept->event->source)
            note_event(line, kept->event);
        else
            line->queue_itself = true;
    }
}

// The caller holds the lock.
static void describe_task(const mez_queue *queue, uint64_t task, line *line)
{
    const uint64_t reached = mez_progress_follow(queue, mez_progress_known(queue));
    mez_queue_describe_task(queue, task, &line->text);
    mez_text_add(&line->text, " of queue \"%s\"", queue->name);
    if (queue->in_order && task > reached + 1) {
        mez_text_add(&line->text, ", behind ");
        add_tasks(&line->text, task - reached - 1);
    }
    note_awaited(queue, task, line);
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
        mez_text_add(
            text, ", for %s%.1f s", exact ? "" : "at least ", (double)(now - since) / 1000000000);
}

void mez_queue_describe_oldest(const mez_queue *queue, uint64_t oldest, mez_text *text)
{
    mez_history_describe(&queue->history, oldest, text);
    add_age(queue, oldest, text);
    mez_text_add(text, ", ");
    add_tasks(text, mez_queue_last_task(queue) - oldest);
    mez_text_add(text, " behind it");
}

// --- Deferred tasks

// Why a task that waits for no event is still there. The caller holds the lock.
static const char *why(const mez_queue *queue, const mez_task *task)
{
    if (task->runs)
        return ": its function is running";
    if (queue->deferred.first != task && !task->has_come_up)
        return ", behind the deferred tasks before it";
    return task->command->kind == MEZ_COMMAND_HOST ? ", behind tasks that the device has" : "";
}

// `of`: words behind the task's. The caller holds the lock.
static void describe_deferred(
    const mez_queue *queue, const mez_task *task, const char *of, line *line)
{
    const char *name = task->command->debug_name;
    if (name)
        mez_text_add(&line->text, "task \"%s\" (", name);
    else
        mez_text_add(&line->text, "a task (");
    mez_command_describe(task->command, &line->text);
    mez_text_add(&line->text, ")%s", of);
    for (uint32_t i = 0; i < task->wait_count; i++)
        if (!mez_event_is_complete(task->wait[i]))
            note_event(line, task->wait[i]);
    if (line->count == 0)
        mez_text_add(&line->text, "%s", why(queue, task));
}

// The one that signals the event; NULL: it is none of these. The caller holds the lock.
static const mez_task *find_deferred(const mez_queue *queue, const mez_event *event)
{
    const mez_task *task = queue->deferred.first;
    while (task && task->event != event)
        task = task->next;
    return task;
}

// --- Lines

static void begin_line(int depth, mez_text *text)
{
    mez_text_add(text, "\n%*s", 4 * depth, "");
}

static void add_line(line *line, int depth, mez_text *text);

static void add_task_of(const mez_event *event, int depth, mez_text *text)
{
    mez_queue *queue = event->owner;
    line line = {0};
    mez_text of = {0};
    mez_text_add(&of, " of queue \"%s\"", queue->name);
    mez_lock_take(&queue->lock);
    const mez_task *deferred = find_deferred(queue, event);
    if (deferred)
        describe_deferred(queue, deferred, mez_text_get(&of), &line);
    else
        describe_task(queue, event->task, &line);
    mez_lock_release(&queue->lock);
    mez_text_finish(&of);
    add_line(&line, depth, text);
}

static void add_event(const mez_event *event, int depth, mez_text *text)
{
    if (mez_event_is_of_queue(event))
        add_task_of(event, depth, text);
    else if (event->source->describe)
        event->source->describe(event->owner, event, text);
    else
        mez_text_add(text, "a hand-signalled event of the application");
}

// Lets the events go.
static void add_events(line *line, int depth, mez_text *text)
{
    for (uint32_t i = 0; i < line->count; i++) {
        if (depth <= DEPTH) {
            begin_line(depth, text);
            mez_text_add(text, "it waits for ");
            add_event(line->events[i], depth, text);
        }
        mez_event_unref(line->events[i]);
    }
    if (depth <= DEPTH && line->more > 0) {
        begin_line(depth, text);
        mez_text_add(text, "and for %u more events", line->more);
    }
    if (depth <= DEPTH && line->queue_itself) {
        begin_line(depth, text);
        mez_text_add(text, "it waits for what its queue was given before it");
    }
}

// Finishes the line, and adds lines for what it waits for.
static void add_line(line *line, int depth, mez_text *text)
{
    mez_text_add(text, "%-s", mez_text_get(&line->text));
    mez_text_finish(&line->text);
    add_events(line, depth + 1, text);
}

static void add_deferred(mez_queue *queue, mez_text *text)
{
    line lines[MOST_TASKS] = {0};
    uint64_t count = 0;
    mez_lock_take(&queue->lock);
    for (const mez_task *task = queue->deferred.first; task; task = task->next)
        if (count++ < MOST_TASKS)
            describe_deferred(queue, task, "", &lines[count - 1]);
    mez_lock_release(&queue->lock);
    if (count == 0)
        return;
    begin_line(1, text);
    mez_text_add(text, "%llu task%s deferred, which the device has not been given yet",
        (unsigned long long)count, count == 1 ? " is" : "s are");
    for (uint64_t i = 0; i < count && i < MOST_TASKS; i++) {
        begin_line(1, text);
        add_line(&lines[i], 1, text);
    }
    if (count > MOST_TASKS) {
        begin_line(1, text);
        mez_text_add(text, "and %llu more", (unsigned long long)(count - MOST_TASKS));
    }
}

static void describe_queue(mez_queue *queue, line *line)
{
    mez_text *text = &line->text;
    mez_text_add(text, "queue \"%s\" (%s, %s)", queue->name, queue->ops->name,
        queue->in_order ? "in order" : "out of order");
    mez_lock_take(&queue->lock);
    const uint64_t oldest = mez_progress_look(queue) + 1;
    if (oldest <= mez_queue_last_task(queue)) {
        mez_text_add(text, ": the oldest task that is not known to have ended is ");
        mez_queue_describe_oldest(queue, oldest, text);
        note_awaited(queue, oldest, line);
    } else if (oldest == 1) {
        mez_text_add(text, ": the device has been given no task");
    } else {
        mez_text_add(text, ": all %llu tasks that the device was given have ended",
            (unsigned long long)oldest - 1);
    }
    mez_lock_release(&queue->lock);
}

void mez_queue_describe_to(mez_queue *queue, mez_text *text)
{
    line line = {0};
    describe_queue(queue, &line);
    add_line(&line, 0, text);
    add_deferred(queue, text);
    if (mez_platform_is_lost(queue->platform))
        mez_text_add(text, "\n    the device is lost");
}

size_t mez_queue_describe(mez_queue *queue, char *buffer, size_t size)
{
    mez_text text = {0};
    if (queue && mez_process_is_closed())
        mez_text_add(&text, "queue \"%s\": there is no driver any more", queue->name);
    else if (queue)
        mez_queue_describe_to(queue, &text);
    mez_bounded out = mez_bounded_begin(buffer, size);
    mez_bounded_add(&out, mez_text_get(&text), text.length);
    mez_text_finish(&text);
    return out.length;
}
