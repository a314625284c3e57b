// SPDX-License-Identifier: MIT
//
// The timeline as Chrome and Perfetto read it: one object, whose array of events is written while the program runs. Threads have
// the begins and ends of what they did, each lane of a queue what the device ran, and arrows lead from a submission to its
// execution. Times are microseconds.

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/json.h"
#include "lanes.h"
#include "picture.h"

// Thread numbers of lanes begin above those that the system gives.
#define FIRST_LANE UINT64_C(1000000000)

struct timeline {
    struct trace_picture picture;
    FILE *file;
    char *name;
    mez_json json;
    uint32_t named[TRACE_RINGS]; // the thread whose name is written; 0: none
    struct trace_lanes lanes;
};

static const char *const stream_names[TRACE_STREAM_COUNT] = {
    [TRACE_STREAM_TASKS] = "tasks",
    [TRACE_STREAM_MEMORY] = "memory",
    [TRACE_STREAM_EXECUTIONS] = "device",
    [TRACE_STREAM_CALLS] = "mezzanine",
    [TRACE_STREAM_DRIVER] = "level_zero",
    [TRACE_STREAM_OTHER] = "application",
};

// --- Records

static void open_record(
    mez_json *json, const char *phase, uint32_t process, uint64_t thread, uint64_t time)
{
    mez_json_open(json, NULL, '{');
    mez_json_string(json, "ph", phase);
    mez_json_number(json, "pid", process);
    mez_json_number(json, "tid", thread);
    mez_json_thousandths(json, "ts", time);
}

static void put_name_record(
    mez_json *json, const char *sort, uint32_t process, uint64_t thread, const char *name)
{
    open_record(json, "M", process, thread, 0);
    mez_json_string(json, "name", sort);
    mez_json_open(json, "args", '{');
    mez_json_string(json, "name", name);
    mez_json_close(json, '}');
    mez_json_close(json, '}');
}

static void name_thread(struct timeline *timeline, const struct trace_thread *thread)
{
    if (!thread->thread || timeline->named[thread->ring] == thread->thread)
        return;
    timeline->named[thread->ring] = thread->thread;
    put_name_record(&timeline->json, "thread_name", thread->process, thread->thread, thread->name);
}

static void put_arguments(mez_json *json, const struct trace_event *event)
{
    char text[1024];
    if (!event->argument_names)
        return;
    trace_print_arguments(event, text, sizeof text);
    mez_json_string(json, "arguments", text);
}

static void put_place(mez_json *json, const struct trace_event *event)
{
    char place[1024];
    if (!*event->file)
        return;
    snprintf(place, sizeof place, "%s:%" PRIu32, event->file, event->line);
    mez_json_string(json, "source", place);
}

static void put_sizes(mez_json *json, const char *key, const uint64_t sizes[3])
{
    char text[80];
    if (!sizes[0])
        return;
    snprintf(
        text, sizeof text, "%" PRIu64 " x %" PRIu64 " x %" PRIu64, sizes[0], sizes[1], sizes[2]);
    mez_json_string(json, key, text);
}

static void put_node(mez_json *json, const struct trace_node *node)
{
    mez_json_number(json, "command", node->serial);
    if (node->has_queue)
        mez_json_number(json, "queue", node->queue);
    if (*node->device)
        mez_json_string(json, "device", node->device);
    if (node->bytes)
        mez_json_number(json, "bytes", node->bytes);
    put_sizes(json, "global_size", node->global_size);
    put_sizes(json, "local_size", node->local_size);
    if (*node->caller)
        mez_json_string(json, "caller", node->caller);
    if (node->arguments)
        mez_json_string(json, "kernel_arguments", node->arguments);
}

static void put_details(mez_json *json, const struct trace_event *event)
{
    mez_json_open(json, "args", '{');
    put_place(json, event);
    put_arguments(json, event);
    if (event->number && (event->kind != TRACE_EXECUTION))
        mez_json_number(json, event->kind == TRACE_LOST ? "events" : "bytes", event->number);
    if (event->node && event->stream != TRACE_STREAM_DRIVER)
        put_node(json, event->node);
    if (event->result && *event->result)
        mez_json_string(json, "result", event->result);
    if (event->failed)
        mez_json_bool(json, "failed", true);
    if (event->cut)
        mez_json_bool(json, "cut", true);
    if (event->kind == TRACE_EXECUTION && !event->measured)
        mez_json_bool(json, "measured", false);
    mez_json_close(json, '}');
}

static void put_event(struct timeline *timeline, const char *phase, const struct trace_event *event)
{
    mez_json *json = &timeline->json;
    name_thread(timeline, event->thread);
    open_record(json, phase, event->thread->process, event->thread->thread, event->time);
    mez_json_string(json, "name", event->name);
    mez_json_string(json, "cat", stream_names[event->stream]);
    if (*phase == 'i')
        mez_json_string(json, "s", "t");
    put_details(json, event);
    mez_json_close(json, '}');
}

// --- Devices

