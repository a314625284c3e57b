// SPDX-License-Identifier: MIT
//
// Rings and strings: nothing is lost that has room, what has none is counted, and what a program overwrites does no harm.

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

#include "records.h"

static uint64_t read_number(
    const struct trace_memory *memory, int ring, struct trace_ring_reader *reader)
{
    union trace_any_record record;
    const enum trace_reading reading = trace_ring_read(memory, ring, reader, &record);
    assert_int_equal(reading, TRACE_READ_ONE);
    return record.record.number;
}

static bool is_empty(const struct trace_memory *memory, int ring, struct trace_ring_reader *reader)
{
    union trace_any_record record;
    return trace_ring_read(memory, ring, reader, &record) == TRACE_READ_NONE;
}

// Records of nine words do not fit a power of two evenly, so one of them lies across the end.
static void records_come_out_in_order_around_the_end(void **state)
{
    const struct trace_memory *memory = *state;
    struct trace_ring_reader reader = {0};
    const int ring = trace_ring_claim(memory);
    const uint64_t value = 7;
    for (uint64_t i = 0; i < 5 * SMALL_RING; i++) {
        say(memory, ring,
            (struct said){.number = i, .key = "k", .value = &value, .value_size = sizeof value});
        assert_int_equal(read_number(memory, ring, &reader), i);
    }
    assert_true(is_empty(memory, ring, &reader));
}

static void a_full_ring_counts_what_it_drops_and_goes_on(void **state)
{
    const struct trace_memory *memory = *state;
    struct trace_ring_reader reader = {0};
    const int ring = trace_ring_claim(memory);
    const uint64_t most = SMALL_RING / TRACE_RECORD_WORDS;
    for (uint64_t i = 0; i < most; i++)
        assert_true(push_number(memory, ring, i));
    assert_false(push_number(memory, ring, 1000));
    assert_false(push_number(memory, ring, 1001));
    assert_int_equal(read_number(memory, ring, &reader), 0);
    assert_true(push_number(memory, ring, most));
    for (uint64_t i = 1; i <= most; i++)
        assert_int_equal(read_number(memory, ring, &reader), i);
    assert_int_equal(trace_ring_new_losses(memory, ring, &reader), 2);
    assert_int_equal(trace_ring_new_losses(memory, ring, &reader), 0);
}

static void a_ring_goes_to_the_next_thread_once_it_is_read(void **state)
{
    const struct trace_memory *memory = *state;
    struct trace_ring_reader reader = {0};
    const int ring = trace_ring_claim(memory);
    push_number(memory, ring, 1);
    trace_ring_leave(memory, ring);
    assert_false(trace_ring_recycle(memory, ring, &reader)); // not read yet
    assert_int_not_equal(trace_ring_claim(memory), ring);
    assert_int_equal(read_number(memory, ring, &reader), 1);
    assert_true(trace_ring_recycle(memory, ring, &reader));
    assert_int_equal(trace_ring_claim(memory), ring);
    push_number(memory, ring, 2);
    assert_int_equal(read_number(memory, ring, &reader), 2);
}

static void there_are_no_more_rings_than_there_are(void **state)
{
    const struct trace_memory *memory = *state;
    for (int i = 0; i < TRACE_RINGS; i++)
        assert_int_equal(trace_ring_claim(memory), i);
    assert_int_equal(trace_ring_claim(memory), -1);
}

static void expect_damage(const struct trace_memory *memory, int ring)
{
    struct trace_ring_reader reader = {0};
    union trace_any_record record;
    assert_int_equal(trace_ring_read(memory, ring, &reader, &record), TRACE_READ_DAMAGED);
    assert_int_equal(trace_ring_read(memory, ring, &reader, &record), TRACE_READ_NONE);
}

static void lengths_that_lie_are_not_followed(void **state)
{
    const struct trace_memory *memory = *state;
    static const uint16_t lengths[] = {
        0, 1, TRACE_RECORD_WORDS - 1, TRACE_RECORD_WORDS + 1, TRACE_MOST_WORDS + 1, UINT16_MAX};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const int ring = trace_ring_claim(memory);
        push_number(memory, ring, 1);
        ((struct trace_record *)trace_ring_words(memory, (size_t)ring))->words = lengths[i];
        expect_damage(memory, ring);
    }
}

static void positions_that_lie_are_not_followed(void **state)
{
    const struct trace_memory *memory = *state;
    static const uint64_t heads[] = {1, SMALL_RING + 1, UINT64_MAX, UINT64_MAX - 7};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        const int ring = trace_ring_claim(memory);
        atomic_store(&memory->rings[ring].head, heads[i]);
        expect_damage(memory, ring);
    }
}

// --- Two threads

enum { MANY = 200000 };

static void *push_many(void *argument)
{
    const struct trace_memory *memory = argument;
    const int ring = trace_ring_claim(memory);
    for (uint64_t i = 0; i < MANY; i++)
        push_number(memory, ring, i);
    return NULL;
}

static void what_one_thread_writes_another_reads(void **state)
{
    const struct trace_memory *memory = *state;
    struct trace_ring_reader reader = {0};
    pthread_t writer;
    uint64_t seen = 0, next = 0;
    assert_int_equal(pthread_create(&writer, NULL, push_many, *state), 0);
    while (seen + atomic_load(&memory->rings[0].lost) < MANY) {
        union trace_any_record record;
        if (trace_ring_read(memory, 0, &reader, &record) != TRACE_READ_ONE)
            continue;
        assert_true(record.record.number >= next);
        assert_int_equal(record.record.time, record.record.number);
        next = record.record.number + 1;
        seen++;
    }
    pthread_join(writer, NULL);
    assert_true(seen > 0);
}

