// SPDX-License-Identifier: MIT
//
// What a picture shows of the records in a memory, and records of commands and calls whose every time is known.

#ifndef TESTS_DRAWN_H
#define TESTS_DRAWN_H

#include <stdlib.h>

#include "follow.h"
#include "records.h"

enum { START = 1000 };

typedef mez_error make_picture(FILE *file, const char *name, struct trace_picture **picture);

// What the picture makes of all that is in the memory. To be freed.
static inline char *draw(const struct trace_memory *memory, make_picture *make, uint64_t now)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    struct trace_picture *picture;
    struct trace_follow *follow;
    struct trace_drain *drain;
    assert_non_null(file);
    assert_ok(make(file, "test", &picture));
    assert_ok(trace_follow_create(memory, START, &picture, 1, &follow));
    assert_ok(trace_drain_create(memory, &drain));
    const struct trace_sink sink = trace_follow_sink(follow);
    trace_drain_run(drain, now, now, &sink);
    const struct trace_ending ending = trace_follow_end(follow, now, "exited with 0");
    assert_ok(picture->finish(picture, &ending));
    trace_drain_destroy(&drain);
    trace_follow_destroy(&follow);
    picture->destroy(picture);
    fclose(file);
    return text;
}

static inline void expect_drawn(
    const struct trace_memory *memory, make_picture *make, uint64_t now, const char *expected)
{
    char *text = draw(memory, make, now);
    assert_string_equal(text, expected);
    free(text);
}

static inline void expect_part(
    const struct trace_memory *memory, make_picture *make, uint64_t now, const char *part)
{
    char *text = draw(memory, make, now);
    assert_contains(text, part);
    free(text);
}

// --- Two commands

enum { FIRST = 0x100, SECOND = 0x200, QUEUE = 3, END = START + 20000 };

static inline void report_node(
    const struct trace_memory *memory, int ring, uint64_t time, uint64_t node, const char *name)
{
    static const uint64_t queue = QUEUE;
    say(memory, ring,
        (struct said){.time = START + time,
            .type = MEZ_XPTI_NODE_CREATE,
            .object = node,
            .name = name,
            .file = "dir/saxpy.c",
            .line = 30,
            .text = "command_group_node",
            .key = "queue_id",
            .value_type = TRACE_VALUE_UNSIGNED,
            .value = &queue,
            .value_size = sizeof queue});
}

static inline void report_task(const struct trace_memory *memory, int ring, uint64_t begin,
    uint64_t end, uint64_t node, const char *name)
{
    struct said said = {.time = START + begin,
        .type = MEZ_XPTI_TASK_BEGIN,
        .object = node,
        .instance = 1,
        .name = name,
        .file = "dir/saxpy.c",
        .line = 30};
    say(memory, ring, said);
    said.time = START + end;
    said.type = MEZ_XPTI_TASK_END;
    say(memory, ring, said);
}

static inline void report_execution(const struct trace_memory *memory, int ring, uint64_t reported,
    uint64_t begin, uint64_t end, uint64_t node, const char *name)
{
    say(memory, ring,
        (struct said){.time = START + reported,
            .stream = TRACE_STREAM_EXECUTIONS,
            .type = MEZ_XPTI_TASK_END,
            .flags = TRACE_MEASURED,
            .object = node,
            .name = name,
            .file = "dir/saxpy.c",
            .line = 30,
            .instance = START + end,
            .number = end - begin});
}

// --- Calls

static inline struct said call(uint64_t time, uint16_t type, uint64_t instance)
{
    return (struct said){.time = START + time,
        .stream = TRACE_STREAM_CALLS,
        .type = type,
        .instance = instance,
        .text = instance == 1 ? "outer" : "inner"};
}

static inline unsigned count(const char *text, const char *part)
{
    unsigned found = 0;
    for (; (text = strstr(text, part)); text++)
        found++;
    return found;
}

#endif
