// SPDX-License-Identifier: MIT
//
// Deferred tasks in words: which they are, and what each waits for.

#include "queue/deferred.h"

#include "queue/queue.h"
#include "queue/stall.h"

#define MOST_TASKS 8  // of a queue that are named
#define MOST_EVENTS 4 // of a task
#define DEPTH 3       // of lines: a task, what it waits for, and what that task waits for

// A task as it was while its queue's lock was held. Another queue's lock can't be taken meanwhile, so its events are described later.
typedef struct line {
    mez_text text;
    mez_event *events[MOST_EVENTS]; // that have not happened; referenced
    uint32_t count;
    uint32_t more; // that found no room
} line;

static void collect_events(const mez_task *task, line *line)
{
    for (uint32_t i = 0; i < task->wait_count; i++) {
        mez_event *event = task->wait[i];
        if (mez_event_is_complete(event))
            continue;
        if (line->count == MOST_EVENTS) {
            line->more++;
            continue;
        }
        mez_event_ref(event);
        line->events[line->count++] = event;
    }
}

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
static void describe_task(const mez_queue *queue, const mez_task *task, const char *of, line *line)
{
    const char *name = task->command->debug_name;
    if (name)
        mez_text_add(&line->text, "task \"%s\" (", name);
    else
        mez_text_add(&line->text, "a task (");
    mez_command_describe(task->command, &line->text);
    mez_text_add(&line->text, ")%s", of);
    collect_events(task, line);
    if (line->count == 0)
        mez_text_add(&line->text, "%s", why(queue, task));
}

static void begin_line(int depth, mez_text *text)
{
    mez_text_add(text, "\n%*s", 4 * depth, "");
}

static void add_line(line *line, int depth, mez_text *text);

// The task that signals the event: a deferred one, or one that the device has.
static void add_task_of(const mez_event *event, int depth, mez_text *text)
{
    mez_queue *queue = event->owner;
    line line = {0};
    mez_text of = {0};
    mez_text_add(&of, " of queue \"%s\"", queue->name);
    mez_lock_take(&queue->lock);
    const mez_task *task = queue->deferred.first;
    while (task && task->event != event)
        task = task->next;
    if (task) {
        describe_task(queue, task, mez_text_get(&of), &line);
    } else {
        mez_queue_describe_task(queue, event->task, &line.text);
        mez_text_add(&line.text, "%s", mez_text_get(&of));
    }
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

// Finishes the line.
static void add_line(line *line, int depth, mez_text *text)
{
    mez_text_add(text, "%s", mez_text_get(&line->text));
    mez_text_finish(&line->text);
    for (uint32_t i = 0; i < line->count; i++) {
        if (depth < DEPTH) {
            begin_line(depth + 1, text);
            mez_text_add(text, "it waits for ");
            add_event(line->events[i], depth + 1, text);
        }
        mez_event_unref(line->events[i]);
    }
    if (depth < DEPTH && line->more > 0) {
        begin_line(depth + 1, text);
        mez_text_add(text, "and for %u more events", line->more);
    }
}

void mez_deferred_describe(mez_queue *queue, mez_text *text)
{
    line lines[MOST_TASKS] = {0};
    uint64_t count = 0;
    mez_lock_take(&queue->lock);
    for (const mez_task *task = queue->deferred.first; task; task = task->next)
        if (count++ < MOST_TASKS)
            describe_task(queue, task, "", &lines[count - 1]);
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
