// SPDX-License-Identifier: MIT

#include "follow.h"

#include <mezzanine/xpti_types.h>
#include <string.h>

#include "base/alloc.h"
#include "event.h"
#include "slices.h"
#include "strings.h"
#include "type_names.h"

struct trace_follow {
    const struct trace_memory *memory;
    uint64_t start;
    struct trace_picture *const *pictures;
    size_t picture_count;
    struct trace_nodes *nodes;
    uint64_t events, lost, damaged;
    size_t running; // nodes
    uint64_t arrows;
    struct trace_thread threads[TRACE_RINGS]; // the last one of each ring
    struct trace_slices slices[TRACE_RINGS];
    uint64_t last[TRACE_RINGS]; // no thread goes back in time
};

mez_error trace_follow_create(const struct trace_memory *memory, uint64_t start,
    struct trace_picture *const *pictures, size_t count, struct trace_follow **follow)
{
    struct trace_follow *made = mez_new(struct trace_follow);
    *follow = made;
    if (made)
        made->nodes = trace_nodes_create();
    if (!made || !made->nodes) {
        trace_follow_destroy(follow);
        return mez_error_no_memory("a trace");
    }
    made->memory = memory;
    made->start = start;
    made->pictures = pictures;
    made->picture_count = count;
    return mez_ok();
}

void trace_follow_destroy(struct trace_follow **follow)
{
    if (*follow)
        trace_nodes_destroy(&(*follow)->nodes);
    mez_free_memory(*follow);
    *follow = NULL;
}

static void emit(struct trace_follow *follow, const struct trace_event *event)
{
    for (size_t i = 0; i < follow->picture_count; i++)
        follow->pictures[i]->draw(follow->pictures[i], event);
}

static uint64_t thread_time(struct trace_follow *follow, int ring, uint64_t time)
{
    const uint64_t since = time > follow->start ? time - follow->start : 0;
    if (since > follow->last[ring])
        follow->last[ring] = since;
    return follow->last[ring];
}

// --- Slices

// As `end` says, or cut where that is NULL.
static void end_last(struct trace_follow *follow, const struct trace_thread *thread, uint64_t time,
    const struct trace_event *end)
{
    const struct trace_slice *slice = trace_slices_last(&follow->slices[thread->ring]);
    struct trace_event event = end ? *end : (struct trace_event){.file = "", .cut = true};
    event.kind = TRACE_END;
    event.stream = slice->stream;
    event.time = time;
    event.thread = thread;
    event.name = slice->name;
    event.what = trace_type_name(slice->type);
    event.begin = slice->begin;
    emit(follow, &event);
    trace_slices_pop(&follow->slices[thread->ring]);
}

static void end_all(struct trace_follow *follow, const struct trace_thread *thread, uint64_t time)
{
    while (trace_slices_last(&follow->slices[thread->ring]))
        end_last(follow, thread, time, NULL);
}

// No program nests that deeply: the ends of open slices were lost, and these would hide all that follows.
static void make_room(struct trace_follow *follow, const struct trace_thread *thread, uint64_t time)
{
    if (trace_slices_are_full(&follow->slices[thread->ring]))
        end_all(follow, thread, time);
}

static void begin(
    struct trace_follow *follow, const struct trace_event *event, const struct trace_record *record)
{
    const struct trace_slice slice = {
        .type = record->type,
        .stream = event->stream,
        .object = record->object,
        .instance = record->instance,
        .name = event->name,
        .begin = event->time,
    };
    make_room(follow, event->thread, event->time);
    trace_slices_push(&follow->slices[event->thread->ring], &slice);
    emit(follow, event);
}

// What was begun inside and has not ended was lost, or left by a jump.
static void end(
    struct trace_follow *follow, const struct trace_event *event, const struct trace_record *record)
{
    const struct trace_slices *slices = &follow->slices[event->thread->ring];
    for (size_t inner = trace_slices_above(slices, record); inner > 0; inner--)
        end_last(follow, event->thread, event->time, inner == 1 ? event : NULL);
}

// --- Commands

// Its end has not come, and will not.
static void cut_execution(struct trace_follow *follow, struct trace_node *node,
    const struct trace_thread *thread, uint64_t time)
{
    emit(follow, &(struct trace_event){
                     .kind = TRACE_EXECUTION,
                     .stream = TRACE_STREAM_EXECUTIONS,
                     .time = time,
                     .thread = thread,
                     .name = node->name,
                     .what = "execution",
                     .file = node->file,
                     .line = node->line,
                     .node = node,
                     .begin = node->submitted < time ? node->submitted : time,
                     .cut = true,
                 });
    node->running = false;
    follow->running--;
}

static void meet_node(
    struct trace_follow *follow, struct trace_event *event, const struct trace_record *record)
{
    struct trace_node *node = trace_nodes_place(follow->nodes, record->object);
    if (node->running) // the event of its end was lost
        cut_execution(follow, node, event->thread, event->time);
    trace_nodes_put(follow->nodes, node, follow->memory, record);
    node->process = event->thread->process;
    event->kind = TRACE_NODE;
    event->node = node;
    event->name = node->name;
    event->number = node->bytes;
    emit(follow, event);
}

static void meet_edge(
    struct trace_follow *follow, struct trace_event *event, const struct trace_record *record)
{
    event->kind = TRACE_EDGE;
    event->before = trace_nodes_find(follow->nodes, record->parent);
    event->node = trace_nodes_find(follow->nodes, record->instance);
    if (event->before && event->node)
        emit(follow, event);
}

