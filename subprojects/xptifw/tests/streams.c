// SPDX-License-Identifier: MIT
//
// Streams, callbacks and notifications, with callbacks of the program's own.

#include "test.h"

static char heard[64]; // a letter for each call
static struct {
    uint16_t type;
    mez_xpti_event *parent, *event;
    uint64_t instance;
    const void *user_data;
} last;

static void hear(char letter)
{
    const size_t length = strlen(heard);
    assert_true(length + 1 < sizeof heard);
    heard[length] = letter;
    heard[length + 1] = '\0';
}

static void first(uint16_t type, mez_xpti_event *parent, mez_xpti_event *event, uint64_t instance,
    const void *user_data)
{
    hear('1');
    last.type = type;
    last.parent = parent;
    last.event = event;
    last.instance = instance;
    last.user_data = user_data;
}

static void second(uint16_t type, mez_xpti_event *parent, mez_xpti_event *event, uint64_t instance,
    const void *user_data)
{
    (void)type, (void)parent, (void)event, (void)instance, (void)user_data;
    hear('2');
}

static mez_xpti_stream leaving_stream;

static void leaving(uint16_t type, mez_xpti_event *parent, mez_xpti_event *event, uint64_t instance,
    const void *user_data)
{
    (void)parent, (void)event, (void)instance, (void)user_data;
    hear('x');
    xptiUnregisterCallback(leaving_stream, type, leaving);
}

static int start_enabled(void **state)
{
    start_anew(state);
    heard[0] = '\0';
    xptiForceSetTraceEnabled(true);
    return 0;
}

static mez_xpti_result notify(mez_xpti_stream stream, uint16_t type)
{
    return xptiNotifySubscribers(stream, type, NULL, visit("saxpy", "main.c", 7), 1, NULL);
}

static void a_stream_has_one_number(void **state)
{
    (void)state;
    const mez_xpti_stream stream = xptiRegisterStream("solver");
    assert_int_equal(xptiRegisterStream("xpti.framework"), 1);
    assert_int_equal(stream, 2);
    assert_int_equal(xptiRegisterStream("solver"), stream);
    assert_int_equal(xptiRegisterStream(NULL), MEZ_XPTI_NO_STREAM);
    assert_int_equal(xptiRegisterStream(""), MEZ_XPTI_NO_STREAM);
}

static void there_are_254_streams(void **state)
{
    (void)state;
    char name[32];
    for (int i = 2; i <= 254; i++) {
        snprintf(name, sizeof name, "stream %d", i);
        assert_int_equal(xptiRegisterStream(name), i);
    }
    assert_int_equal(xptiRegisterStream("one more"), MEZ_XPTI_NO_STREAM);
    assert_int_equal(xptiInitialize("one more", 1, 0, "1"), MEZ_XPTI_FAIL);
    assert_int_equal(xptiRegisterStream("stream 254"), 254);
}

static void a_callback_gets_what_the_producer_says(void **state)
{
    (void)state;
    const mez_xpti_stream stream = xptiRegisterStream("solver");
    mez_xpti_event *parent = visit("graph", "main.c", 1), *event = visit("saxpy", "main.c", 7);
    assert_int_equal(xptiRegisterCallback(stream, MEZ_XPTI_TASK_BEGIN, first), MEZ_XPTI_SUCCESS);
    assert_int_equal(xptiNotifySubscribers(stream, MEZ_XPTI_TASK_BEGIN, parent, event, 42, heard),
        MEZ_XPTI_SUCCESS);
    assert_string_equal(heard, "1");
    assert_int_equal(last.type, MEZ_XPTI_TASK_BEGIN);
    assert_ptr_equal(last.parent, parent);
    assert_ptr_equal(last.event, event);
    assert_int_equal(last.instance, 42);
    assert_ptr_equal(last.user_data, heard);
}

static void only_the_type_and_stream_are_heard(void **state)
{
    (void)state;
    const mez_xpti_stream stream = xptiRegisterStream("solver");
    xptiRegisterCallback(stream, MEZ_XPTI_TASK_BEGIN, first);
    assert_int_equal(notify(stream, MEZ_XPTI_TASK_END), MEZ_XPTI_SUCCESS);
    assert_int_equal(notify(xptiRegisterStream("mesher"), MEZ_XPTI_TASK_BEGIN), MEZ_XPTI_SUCCESS);
    assert_string_equal(heard, "");
}

static void callbacks_are_called_in_order(void **state)
{
    (void)state;
    const mez_xpti_stream stream = xptiRegisterStream("solver");
    xptiRegisterCallback(stream, MEZ_XPTI_SIGNAL, second);
    xptiRegisterCallback(stream, MEZ_XPTI_SIGNAL, first);
    notify(stream, MEZ_XPTI_SIGNAL);
    assert_string_equal(heard, "21");
}

