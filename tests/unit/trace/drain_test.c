// SPDX-License-Identifier: MIT
//
// Draining: the records of all threads in the order of their times, and what is reported beside them.

#include "drain.h"

#include <sys/wait.h>
#include <unistd.h>

#include "records.h"

struct seen {
    uint64_t numbers[16];
    uint32_t threads[16];
    size_t count;
    unsigned gone, damaged;
    uint64_t lost;
};

static void see_record(
    void *user, const struct trace_thread *thread, const struct trace_record *record)
{
    struct seen *seen = user;
    assert_true(seen->count < 16);
    seen->threads[seen->count] = thread->thread;
    seen->numbers[seen->count++] = record->number;
}

static void see_lost(void *user, const struct trace_thread *thread, uint64_t time, uint64_t count)
{
    (void)thread, (void)time;
    ((struct seen *)user)->lost += count;
}

static void see_damaged(void *user, const struct trace_thread *thread)
{
    (void)thread;
    ((struct seen *)user)->damaged++;
}

static void see_gone(void *user, const struct trace_thread *thread)
{
    (void)thread;
    ((struct seen *)user)->gone++;
}

static struct trace_sink sink_of(struct seen *seen)
{
    return (struct trace_sink){.user = seen,
        .record = see_record,
        .lost = see_lost,
        .damaged = see_damaged,
        .gone = see_gone};
}

static void threads_are_read_in_the_order_of_time(void **state)
{
    const struct trace_memory *memory = *state;
    struct seen seen = {0};
    const struct trace_sink sink = sink_of(&seen);
    struct trace_drain *drain;
    assert_ok(trace_drain_create(memory, &drain));
    const int one = claim_as(memory, 1, "one"), two = claim_as(memory, 2, "two");
    push_number(memory, one, 10);
    push_number(memory, one, 20);
    push_number(memory, one, 50);
    push_number(memory, two, 15);
    push_number(memory, two, 40);
    assert_int_equal(trace_drain_run(drain, 100, 40, &sink), 4);
    assert_int_equal(trace_drain_run(drain, 100, 100, &sink), 1);
    static const uint64_t order[] = {10, 15, 20, 40, 50};
    assert_memory_equal(seen.numbers, order, sizeof order);
    static const uint32_t threads[] = {1, 2, 1, 2, 1};
    assert_memory_equal(seen.threads, threads, sizeof threads);
    trace_drain_destroy(&drain);
}

// Two threads, one of which writes while the other's ring is being read: at times after `now`, the first ring's later.
struct meanwhile {
    struct seen seen; // comes first: it is what the sink's functions get
    const struct trace_memory *memory;
    int first, second;
};

static void write_meanwhile(
    void *user, const struct trace_thread *thread, const struct trace_record *record)
{
    struct meanwhile *meanwhile = user;
    see_record(&meanwhile->seen, thread, record);
    if (record->number != 80)
        return;
    push_number(meanwhile->memory, meanwhile->second, 105);
    push_number(meanwhile->memory, meanwhile->first, 110);
}

static void what_is_written_during_a_look_overtakes_nobody(void **state)
{
    struct meanwhile meanwhile = {.memory = *state};
    struct trace_sink sink = sink_of(&meanwhile.seen);
    struct trace_drain *drain;
    sink.record = write_meanwhile;
    assert_ok(trace_drain_create(*state, &drain));
    meanwhile.first = claim_as(*state, 1, "first");
    meanwhile.second = claim_as(*state, 2, "second");
    push_number(*state, meanwhile.first, 80);
    assert_int_equal(trace_drain_run(drain, 100, 90, &sink), 1);
    assert_int_equal(trace_drain_run(drain, 200, 200, &sink), 2);
    static const uint64_t order[] = {80, 105, 110};
    assert_memory_equal(meanwhile.seen.numbers, order, sizeof order);
    trace_drain_destroy(&drain);
}

