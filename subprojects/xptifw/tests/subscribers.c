// SPDX-License-Identifier: MIT
//
// Subscribers as they are loaded, notified of streams, and unloaded.

#include "test.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

// Given by the build: two builds of subscriber.c, of which the second wants everything.
static const char *const plain = PLAIN_SUBSCRIBER;
static const char *const curious = CURIOUS_SUBSCRIBER;

static int start_without_environment(void **state)
{
    unsetenv("XPTI_SUBSCRIBERS");
    unsetenv("XPTI_TRACE_ENABLE");
    return start_anew(state);
}

static void set_subscribers(const char *first, const char *second)
{
    char list[2 * PATH_MAX];
    snprintf(list, sizeof list, "%s%s%s", first, second ? "," : "", second ? second : "");
    assert_int_equal(setenv("XPTI_SUBSCRIBERS", list, 1), 0);
}

// What a subscriber that is loaded has written down; "" when it is not.
static const char *log_of(const char *path)
{
    void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (!library)
        return "";
    const char *log = dlsym(library, "subscriber_log");
    dlclose(library);
    return log;
}

// What stderr gets while the subscribers are loaded.
static const char *complaints(void)
{
    static char text[8192];
    int ends[2];
    assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
    const int before = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    xptiTraceEnabled();
    dup2(before, STDERR_FILENO);
    const ssize_t size = read(ends[0], text, sizeof text - 1);
    text[size > 0 ? size : 0] = '\0';
    close(before);
    close(ends[0]);
    close(ends[1]);
    return text;
}

static void a_subscriber_is_notified_of_each_stream(void **state)
{
    (void)state;
    set_subscribers(plain, NULL);
    xptiFrameworkInitialize();
    assert_int_equal(xptiInitialize("solver", 2, 3, "two"), MEZ_XPTI_SUCCESS);
    assert_int_equal(xptiInitialize("mesher", 1, 0, "one"), MEZ_XPTI_SUCCESS);
    assert_string_equal(
        log_of(plain), "init:xpti.framework:1.0:1.0.0 init:solver:2.3:two init:mesher:1.0:one ");
    assert_true(xptiTraceEnabled());
    xptiFinalize("solver");
    xptiFinalize("mesher");
    xptiFrameworkFinalize();
    assert_non_null(strstr(log_of(plain), "finish:solver finish:mesher finish:xpti.framework "));
}

static void a_subscriber_gets_events_until_the_stream_ends(void **state)
{
    (void)state;
    set_subscribers(plain, NULL);
    xptiInitialize("solver", 1, 0, "1");
    const mez_xpti_stream stream = xptiRegisterStream("solver");
    assert_true(xptiCheckTraceEnabled(stream, MEZ_XPTI_TASK_BEGIN));
    mez_xpti_event *event = visit("saxpy", "main.c", 7);
    xptiNotifySubscribers(stream, MEZ_XPTI_TASK_BEGIN, NULL, event, 5, NULL);
    assert_non_null(strstr(log_of(plain), "10:saxpy:5 "));
    xptiFinalize("solver");
    xptiNotifySubscribers(stream, MEZ_XPTI_TASK_BEGIN, NULL, event, 6, NULL);
    assert_null(strstr(log_of(plain), "10:saxpy:6 "));
}

static void a_stream_of_two_producers_ends_with_the_second(void **state)
{
    (void)state;
    set_subscribers(plain, NULL);
    xptiInitialize("solver", 1, 0, "1");
    xptiInitialize("solver", 1, 0, "1");
    xptiFinalize("solver");
    assert_null(strstr(log_of(plain), "finish"));
    xptiFinalize("solver");
    assert_non_null(strstr(log_of(plain), "finish:solver finish:xpti.framework "));
}

static void a_stream_that_never_began_does_not_end(void **state)
{
    (void)state;
    set_subscribers(plain, NULL);
    xptiInitialize("solver", 1, 0, "1");
    xptiFinalize("mesher");
    xptiUnregisterStream("mesher");
    xptiFinalize(NULL);
    assert_null(strstr(log_of(plain), "finish"));
    xptiFinalize("solver");
    xptiFinalize("solver");
    const char *ends = strstr(log_of(plain), "finish");
    assert_string_equal(ends, "finish:solver finish:xpti.framework ");
}

static void the_last_user_of_the_framework_ends_all(void **state)
{
    (void)state;
    set_subscribers(plain, NULL);
    xptiFrameworkInitialize();
    xptiFrameworkInitialize();
    xptiInitialize("solver", 1, 0, "1");
    xptiFrameworkFinalize();
    assert_null(strstr(log_of(plain), "finish"));
    xptiFrameworkFinalize();
    xptiFrameworkFinalize();
    assert_non_null(strstr(log_of(plain), "finish:solver finish:xpti.framework "));
}