static void a_callback_is_registered_once(void **state)
{
    (void)state;
    const mez_xpti_stream stream = xptiRegisterStream("solver");
    assert_int_equal(xptiRegisterCallback(stream, MEZ_XPTI_SIGNAL, first), MEZ_XPTI_SUCCESS);
    assert_int_equal(xptiRegisterCallback(stream, MEZ_XPTI_SIGNAL, first), MEZ_XPTI_DUPLICATE);
    notify(stream, MEZ_XPTI_SIGNAL);
    assert_string_equal(heard, "1");
    assert_int_equal(xptiUnregisterCallback(stream, MEZ_XPTI_SIGNAL, first), MEZ_XPTI_SUCCESS);
    assert_int_equal(xptiUnregisterCallback(stream, MEZ_XPTI_SIGNAL, first), MEZ_XPTI_NOT_FOUND);
    notify(stream, MEZ_XPTI_SIGNAL);
    assert_string_equal(heard, "1");
    assert_int_equal(xptiRegisterCallback(stream, MEZ_XPTI_SIGNAL, first), MEZ_XPTI_UNDELETE);
    notify(stream, MEZ_XPTI_SIGNAL);
    assert_string_equal(heard, "11");
}

static void what_can_not_be_registered_is_refused(void **state)
{
    (void)state;
    const mez_xpti_stream stream = xptiRegisterStream("solver");
    assert_int_equal(xptiRegisterCallback(stream, 2, NULL), MEZ_XPTI_INVALID_ARGUMENT);
    assert_int_equal(xptiRegisterCallback(0, 2, first), MEZ_XPTI_INVALID_ARGUMENT);
    assert_int_equal(xptiRegisterCallback(MEZ_XPTI_NO_STREAM, 2, first), MEZ_XPTI_INVALID_ARGUMENT);
    assert_int_equal(xptiUnregisterCallback(stream, 2, NULL), MEZ_XPTI_INVALID_ARGUMENT);
    assert_int_equal(xptiUnregisterCallback(0, 2, first), MEZ_XPTI_INVALID_ARGUMENT);
    assert_int_equal(xptiUnregisterCallback(stream, 2, first), MEZ_XPTI_NOT_FOUND);
    assert_int_equal(xptiUnregisterCallback(stream, 0x183, first), MEZ_XPTI_NOT_FOUND);
}

static void types_of_tools_are_heard(void **state)
{
    (void)state;
    const mez_xpti_stream stream = xptiRegisterStream("solver");
    const uint16_t type = xptiRegisterUserDefinedTracePoint("solver", 3);
    assert_int_equal(notify(stream, type), MEZ_XPTI_SUCCESS);
    xptiRegisterCallback(stream, type, first);
    xptiRegisterCallback(stream, type + 1, second);
    notify(stream, type);
    assert_string_equal(heard, "1");
    assert_true(xptiCheckTraceEnabled(stream, type));
    assert_false(xptiCheckTraceEnabled(stream, type + 2));
}

static void a_callback_may_unregister_itself(void **state)
{
    (void)state;
    leaving_stream = xptiRegisterStream("solver");
    xptiRegisterCallback(leaving_stream, MEZ_XPTI_SIGNAL, leaving);
    xptiRegisterCallback(leaving_stream, MEZ_XPTI_SIGNAL, first);
    notify(leaving_stream, MEZ_XPTI_SIGNAL);
    notify(leaving_stream, MEZ_XPTI_SIGNAL);
    assert_string_equal(heard, "x11");
}

static void a_check_reports_who_listens(void **state)
{
    (void)state;
    const mez_xpti_stream stream = xptiRegisterStream("solver");
    assert_false(xptiCheckTraceEnabled(stream, 0));
    xptiRegisterCallback(stream, MEZ_XPTI_SIGNAL, first);
    xptiRegisterCallback(stream, MEZ_XPTI_SIGNAL, second);
    assert_true(xptiCheckTraceEnabled(stream, 0));
    assert_true(xptiCheckTraceEnabled(stream, MEZ_XPTI_SIGNAL));
    assert_false(xptiCheckTraceEnabled(stream, MEZ_XPTI_TASK_BEGIN));
    assert_false(xptiCheckTraceEnabled(0, 0));
    xptiUnregisterCallback(stream, MEZ_XPTI_SIGNAL, first);
    assert_true(xptiCheckTraceEnabled(stream, MEZ_XPTI_SIGNAL));
    xptiUnregisterCallback(stream, MEZ_XPTI_SIGNAL, second);
    assert_false(xptiCheckTraceEnabled(stream, MEZ_XPTI_SIGNAL));
    assert_false(xptiCheckTraceEnabled(stream, 0));
}

