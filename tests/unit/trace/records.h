// SPDX-License-Identifier: MIT
//
// A small memory, and threads that write records to it at times that the test chooses.

#ifndef TESTS_RECORDS_H
#define TESTS_RECORDS_H

#include <mezzanine/xpti_types.h>
#include <unistd.h>

#include "ring.h"
#include "strings.h"
#include "unit.h"

enum { SMALL_RING = 1024, LARGE_RING = 1 << 16 };

static inline struct trace_memory memory_of(size_t ring_words)
{
    struct trace_memory memory = {0};
    const int file = trace_memory_create(&memory, ring_words);
    assert_true(file >= 0);
    close(file);
    return memory;
}

static inline struct trace_memory small_memory(void)
{
    return memory_of(SMALL_RING);
}

static inline int make_memory(void **state)
{
    static struct trace_memory memory;
    memory = small_memory();
    *state = &memory;
    return 0;
}

static inline int drop_memory(void **state)
{
    trace_memory_finish(*state);
    return 0;
}

// As a thread with a name and number that are the same in every run.
static inline int claim_as(const struct trace_memory *memory, uint32_t thread, const char *name)
{
    const int ring = trace_ring_claim(memory);
    assert_true(ring >= 0);
    memory->rings[ring].process = 10;
    memory->rings[ring].thread = thread;
    snprintf(memory->rings[ring].name, sizeof memory->rings[ring].name, "%s", name);
    return ring;
}

// What a test says of a record; the rest is filled in.
struct said {
    uint64_t time, object, parent, instance, number;
    uint16_t type;
    enum trace_stream stream;
    uint16_t flags;
    const char *name, *file, *text;
    uint32_t line;
    // One value
    const char *key;
    enum trace_value_type value_type;
    const void *value;
    uint16_t value_size;
};

static inline void put_value(
    const struct trace_memory *memory, union trace_any_record *any, const struct said *said)
{
    const struct trace_value value = {
        .key = trace_string_intern(memory, said->key),
        .type = (uint16_t)said->value_type,
        .size = said->value_size,
    };
    memcpy(any->words + any->record.words, &value, sizeof value);
    memcpy(any->words + any->record.words + 1, said->value, said->value_size);
    any->record.words = (uint16_t)(any->record.words + 1 + (said->value_size + 7) / 8);
    any->record.values = 1;
}

static inline void say(const struct trace_memory *memory, int ring, struct said said)
{
    union trace_any_record any = {.record = {
                                      .time = said.time,
                                      .words = TRACE_RECORD_WORDS,
                                      .type = said.type,
                                      .stream = (uint8_t)said.stream,
                                      .flags = said.flags,
                                      .object = said.object,
                                      .parent = said.parent,
                                      .instance = said.instance,
                                      .number = said.number,
                                      .name = trace_string_intern(memory, said.name),
                                      .file = trace_string_intern(memory, said.file),
                                      .line = said.line,
                                      .text = trace_string_intern(memory, said.text),
                                  }};
    if (said.key)
        put_value(memory, &any, &said);
    trace_ring_push(memory, ring, &any.record);
}

// A record that says no more than a number, which is its time too. False: there was no room.
static inline bool push_number(const struct trace_memory *memory, int ring, uint64_t number)
{
    const uint64_t before = atomic_load(&memory->rings[ring].lost);
    say(memory, ring, (struct said){.time = number, .number = number});
    return atomic_load(&memory->rings[ring].lost) == before;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_memory, drop_memory)

#endif
