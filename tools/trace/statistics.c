// SPDX-License-Identifier: MIT
//
// How long what took, in sum: commands on devices, how long queues were idle, and what threads of the program did.

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "picture.h"
#include "table.h"

enum { MOST_QUEUES = 256 };

struct queue {
    uint32_t process;
    uint64_t id;
    uint64_t first, until; // from the first begin to the last end
    uint64_t idle;         // within
    uint64_t commands;
};

struct statistics {
    struct trace_picture picture;
    FILE *file;
    char *name;
    struct trace_table commands;
    struct trace_table host;
    struct queue queues[MOST_QUEUES];
    unsigned queue_count;
    uint64_t unmeasured;
    uint64_t of_other_queues; // commands
};

// --- Queues

static struct queue *find_queue(struct statistics *statistics, uint32_t process, uint64_t id)
{
    struct queue *const queues = statistics->queues;
    for (unsigned i = 0; i < statistics->queue_count; i++)
        if (queues[i].process == process && queues[i].id == id)
            return &queues[i];
    if (statistics->queue_count == MOST_QUEUES)
        return NULL;
    struct queue *queue = &queues[statistics->queue_count++];
    *queue = (struct queue){.process = process, .id = id};
    return queue;
}

// Ends come in the order of time, or nearly: what began before the last end leaves no gap.
static void use_queue(struct queue *queue, uint64_t begin, uint64_t end)
{
    if (queue->commands++ == 0) {
        queue->first = begin;
        queue->until = begin;
    }
    if (begin > queue->until)
        queue->idle += begin - queue->until;
    if (end > queue->until)
        queue->until = end;
}

static void print_queues(const struct statistics *statistics)
{
    if (statistics->queue_count == 0)
        return;
    mez_print(statistics->file, "queues, in us\n%10s %12s %12s %8s  %s\n", "commands", "in use",
        "idle", "idle %", "queue");
    for (unsigned i = 0; i < statistics->queue_count; i++) {
        const struct queue *queue = &statistics->queues[i];
        const uint64_t span = queue->until - queue->first;
        mez_print(statistics->file, "%10" PRIu64 " %12.3f %12.3f %8.1f  queue %" PRIu64 "\n",
            queue->commands, (double)(span - queue->idle) / 1e3, (double)queue->idle / 1e3,
            span ? 100.0 * (double)queue->idle / (double)span : 0.0, queue->id);
    }
    if (statistics->of_other_queues)
        mez_print(statistics->file, "%10" PRIu64 " more in queues after the first %d\n",
            statistics->of_other_queues, MOST_QUEUES);
    fputc('\n', statistics->file);
}

// --- Events

// Memory commands and waits are named with an address, "Copy[0x7f80]": those are of one kind here.
static int kind_length(const char *name)
{
    const char *address = strstr(name, "[0x");
    return address ? (int)(address - name) : (int)strlen(name);
}

static void take_execution(struct statistics *statistics, const struct trace_event *event)
{
    const struct trace_node *node = event->node;
    char name[256];
    snprintf(name, sizeof name, "%.*s", kind_length(event->name), event->name);
    trace_table_add(&statistics->commands, name, event->time - event->begin, node->bytes);
    statistics->unmeasured += !event->measured;
    struct queue *queue = find_queue(statistics, node->process, node->has_queue ? node->queue : 0);
    if (queue)
        use_queue(queue, event->begin, event->time);
    statistics->of_other_queues += !queue;
}

static void take_end(struct statistics *statistics, const struct trace_event *event)
{
    char name[256];
    const bool is_call =
        event->stream == TRACE_STREAM_CALLS || event->stream == TRACE_STREAM_DRIVER;
    if (is_call || strcmp(event->what, event->name) == 0)
        snprintf(name, sizeof name, "%s", event->name);
    else
        snprintf(name, sizeof name, "%s %.*s", event->what, kind_length(event->name), event->name);
    trace_table_add(&statistics->host, name, event->time - event->begin, event->number);
}

static void draw(struct trace_picture *picture, const struct trace_event *event)
{
    struct statistics *statistics = (struct statistics *)picture;
    if (event->kind == TRACE_EXECUTION)
        take_execution(statistics, event);
    else if (event->kind == TRACE_END)
        take_end(statistics, event);
}

static mez_error finish(struct trace_picture *picture, const struct trace_ending *ending)
{
    struct statistics *statistics = (struct statistics *)picture;
    trace_table_print(&statistics->commands, statistics->file, "commands on devices");
    if (statistics->unmeasured)
        mez_print(statistics->file,
            "%" PRIu64
            " of these times begin at the submission: only queues with profiling measure\n\n",
            statistics->unmeasured);
    print_queues(statistics);
    trace_table_print(&statistics->host, statistics->file, "threads of the program");
    mez_print(statistics->file, "%" PRIu64 " events in %.6f s; %s\n", ending->events,
        (double)ending->time / 1e9, ending->what);
    trace_print_losses(statistics->file, ending);
    return trace_picture_flush(statistics->file, statistics->name);
}

static void destroy(struct trace_picture *picture)
{
    struct statistics *statistics = (struct statistics *)picture;
    trace_table_finish(&statistics->commands);
    trace_table_finish(&statistics->host);
    mez_free_memory(statistics->name);
    mez_free_memory(statistics);
}

mez_error trace_statistics_create(FILE *file, const char *name, struct trace_picture **picture)
{
    struct statistics *statistics = mez_new(struct statistics);
    *picture = NULL;
    if (!statistics || !(statistics->name = mez_copy_string(name))) {
        mez_free_memory(statistics);
        return mez_error_no_memory(name);
    }
    statistics->picture =
        (struct trace_picture){.draw = draw, .finish = finish, .destroy = destroy};
    statistics->file = file;
    *picture = &statistics->picture;
    return mez_ok();
}