static void what_drains_hear_of_losses_damage_and_ends(void **state)
{
    const struct trace_memory *memory = *state;
    struct seen seen = {0};
    const struct trace_sink sink = sink_of(&seen);
    struct trace_drain *drain;
    assert_ok(trace_drain_create(memory, &drain));
    const int ring = claim_as(memory, 1, "one");
    push_number(memory, ring, 1);
    atomic_store(&memory->rings[ring].lost, 3);
    trace_drain_run(drain, 100, 100, &sink);
    assert_int_equal(seen.lost, 3);
    atomic_store(&memory->rings[ring].head, UINT64_MAX / 2);
    trace_drain_run(drain, 100, 100, &sink);
    assert_int_equal(seen.damaged, 1);
    trace_ring_leave(memory, ring);
    trace_drain_run(drain, 100, 100, &sink);
    assert_int_equal(seen.gone, 1);
    trace_drain_destroy(&drain);
}

static void times_after_now_become_now(void **state)
{
    const struct trace_memory *memory = *state;
    struct seen seen = {0};
    const struct trace_sink sink = sink_of(&seen);
    struct trace_drain *drain;
    assert_ok(trace_drain_create(memory, &drain));
    push_number(memory, claim_as(memory, 1, "one"), UINT64_MAX);
    assert_int_equal(trace_drain_run(drain, 100, 100, &sink), 1);
    trace_drain_destroy(&drain);
}

static pid_t dead_process(void)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    assert_true(child > 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    return child;
}

static void claim_all_as(const struct trace_memory *memory, pid_t process)
{
    for (int i = 0; i < TRACE_RINGS; i++) {
        const int ring = claim_as(memory, 1, "one");
        memory->rings[ring].process = (uint32_t)process;
        push_number(memory, ring, 1);
    }
}

struct ended {
    uint64_t records;
    unsigned gone;
};

static void count_record(
    void *user, const struct trace_thread *thread, const struct trace_record *record)
{
    (void)thread, (void)record;
    ((struct ended *)user)->records++;
}

static void count_gone(void *user, const struct trace_thread *thread)
{
    (void)thread;
    ((struct ended *)user)->gone++;
}

static void rings_of_processes_that_are_no_more_come_free(void **state)
{
    const struct trace_memory *memory = *state;
    struct ended ended = {0};
    const struct trace_sink sink = {.user = &ended, .record = count_record, .gone = count_gone};
    struct trace_drain *drain;
    assert_ok(trace_drain_create(memory, &drain));
    claim_all_as(memory, dead_process());
    trace_drain_run(drain, 100, 100, &sink);
    assert_int_equal(ended.gone, 0); // there may be more to read
    trace_drain_run(drain, 100, 100, &sink);
    assert_int_equal(ended.records, TRACE_RINGS);
    assert_int_equal(ended.gone, TRACE_RINGS);
    assert_int_equal(trace_ring_claim(memory), 0);
    trace_drain_destroy(&drain);
}

static void rings_of_processes_that_run_stay_theirs(void **state)
{
    const struct trace_memory *memory = *state;
    struct ended ended = {0};
    const struct trace_sink sink = {.user = &ended, .record = count_record, .gone = count_gone};
    struct trace_drain *drain;
    assert_ok(trace_drain_create(memory, &drain));
    claim_all_as(memory, getpid());
    trace_drain_run(drain, 100, 100, &sink);
    trace_drain_run(drain, 100, 100, &sink);
    assert_int_equal(ended.gone, 0);
    assert_int_equal(trace_drain_processes(drain, 0), 1);
    assert_int_equal(trace_drain_processes(drain, getpid()), 0);
    trace_drain_destroy(&drain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(threads_are_read_in_the_order_of_time),
        TEST(what_is_written_during_a_look_overtakes_nobody),
        TEST(what_drains_hear_of_losses_damage_and_ends),
        TEST(times_after_now_become_now),
        TEST(rings_of_processes_that_are_no_more_come_free),
        TEST(rings_of_processes_that_run_stay_theirs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