static void an_ended_stream_may_begin_again(void **state)
{
    (void)state;
    set_subscribers(plain, NULL);
    xptiInitialize("solver", 1, 0, "1");
    xptiUnregisterStream("solver");
    xptiInitialize("solver", 1, 0, "2");
    assert_non_null(strstr(log_of(plain), "finish:xpti.framework init:xpti.framework"));
    xptiNotifySubscribers(xptiRegisterStream("solver"), MEZ_XPTI_TASK_BEGIN, NULL,
        visit("saxpy", "main.c", 7), 1, NULL);
    assert_non_null(strstr(log_of(plain), "10:saxpy:1 "));
}

static void the_detail_is_what_the_most_curious_wants(void **state)
{
    (void)state;
    set_subscribers(plain, curious);
    xptiInitialize("solver", 1, 0, "1");
    xptiInitialize("mesher", 1, 0, "1");
    assert_int_equal(
        xptiGetEffectiveStreamDetailLevel(xptiRegisterStream("solver")), MEZ_XPTI_DETAIL_VERBOSE);
    assert_int_equal(
        xptiGetEffectiveStreamDetailLevel(xptiRegisterStream("mesher")), MEZ_XPTI_DETAIL_NORMAL);
}

static void a_subscriber_named_twice_is_reported_once(void **state)
{
    (void)state;
    set_subscribers(plain, plain);
    assert_string_equal(complaints(), "");
    xptiInitialize("solver", 1, 0, "1");
    assert_string_equal(log_of(plain), "init:xpti.framework:1.0:1.0.0 init:solver:1.0:1 ");
}

static void without_subscribers_tracing_is_off(void **state)
{
    (void)state;
    assert_string_equal(complaints(), "");
    assert_false(xptiTraceEnabled());
    assert_int_equal(xptiInitialize("solver", 1, 0, "1"), MEZ_XPTI_SUCCESS);
    xptiFinalize("solver");
}

static void the_environment_switches_tracing(void **state)
{
    const struct {
        const char *value;
        bool on;
    } cases[] = {
        {"", true}, {"1", true}, {"true", true}, {"0", false}, {"false", false}, {"yes", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        start_without_environment(state);
        set_subscribers(plain, NULL);
        setenv("XPTI_TRACE_ENABLE", cases[i].value, 1);
        assert_int_equal(xptiTraceEnabled(), cases[i].on);
    }
}

static void what_can_not_be_loaded_is_reported(void **state)
{
    (void)state;
    set_subscribers("/nowhere/libtool.so", plain);
    const char *reported = complaints();
    assert_non_null(strstr(reported, "subscriber \"/nowhere/libtool.so\" is left out: "));
    assert_non_null(strstr(reported, "cannot open"));
    assert_true(xptiTraceEnabled());
}

static void what_is_no_subscriber_is_reported(void **state)
{
    (void)state;
    set_subscribers("libm.so.6", NULL);
    assert_string_equal(
        complaints(), "xpti: subscriber \"libm.so.6\" is left out: it has no xptiTraceInit\n");
    assert_false(xptiTraceEnabled());
}

static void empty_items_are_nothing(void **state)
{
    (void)state;
    set_subscribers(",,", ",");
    assert_string_equal(complaints(), "");
    assert_false(xptiTraceEnabled());
}

static void too_long_a_path_is_reported(void **state)
{
    (void)state;
    char path[PATH_MAX + 1];
    memset(path, 'x', PATH_MAX);
    path[PATH_MAX] = '\0';
    set_subscribers(path, plain);
    assert_non_null(strstr(complaints(), "is left out, as its path of 4096 bytes is too long"));
    assert_true(xptiTraceEnabled());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_subscriber_is_notified_of_each_stream, start_without_environment),
        cmocka_unit_test_setup(
            a_subscriber_gets_events_until_the_stream_ends, start_without_environment),
        cmocka_unit_test_setup(
            a_stream_of_two_producers_ends_with_the_second, start_without_environment),
        cmocka_unit_test_setup(a_stream_that_never_began_does_not_end, start_without_environment),
        cmocka_unit_test_setup(the_last_user_of_the_framework_ends_all, start_without_environment),
        cmocka_unit_test_setup(an_ended_stream_may_begin_again, start_without_environment),
        cmocka_unit_test_setup(
            the_detail_is_what_the_most_curious_wants, start_without_environment),
        cmocka_unit_test_setup(
            a_subscriber_named_twice_is_reported_once, start_without_environment),
        cmocka_unit_test_setup(without_subscribers_tracing_is_off, start_without_environment),
        cmocka_unit_test_setup(the_environment_switches_tracing, start_without_environment),
        cmocka_unit_test_setup(what_can_not_be_loaded_is_reported, start_without_environment),
        cmocka_unit_test_setup(what_is_no_subscriber_is_reported, start_without_environment),
        cmocka_unit_test_setup(empty_items_are_nothing, start_without_environment),
        cmocka_unit_test_setup(too_long_a_path_is_reported, start_without_environment),
    };
    return cmocka_run_group_tests_name("subscribers", tests, NULL, NULL);
}
