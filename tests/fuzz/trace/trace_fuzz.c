// SPDX-License-Identifier: MIT
//
// Fuzz target of what reads a trace's memory: whatever a program has left there, the pictures are whole. The first byte chooses how
// much of the input are strings; these and the records are put where a recorder would have written them. Strict readers look at what
// comes out. Linked with replay.c instead of libFuzzer it replays the files it is given.

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yajl/yajl_parse.h>

#include "follow.h"

enum { RING = 4096, STRINGS = 4096, PICTURES = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

// One memory for all inputs.
static const struct trace_memory *open_memory(void)
{
    static struct trace_memory memory;
    if (!memory.head) {
        const int file = trace_memory_create(&memory, RING);
        require(file >= 0);
        close(file);
    }
    memset(memory.rings, 0, 2 * sizeof *memory.rings);
    memset(memory.strings, 0, STRINGS + 1);
    memset(trace_ring_words(&memory, 0), 0, 2 * RING * sizeof(uint64_t));
    return &memory;
}

// The first ring takes what is complete, the second, which says that it has left, a copy that begins one word later.
static void fill(const struct trace_memory *memory, const uint8_t *bytes, size_t size)
{
    const size_t strings = size * bytes[0] / 256;
    const size_t most = strings < STRINGS ? strings : STRINGS;
    memcpy(memory->strings + 1, bytes, most);
    size_t words = (size - most) / sizeof(uint64_t);
    if (words > RING)
        words = RING;
    memcpy(trace_ring_words(memory, 0), bytes + most, words * sizeof(uint64_t));
    atomic_store(&memory->rings[0].head, words);
    atomic_store(&memory->head->executions, bytes[0] & 1);
    if (words > 1) {
        memcpy(trace_ring_words(memory, 1), bytes + most + 8, (words - 1) * sizeof(uint64_t));
        atomic_store(&memory->rings[1].head, words - 1);
        atomic_store(&memory->rings[1].state, TRACE_RING_LEFT);
    }
}

struct output {
    char *text;
    size_t size;
    FILE *file;
};

static void follow(const struct trace_memory *memory, struct trace_picture **pictures)
{
    struct trace_follow *made;
    struct trace_drain *drain;
    require(!mez_failed(trace_follow_create(memory, 1, pictures, PICTURES, &made)));
    require(!mez_failed(trace_drain_create(memory, &drain)));
    const struct trace_sink sink = trace_follow_sink(made);
    trace_drain_run(drain, UINT64_MAX / 2, UINT64_MAX / 4, &sink);
    trace_drain_run(drain, UINT64_MAX / 2, UINT64_MAX / 2, &sink);
    const struct trace_ending ending = trace_follow_end(made, UINT64_MAX / 2, "exited with 0");
    for (int i = 0; i < PICTURES; i++)
        require(!mez_failed(pictures[i]->finish(pictures[i], &ending)));
    trace_drain_destroy(&drain);
    trace_follow_destroy(&made);
}

static void check_json(const struct output *output)
{
    const yajl_handle parser = yajl_alloc(NULL, NULL, NULL);
    require(
        yajl_parse(parser, (const unsigned char *)output->text, output->size) == yajl_status_ok);
    require(yajl_complete_parse(parser) == yajl_status_ok);
    yajl_free(parser);
}

// One graph: nothing that the program says gets out of its string.
static void check_dot(const struct output *output)
{
    bool quoted = false;
    size_t opened = 0, closed = 0;
    for (const char *at = output->text; *at; at++) {
        require((unsigned char)*at >= ' ' || (!quoted && strchr("\n\t", *at)));
        if (quoted && *at == '\\') {
            require(*++at != '\0');
            continue;
        }
        quoted ^= *at == '"';
        opened += !quoted && *at == '{';
        closed += !quoted && *at == '}';
    }
    require(!quoted && opened == 1 && closed == 1);
    require(strcmp(output->text + output->size - 4, ";\n}\n") == 0);
}

static void draw(const struct trace_memory *memory, struct output outputs[PICTURES])
{
    struct trace_picture *pictures[PICTURES];
    for (int i = 0; i < PICTURES; i++)
        require((outputs[i].file = open_memstream(&outputs[i].text, &outputs[i].size)) != NULL);
    require(!mez_failed(trace_timeline_create(outputs[0].file, "json", &pictures[0])));
    require(!mez_failed(trace_graph_create(outputs[1].file, "dot", false, &pictures[1])));
    require(!mez_failed(trace_statistics_create(outputs[2].file, "stats", &pictures[2])));
    require(!mez_failed(trace_text_create(outputs[3].file, "text", &pictures[3])));
    follow(memory, pictures);
    for (int i = 0; i < PICTURES; i++) {
        pictures[i]->destroy(pictures[i]);
        fclose(outputs[i].file);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct output outputs[PICTURES] = {0};
    const struct trace_memory *memory = open_memory();
    if (size < 1)
        return 0;
    fill(memory, bytes, size);
    draw(memory, outputs);
    check_json(&outputs[0]);
    check_dot(&outputs[1]);
    for (int i = 0; i < PICTURES; i++)
        free(outputs[i].text);
    return 0;
}
