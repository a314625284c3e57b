// SPDX-License-Identifier: MIT
//
// What a thread is doing, and the defaults of scopes.

#include "test.h"

#include <pthread.h>

static void *ask_elsewhere(void *tuple_is_there)
{
    char *key;
    uint64_t value;
    *(bool *)tuple_is_there = xptiGetStashedTuple(&key, &value) != MEZ_XPTI_NOT_FOUND ||
                              xptiGetUniversalId() != 0 || xptiGetTracepointScopeData();
    return NULL;
}

static void a_thread_keeps_its_own(void **state)
{
    (void)state;
    xptiStashTuple("queue_id", 7);
    xptiSetTracepointScopeData(xptiCreateTracepoint("saxpy", "main.c", 7, 5, NULL));
    pthread_t thread;
    bool is_there = true;
    assert_int_equal(pthread_create(&thread, NULL, ask_elsewhere, &is_there), 0);
    pthread_join(thread, NULL);
    assert_false(is_there);
}

static void the_universal_id_is_what_was_set(void **state)
{
    (void)state;
    assert_int_equal(xptiGetUniversalId(), 0);
    xptiSetUniversalId(UINT64_C(0x123456789abcdef));
    assert_int_equal(xptiGetUniversalId(), UINT64_C(0x123456789abcdef));
}

static void a_stashed_tuple_stays(void **state)
{
    (void)state;
    char *key;
    uint64_t value;
    assert_int_equal(xptiGetStashedTuple(&key, &value), MEZ_XPTI_NOT_FOUND);
    assert_int_equal(xptiStashTuple("queue_id", 7), MEZ_XPTI_SUCCESS);
    xptiUnstashTuple();
    assert_int_equal(xptiGetStashedTuple(&key, &value), MEZ_XPTI_SUCCESS);
    assert_string_equal(key, "queue_id");
    assert_int_equal(value, 7);
    assert_int_equal(xptiStashTuple(NULL, 8), MEZ_XPTI_FAIL);
    assert_int_equal(xptiGetStashedTuple(NULL, &value), MEZ_XPTI_INVALID_ARGUMENT);
    assert_int_equal(xptiGetStashedTuple(&key, NULL), MEZ_XPTI_INVALID_ARGUMENT);
}

static void a_scope_is_the_threads_id(void **state)
{
    (void)state;
    void *tracepoint =
        (void *)(uintptr_t)xptiRegisterTracepointScope("saxpy", "main.c", 7, 5, NULL);
    assert_null(xptiGetTracepointScopeData());
    assert_int_equal(xptiSetTracepointScopeData(tracepoint), MEZ_XPTI_SUCCESS);
    assert_ptr_equal(xptiGetTracepointScopeData(), tracepoint);
    assert_non_null(xptiFindEvent(xptiGetUniversalId()));
    assert_string_equal(xptiQueryPayloadByUID(xptiGetUniversalId())->name, "saxpy");
    xptiUnsetTracepointScopeData();
    assert_null(xptiGetTracepointScopeData());
    assert_int_equal(xptiGetUniversalId(), 0);
    assert_int_equal(xptiSetTracepointScopeData(NULL), MEZ_XPTI_INVALID_ARGUMENT);
}

static void scopes_notify_when_asked(void **state)
{
    (void)state;
    assert_false(xptiCheckTracepointScopeNotification());
    xptiEnableTracepointScopeNotification(true);
    assert_true(xptiCheckTracepointScopeNotification());
}

static void defaults_are_set(void **state)
{
    (void)state;
    assert_int_equal(xptiGetDefaultStreamID(), 1);
    assert_int_equal(xptiSetDefaultStreamID(9), MEZ_XPTI_SUCCESS);
    assert_int_equal(xptiGetDefaultStreamID(), 9);
    assert_int_equal(xptiSetDefaultStreamID(0), MEZ_XPTI_INVALID_ARGUMENT);
    assert_int_equal(xptiSetDefaultStreamID(MEZ_XPTI_NO_STREAM), MEZ_XPTI_INVALID_ARGUMENT);
    assert_int_equal(xptiGetDefaultEventType(), MEZ_XPTI_EVENT_ALGORITHM);
    assert_int_equal(xptiSetDefaultEventType(MEZ_XPTI_EVENT_GRAPH), MEZ_XPTI_SUCCESS);
    assert_int_equal(xptiGetDefaultEventType(), MEZ_XPTI_EVENT_GRAPH);
    assert_int_equal(xptiSetDefaultEventType(0), MEZ_XPTI_INVALID_ARGUMENT);
    assert_int_equal(xptiGetDefaultTraceType(), MEZ_XPTI_FUNCTION_BEGIN);
    assert_int_equal(xptiSetDefaultTraceType(MEZ_XPTI_TASK_BEGIN), MEZ_XPTI_SUCCESS);
    assert_int_equal(xptiGetDefaultTraceType(), MEZ_XPTI_TASK_BEGIN);
    assert_int_equal(xptiSetDefaultTraceType(0), MEZ_XPTI_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_thread_keeps_its_own, start_anew),
        cmocka_unit_test_setup(the_universal_id_is_what_was_set, start_anew),
        cmocka_unit_test_setup(a_stashed_tuple_stays, start_anew),
        cmocka_unit_test_setup(a_scope_is_the_threads_id, start_anew),
        cmocka_unit_test_setup(scopes_notify_when_asked, start_anew),
        cmocka_unit_test_setup(defaults_are_set, start_anew),
    };
    return cmocka_run_group_tests_name("thread", tests, NULL, NULL);
}