// --- Strings

static void a_string_has_one_number(void **state)
{
    const struct trace_memory *memory = *state;
    char copy[] = "saxpy";
    const uint32_t number = trace_string_intern(memory, "saxpy");
    assert_int_not_equal(number, 0);
    assert_int_equal(trace_string_intern(memory, copy), number);
    assert_int_not_equal(trace_string_intern(memory, "sax"), number);
    assert_string_equal(trace_string_get(memory, number), "saxpy");
    assert_string_equal(trace_string_get(memory, trace_string_intern(memory, "sax")), "sax");
    assert_int_equal(trace_string_intern(memory, NULL), 0);
    assert_int_equal(trace_string_intern(memory, ""), 0);
    assert_string_equal(trace_string_get(memory, 0), "");
}

static void an_address_may_come_to_hold_another_string(void **state)
{
    const struct trace_memory *memory = *state;
    char text[8] = "one";
    const uint32_t one = trace_string_intern(memory, text);
    strcpy(text, "other");
    const uint32_t other = trace_string_intern(memory, text);
    assert_string_equal(trace_string_get(memory, one), "one");
    assert_string_equal(trace_string_get(memory, other), "other");
    strcpy(text, "o"); // what another begins with
    assert_string_equal(trace_string_get(memory, trace_string_intern(memory, text)), "o");
    strcpy(text, "one");
    assert_int_equal(trace_string_intern(memory, text), one);
}

static void long_strings_are_cut(void **state)
{
    static char text[2 * TRACE_MOST_STRING];
    memset(text, 'x', sizeof text - 1);
    const uint32_t number = trace_string_intern(*state, text);
    assert_int_equal(strlen(trace_string_get(*state, number)), TRACE_MOST_STRING);
    assert_int_equal(trace_string_intern(*state, text), number);
}

static void strings_without_room_are_counted(void **state)
{
    const struct trace_memory *memory = *state;
    atomic_store(&memory->head->strings_used, TRACE_STRING_BYTES - 8);
    assert_int_not_equal(trace_string_intern(memory, "abc"), 0);
    assert_int_equal(trace_string_intern(memory, "much longer"), 0);
    assert_int_equal(trace_string_intern(memory, "abcd"), 0);
    assert_int_equal(atomic_load(&memory->head->strings_lost), 2);
}

static void numbers_that_are_none_read_as_nothing(void **state)
{
    const struct trace_memory *memory = *state;
    assert_string_equal(trace_string_get(memory, TRACE_STRING_BYTES), "");
    assert_string_equal(trace_string_get(memory, UINT32_MAX), "");
    memset(memory->strings + TRACE_STRING_BYTES - 4, 'x', 4); // has lost its end
    assert_string_equal(trace_string_get(memory, TRACE_STRING_BYTES - 2), "");
}

static void *intern_many(void *argument)
{
    static _Atomic uint32_t numbers[500];
    for (unsigned i = 0; i < 500; i++) {
        char name[16];
        snprintf(name, sizeof name, "name %u", i);
        const uint32_t number = trace_string_intern(argument, name);
        uint32_t other = 0;
        if (!atomic_compare_exchange_strong(&numbers[i], &other, number) && other != number)
            return name[0] ? argument : NULL;
    }
    return NULL;
}

static void threads_agree_on_numbers(void **state)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, intern_many, *state), 0);
    for (int i = 0; i < 2; i++) {
        void *differs;
        pthread_join(threads[i], &differs);
        assert_null(differs);
    }
}

// --- Memory

static void files_that_are_none_are_refused(void **state)
{
    struct trace_memory other = {0};
    (void)state;
    const int file = memfd_create("other", MFD_CLOEXEC);
    assert_false(trace_memory_map(&other, file));
    assert_int_equal(ftruncate(file, 1 << 26), 0);
    assert_false(trace_memory_map(&other, file));
    assert_int_equal(errno, EINVAL);
    assert_null(other.head);
    close(file);
}

static void two_mappings_are_one_memory(void **state)
{
    (void)state;
    struct trace_memory ours, theirs;
    const int file = trace_memory_create(&ours, SMALL_RING);
    assert_true(file >= 0 && trace_memory_map(&theirs, file));
    struct trace_ring_reader reader = {0};
    push_number(&theirs, trace_ring_claim(&theirs), 5);
    assert_int_equal(read_number(&ours, 0, &reader), 5);
    trace_memory_finish(&ours);
    trace_memory_finish(&theirs);
    close(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(records_come_out_in_order_around_the_end),
        TEST(a_full_ring_counts_what_it_drops_and_goes_on),
        TEST(a_ring_goes_to_the_next_thread_once_it_is_read),
        TEST(there_are_no_more_rings_than_there_are),
        TEST(lengths_that_lie_are_not_followed),
        TEST(positions_that_lie_are_not_followed),
        TEST(what_one_thread_writes_another_reads),
        TEST(a_string_has_one_number),
        TEST(an_address_may_come_to_hold_another_string),
        TEST(long_strings_are_cut),
        TEST(strings_without_room_are_counted),
        TEST(numbers_that_are_none_read_as_nothing),
        TEST(threads_agree_on_numbers),
        TEST(files_that_are_none_are_refused),
        TEST(two_mappings_are_one_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