static void put_arrow(mez_json *json, const char *phase, uint32_t process, uint64_t thread,
    uint64_t time, const struct trace_node *node)
{
    open_record(json, phase, process, thread, time);
    mez_json_string(json, "name", "execution");
    mez_json_string(json, "cat", "submission");
    mez_json_number(json, "id", node->arrow);
    if (*phase == 'f')
        mez_json_string(json, "bp", "e");
    mez_json_close(json, '}');
}

static void name_lane(
    mez_json *json, const struct trace_lane *lane, uint64_t thread, const struct trace_node *node)
{
    char name[256];
    snprintf(name, sizeof name, "queue %" PRIu64 "%s%s", lane->queue, *node->device ? " on " : "",
        node->device);
    put_name_record(json, "thread_name", lane->process, thread, name);
}

// What nobody has measured is grey where the viewer lets us choose, and has a category of its own, to be searched for or hidden.
static void put_looks(mez_json *json, const struct trace_event *event)
{
    mez_json_string(
        json, "cat", event->measured ? stream_names[TRACE_STREAM_EXECUTIONS] : "device,unmeasured");
    if (!event->measured)
        mez_json_string(json, "cname", "grey");
}

static void put_execution(struct timeline *timeline, const struct trace_event *event)
{
    const struct trace_node *node = event->node;
    mez_json *json = &timeline->json;
    bool is_new;
    uint64_t begin = event->begin;
    const struct trace_lane *lane = trace_lanes_find(&timeline->lanes, node->process,
        node->has_queue ? node->queue : 0, &begin, event->time, &is_new);
    const uint64_t thread = FIRST_LANE + lane->number;
    if (is_new)
        name_lane(json, lane, thread, node);
    open_record(json, "X", lane->process, thread, begin);
    mez_json_thousandths(json, "dur", event->time > begin ? event->time - begin : 0);
    mez_json_string(json, "name", event->name);
    put_looks(json, event);
    put_details(json, event);
    mez_json_close(json, '}');
    if (node->running)
        put_arrow(json, "f", lane->process, thread, begin, node);
}

static void draw(struct trace_picture *picture, const struct trace_event *event)
{
    struct timeline *timeline = (struct timeline *)picture;
    switch (event->kind) {
    case TRACE_BEGIN:
        put_event(timeline, "B", event);
        break;
    case TRACE_END:
        put_event(timeline, "E", event);
        break;
    case TRACE_INSTANT:
    case TRACE_LOST:
        put_event(timeline, "i", event);
        break;
    case TRACE_SUBMIT:
        put_arrow(&timeline->json, "s", event->thread->process, event->thread->thread, event->time,
            event->node);
        break;
    case TRACE_EXECUTION:
        put_execution(timeline, event);
        break;
    case TRACE_NODE:
    case TRACE_EDGE:
        break; // the graph has them
    case TRACE_GONE:
        timeline->named[event->thread->ring] = 0;
        break;
    }
}

// --- Begin and end

static mez_error finish(struct trace_picture *picture, const struct trace_ending *ending)
{
    struct timeline *timeline = (struct timeline *)picture;
    mez_json *json = &timeline->json;
    open_record(json, "i", 0, 0, ending->time);
    mez_json_string(json, "s", "g");
    mez_json_string(json, "name", ending->what);
    mez_json_string(json, "cat", "end");
    mez_json_close(json, '}');
    mez_json_close(json, ']');
    mez_json_open(json, "otherData", '{');
    mez_json_string(json, "ended", ending->what);
    mez_json_number(json, "events", ending->events);
    mez_json_number(json, "events_lost", ending->lost + ending->lost_threads);
    mez_json_number(json, "names_lost", ending->lost_strings);
    mez_json_number(json, "rings_damaged", ending->damaged);
    mez_json_number(json, "processes_going_on", ending->going_on);
    mez_json_close(json, '}');
    mez_json_close(json, '}');
    fputc('\n', timeline->file);
    return trace_picture_flush(timeline->file, timeline->name);
}

static void destroy(struct trace_picture *picture)
{
    struct timeline *timeline = (struct timeline *)picture;
    mez_free_memory(timeline->name);
    mez_free_memory(timeline);
}

static void begin(mez_json *json)
{
    mez_json_open(json, NULL, '{');
    mez_json_string(json, "displayTimeUnit", "ns");
    mez_json_open(json, "traceEvents", '[');
}

mez_error trace_timeline_create(FILE *file, const char *name, struct trace_picture **picture)
{
    struct timeline *timeline = mez_new(struct timeline);
    *picture = NULL;
    if (!timeline)
        return mez_error_no_memory(name);
    timeline->picture = (struct trace_picture){.draw = draw, .finish = finish, .destroy = destroy};
    timeline->file = file;
    timeline->name = mez_copy_string(name);
    timeline->json = (mez_json){.stream = file, .one_line = true};
    if (!timeline->name) {
        destroy(&timeline->picture);
        return mez_error_no_memory(name);
    }
    begin(&timeline->json);
    *picture = &timeline->picture;
    return mez_ok();
}