// Programs of other runtimes do not report when devices end: then nothing can be joined.
static void submit(
    struct trace_follow *follow, struct trace_event *event, const struct trace_record *record)
{
    struct trace_node *node = trace_nodes_of(follow->nodes, record);
    if (!node || node->running ||
        !atomic_load_explicit(&follow->memory->head->executions, memory_order_relaxed))
        return;
    node->submitted = event->time;
    node->running = true;
    node->arrow = ++follow->arrows;
    follow->running++;
    event->kind = TRACE_SUBMIT;
    event->node = node;
    emit(follow, event);
}

static void executed(
    struct trace_follow *follow, struct trace_event *event, const struct trace_record *record)
{
    struct trace_node *node = trace_nodes_of(follow->nodes, record);
    if (!node)
        return;
    if (record->instance > follow->start && record->instance - follow->start < event->time)
        event->time = record->instance - follow->start;
    event->begin = record->number < event->time ? event->time - record->number : 0;
    if (event->begin <
        node->submitted) // as far as it was not measured, the program said it a moment before
        event->begin = node->submitted < event->time ? node->submitted : event->time;
    event->kind = TRACE_EXECUTION;
    event->name = node->name;
    event->file = node->file;
    event->line = node->line;
    event->measured = record->flags & TRACE_MEASURED;
    emit(follow, event);
    follow->running -= node->running;
    node->running = false;
}

static void end_running(struct trace_follow *follow, uint64_t time)
{
    for (size_t i = 0; follow->running > 0 && i < trace_nodes_count(); i++) {
        struct trace_node *node = trace_nodes_at(follow->nodes, i);
        if (node->running)
            cut_execution(follow, node, &follow->threads[0], time);
    }
}

// --- Records

static void route(
    struct trace_follow *follow, struct trace_event *event, const struct trace_record *record)
{
    const bool is_task = record->stream == TRACE_STREAM_TASKS;
    if (record->stream == TRACE_STREAM_EXECUTIONS && record->type == MEZ_XPTI_TASK_END)
        executed(follow, event, record);
    else if (record->stream == TRACE_STREAM_EXECUTIONS || record->type == MEZ_XPTI_SIGNAL)
        return; // the end reports both; what will report the end is already known
    else if (record->type == MEZ_XPTI_NODE_CREATE)
        meet_node(follow, event, record);
    else if (record->type == MEZ_XPTI_EDGE_CREATE)
        meet_edge(follow, event, record);
    else if (!trace_type_is_pair(record->type))
        emit(follow, event);
    else if (record->type & 1)
        end(follow, event, record);
    else
        begin(follow, event, record);
    if (is_task && record->type == MEZ_XPTI_TASK_BEGIN)
        submit(follow, event, record);
}

static void take_record(
    void *user, const struct trace_thread *thread, const struct trace_record *record)
{
    struct trace_follow *follow = user;
    follow->events++;
    follow->threads[thread->ring] = *thread;
    struct trace_event event = trace_event_of(follow->memory, follow->nodes, record);
    event.time = thread_time(follow, thread->ring, record->time);
    event.thread = thread;
    route(follow, &event, record);
}

// --- What is not there

static void take_loss(void *user, const struct trace_thread *thread, uint64_t time, uint64_t count)
{
    struct trace_follow *follow = user;
    follow->lost += count;
    emit(follow, &(struct trace_event){
                     .kind = TRACE_LOST,
                     .time = thread_time(follow, thread->ring, time),
                     .thread = thread,
                     .name = "events lost",
                     .what = "loss",
                     .file = "",
                     .number = count,
                 });
}

static void take_damage(void *user, const struct trace_thread *thread)
{
    struct trace_follow *follow = user;
    follow->damaged++;
    emit(follow, &(struct trace_event){
                     .kind = TRACE_LOST,
                     .time = follow->last[thread->ring],
                     .thread = thread,
                     .name = "the trace's memory was overwritten",
                     .what = "loss",
                     .file = "",
                 });
}

static void take_leave(void *user, const struct trace_thread *thread)
{
    struct trace_follow *follow = user;
    const uint64_t time = follow->last[thread->ring];
    end_all(follow, thread, time);
    emit(follow, &(struct trace_event){.kind = TRACE_GONE,
                     .time = time,
                     .thread = thread,
                     .name = "thread",
                     .what = "end",
                     .file = ""});
}

struct trace_sink trace_follow_sink(struct trace_follow *follow)
{
    return (struct trace_sink){
        .user = follow,
        .record = take_record,
        .lost = take_loss,
        .damaged = take_damage,
        .gone = take_leave,
    };
}

static uint64_t load(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

struct trace_ending trace_follow_end(struct trace_follow *follow, uint64_t now, const char *what)
{
    const uint64_t time = now > follow->start ? now - follow->start : 0;
    for (int i = 0; i < TRACE_RINGS; i++)
        if (trace_slices_last(&follow->slices[i]))
            end_all(follow, &follow->threads[i], thread_time(follow, i, now));
    end_running(follow, time);
    return (struct trace_ending){
        .what = what,
        .time = time,
        .events = follow->events,
        .lost = follow->lost,
        .lost_strings = load(&follow->memory->head->strings_lost),
        .lost_threads = load(&follow->memory->head->ringless),
        .damaged = follow->damaged,
    };
}