static void tracing_is_switched_off_and_on(void **state)
{
    (void)state;
    const mez_xpti_stream stream = xptiRegisterStream("solver");
    xptiRegisterCallback(stream, MEZ_XPTI_SIGNAL, first);
    xptiForceSetTraceEnabled(false);
    assert_false(xptiTraceEnabled());
    assert_false(xptiCheckTraceEnabled(stream, MEZ_XPTI_SIGNAL));
    assert_int_equal(notify(stream, MEZ_XPTI_SIGNAL), MEZ_XPTI_FALSE);
    assert_string_equal(heard, "");
    xptiForceSetTraceEnabled(true);
    assert_true(xptiTraceEnabled());
    assert_int_equal(notify(stream, MEZ_XPTI_SIGNAL), MEZ_XPTI_SUCCESS);
    assert_string_equal(heard, "1");
}

static void only_some_types_need_no_event(void **state)
{
    (void)state;
    const uint16_t eventless[] = {24, 25, 28, 29, 32, 33, 34, 35, 36, 37, 38, 39, 40, 126};
    const mez_xpti_stream stream = xptiRegisterStream("solver");
    for (uint16_t type = 1; type < 300; type++) {
        bool expected = false;
        for (size_t i = 0; i < sizeof eventless / sizeof eventless[0]; i++)
            expected |= eventless[i] == type;
        assert_int_equal(xptiNotifySubscribers(stream, type, NULL, NULL, 1, "text"),
            expected ? MEZ_XPTI_SUCCESS : MEZ_XPTI_INVALID_ARGUMENT);
        assert_int_equal(
            xptiNotifySubscribers(stream, type, NULL, NULL, 1, NULL), MEZ_XPTI_INVALID_ARGUMENT);
    }
}

static void an_unregistered_stream_is_silent(void **state)
{
    (void)state;
    const mez_xpti_stream stream = xptiRegisterStream("solver");
    assert_int_equal(xptiUnregisterStream("solver"), MEZ_XPTI_NOT_FOUND);
    xptiRegisterCallback(stream, MEZ_XPTI_SIGNAL, first);
    xptiRegisterCallback(stream, 0x183, first);
    assert_int_equal(xptiUnregisterStream("solver"), MEZ_XPTI_SUCCESS);
    assert_int_equal(xptiUnregisterStream("solver"), MEZ_XPTI_NOT_FOUND);
    assert_int_equal(xptiUnregisterStream(NULL), MEZ_XPTI_INVALID_ARGUMENT);
    assert_false(xptiCheckTraceEnabled(stream, 0));
    notify(stream, MEZ_XPTI_SIGNAL);
    notify(stream, 0x183);
    assert_string_equal(heard, "");
    assert_int_equal(xptiRegisterCallback(stream, MEZ_XPTI_SIGNAL, first), MEZ_XPTI_UNDELETE);
    assert_true(xptiCheckTraceEnabled(stream, 0));
}

static void without_subscribers_the_detail_is_normal(void **state)
{
    (void)state;
    const mez_xpti_stream stream = xptiRegisterStream("solver");
    assert_int_equal(xptiGetEffectiveStreamDetailLevel(stream), MEZ_XPTI_DETAIL_NORMAL);
    xptiInitialize("solver", 1, 0, "1.0");
    assert_int_equal(xptiGetEffectiveStreamDetailLevel(stream), MEZ_XPTI_DETAIL_NORMAL);
    assert_int_equal(xptiInitialize(NULL, 1, 0, "1.0"), MEZ_XPTI_INVALID_ARGUMENT);
    assert_int_equal(xptiInitialize("solver", 1, 0, NULL), MEZ_XPTI_INVALID_ARGUMENT);
}

int main(void)
{
    unsetenv("XPTI_SUBSCRIBERS");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_stream_has_one_number, start_enabled),
        cmocka_unit_test_setup(there_are_254_streams, start_enabled),
        cmocka_unit_test_setup(a_callback_gets_what_the_producer_says, start_enabled),
        cmocka_unit_test_setup(only_the_type_and_stream_are_heard, start_enabled),
        cmocka_unit_test_setup(callbacks_are_called_in_order, start_enabled),
        cmocka_unit_test_setup(a_callback_is_registered_once, start_enabled),
        cmocka_unit_test_setup(what_can_not_be_registered_is_refused, start_enabled),
        cmocka_unit_test_setup(types_of_tools_are_heard, start_enabled),
        cmocka_unit_test_setup(a_callback_may_unregister_itself, start_enabled),
        cmocka_unit_test_setup(a_check_reports_who_listens, start_enabled),
        cmocka_unit_test_setup(tracing_is_switched_off_and_on, start_enabled),
        cmocka_unit_test_setup(only_some_types_need_no_event, start_enabled),
        cmocka_unit_test_setup(an_unregistered_stream_is_silent, start_enabled),
        cmocka_unit_test_setup(without_subscribers_the_detail_is_normal, start_enabled),
    };
    return cmocka_run_group_tests_name("streams", tests, NULL, NULL);
}
