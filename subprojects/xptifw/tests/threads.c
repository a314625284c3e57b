// SPDX-License-Identifier: MIT
//
// Many threads at once: events are made in one and released in another while callbacks come and go.

#include "test.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4, TURNS = 3000, HANDED_OVER = 64 };

static mez_xpti_stream stream;
static atomic_uint calls, failures;
static _Atomic(mez_xpti_event *) handed_over[HANDED_OVER];

#define CHECK(condition)                                             \
    do {                                                             \
        if (!(condition)) {                                          \
            atomic_fetch_add(&failures, 1);                          \
            print_error("threads.c:%d: %s\n", __LINE__, #condition); \
        }                                                            \
    } while (0)

static void count_call(uint16_t type, mez_xpti_event *parent, mez_xpti_event *event,
    uint64_t instance, const void *user_data)
{
    (void)type, (void)parent, (void)instance, (void)user_data;
    CHECK(event->payload->line < 16);
    atomic_fetch_add(&calls, 1);
}

static void other(uint16_t type, mez_xpti_event *parent, mez_xpti_event *event, uint64_t instance,
    const void *user_data)
{
    (void)type, (void)parent, (void)event, (void)instance, (void)user_data;
}

// Puts one event into the exchange, and releases what another thread had put there.
static void hand_over(mez_xpti_event *event, unsigned turn)
{
    xptiReleaseEvent(atomic_exchange(&handed_over[turn % HANDED_OVER], event));
}

static void *produce(void *number)
{
    const unsigned own = *(const unsigned *)number;
    char key[32];
    for (unsigned turn = 0; turn < TURNS; turn++) {
        mez_xpti_event *event = visit("saxpy", "main.c", turn % 16);
        snprintf(key, sizeof key, "key %u", (turn * 7 + own) % 500);
        const mez_xpti_object object = xptiRegisterObject(key, strlen(key), MEZ_XPTI_STRING);
        CHECK(strcmp(xptiLookupObject(object).data, key) == 0);
        CHECK(xptiAddMetadata(event, key, object) == MEZ_XPTI_SUCCESS);
        CHECK(xptiAddMetadata(event, "queue", 1) == MEZ_XPTI_SUCCESS);
        CHECK(xptiFindEvent(event->unique_id) == event);
        xptiStashTuple("queue_id", own);
        xptiSetUniversalId(event->unique_id);
        CHECK(xptiNotifySubscribers(stream, MEZ_XPTI_TASK_BEGIN, NULL, event, 1, NULL) ==
              MEZ_XPTI_SUCCESS);
        CHECK(xptiGetUniversalId() == event->unique_id);
        hand_over(event, turn * THREADS + own);
    }
    return NULL;
}

static void *change_callbacks(void *unused)
{
    for (unsigned turn = 0; turn < TURNS; turn++) {
        xptiRegisterCallback(stream, MEZ_XPTI_TASK_BEGIN, other);
        xptiRegisterCallback(stream, (uint16_t)(0x180 + turn % 40), other);
        CHECK(xptiCheckTraceEnabled(stream, MEZ_XPTI_TASK_BEGIN));
        xptiUnregisterCallback(stream, MEZ_XPTI_TASK_BEGIN, other);
        xptiUnregisterCallback(stream, (uint16_t)(0x180 + turn % 40), other);
    }
    return unused;
}

static void threads_do_not_disturb_each_other(void **state)
{
    (void)state;
    xptiForceSetTraceEnabled(true);
    stream = xptiRegisterStream("solver");
    xptiRegisterCallback(stream, MEZ_XPTI_TASK_BEGIN, count_call);
    pthread_t threads[THREADS + 1];
    unsigned numbers[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        numbers[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, produce, &numbers[i]), 0);
    }
    assert_int_equal(pthread_create(&threads[THREADS], NULL, change_callbacks, NULL), 0);
    for (unsigned i = 0; i <= THREADS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < HANDED_OVER; i++)
        xptiReleaseEvent(handed_over[i]);
    assert_int_equal(failures, 0);
    assert_int_equal(calls, THREADS * TURNS);
    uint64_t visits = 0;
    for (unsigned line = 0; line < 16; line++)
        visits += visit("saxpy", "main.c", line)->instance_id - 1;
    assert_int_equal(visits, THREADS * TURNS);
}

// --- Memory

enum { ALIVE = 100, ROUNDS = 300 };

static mez_xpti_event *alive[ALIVE];

static void *release_all(void *unused)
{
    for (size_t i = 0; i < ALIVE; i++)
        xptiReleaseEvent(alive[i]);
    return unused;
}

// A thread that only releases, and ends, must not keep what it has got.
static void memory_stays_flat_when_others_release(void **state)
{
    (void)state;
    uint64_t lowest = UINT64_MAX, highest = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < ALIVE; i++) {
            alive[i] = visit("saxpy", "main.c", 7);
            lowest = alive[i]->unique_id < lowest ? alive[i]->unique_id : lowest;
            highest = alive[i]->unique_id > highest ? alive[i]->unique_id : highest;
        }
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, release_all, NULL), 0);
        pthread_join(thread, NULL);
    }
    assert_true(
        highest - lowest < 1 << 20); // where 30,000 events would take more than ten times that
}

int main(void)
{
    unsetenv("XPTI_SUBSCRIBERS");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(memory_stays_flat_when_others_release, start_anew),
        cmocka_unit_test_setup(threads_do_not_disturb_each_other, start_anew),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
