// SPDX-License-Identifier: MIT
//
// The static library. It loads a dispatcher once in the life of a process, so each test is a child of its own.

#include "test.h"

#include <mezzanine/xpti_proxy.h>

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

// In a child: ends it with the line as its code.
#define CHECK(condition)               \
    do {                               \
        if (!(condition))              \
            _exit(__LINE__ % 250 + 1); \
    } while (0)

static char reported[8192]; // what the last child has written to stderr

static void in_child(void (*body)(void))
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        body();
        _exit(0);
    }
    close(ends[1]);
    size_t size = 0;
    for (ssize_t got; (got = read(ends[0], reported + size, sizeof reported - 1 - size)) > 0;)
        size += (size_t)got;
    reported[size] = '\0';
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (status != 0)
        print_error("%s", reported);
    assert_int_equal(status, 0);
}

static int start_without_environment(void **state)
{
    (void)state;
    unsetenv("XPTI_FRAMEWORK_DISPATCHER");
    unsetenv("XPTI_SUBSCRIBERS");
    unsetenv("XPTI_TRACE_ENABLE");
    return 0;
}

// --- Without a dispatcher

static void ask_everything(void)
{
    char *text;
    uint64_t value;
    xptiFrameworkInitialize();
    CHECK(!mez_xpti_on());
    CHECK(xptiInitialize("solver", 1, 0, "1") == MEZ_XPTI_FAIL);
    CHECK(!xptiTraceEnabled() && !xptiCheckTraceEnabled(2, 0));
    CHECK(xptiRegisterStream("solver") == MEZ_XPTI_NO_STREAM);
    CHECK(xptiRegisterString("a", &text) == MEZ_XPTI_NO_STRING && !xptiLookupString(1));
    CHECK(xptiRegisterObject("a", 1, 0) == MEZ_XPTI_NO_OBJECT && !xptiLookupObject(0).data);
    CHECK(!visit("saxpy", "main.c", 7) && !xptiCreateTracepoint("a", "b", 1, 1, NULL));
    CHECK(xptiNotifySubscribers(2, 2, NULL, NULL, 0, NULL) == MEZ_XPTI_FAIL);
    CHECK(xptiStashTuple("a", 1) == MEZ_XPTI_FAIL);
    CHECK(xptiGetStashedTuple(&text, &value) == MEZ_XPTI_FAIL);
    CHECK(xptiGetUniversalId() == 0 && xptiGetUniqueId() == 0);
    xptiFinalize("solver");
    xptiFrameworkFinalize();
}

static void without_a_dispatcher_nothing_happens(void **state)
{
    (void)state;
    in_child(ask_everything);
    assert_string_equal(reported, "");
    setenv("XPTI_FRAMEWORK_DISPATCHER", "", 1);
    in_child(ask_everything);
    assert_string_equal(reported, "");
}

static void a_dispatcher_that_is_not_there_is_reported(void **state)
{
    (void)state;
    setenv("XPTI_FRAMEWORK_DISPATCHER", "/nowhere/libxptifw.so", 1);
    in_child(ask_everything);
    assert_non_null(
        strstr(reported, "xpti: no tracing, as the dispatcher can't be opened: /nowhere"));
    assert_null(strstr(strstr(reported, "xpti: ") + 1, "xpti: ")); // once
}

static void a_library_that_is_no_dispatcher_is_reported(void **state)
{
    (void)state;
    setenv("XPTI_FRAMEWORK_DISPATCHER", "libm.so.6", 1);
    in_child(ask_everything);
    assert_non_null(strstr(reported, "\"libm.so.6\" is not a dispatcher, or is too old: it lacks "
                                     "xptiFrameworkInitialize, xptiFrameworkFinalize, "));
}

// --- With one

static void trace(void)
{
    xptiFrameworkInitialize();
    CHECK(mez_xpti_on());
    CHECK(xptiInitialize("solver", 1, 0, "1") == MEZ_XPTI_SUCCESS);
    CHECK(xptiTraceEnabled());
    const mez_xpti_stream stream = xptiRegisterStream("solver");
    mez_xpti_event *event = visit("saxpy", "main.c", 7);
    CHECK(xptiAddMetadata(event, "queue", xptiRegisterObject("q", 1, MEZ_XPTI_STRING)) ==
          MEZ_XPTI_SUCCESS);
    CHECK(xptiCheckTraceEnabled(stream, MEZ_XPTI_TASK_BEGIN));
    CHECK(xptiNotifySubscribers(stream, MEZ_XPTI_TASK_BEGIN, NULL, event, 9, NULL) ==
          MEZ_XPTI_SUCCESS);
    xptiReleaseEvent(event);
    void *subscriber = dlopen(getenv("XPTI_SUBSCRIBERS"), RTLD_LAZY | RTLD_NOLOAD);
    CHECK(subscriber);
    CHECK(strstr(dlsym(subscriber, "subscriber_log"), "init:solver:1.0:1 10:saxpy:9 "));
}

static void events_reach_a_subscriber(void **state)
{
    (void)state;
    setenv("XPTI_FRAMEWORK_DISPATCHER", DISPATCHER, 1);
    setenv("XPTI_SUBSCRIBERS", PLAIN_SUBSCRIBER, 1);
    in_child(trace);
    assert_string_equal(reported, "");
}

static void load_by_path(void)
{
    CHECK(mez_xpti_load(DISPATCHER, NULL));
    CHECK(mez_xpti_load("/nowhere/else.so", NULL));
    trace();
}

static void the_first_path_decides(void **state)
{
    (void)state;
    setenv("XPTI_FRAMEWORK_DISPATCHER", "/nowhere/libxptifw.so", 1);
    setenv("XPTI_SUBSCRIBERS", PLAIN_SUBSCRIBER, 1);
    in_child(load_by_path);
    assert_string_equal(reported, "");
}

// As Intel's proxy does; a subscriber that is linked with no dispatcher must find it still.
static void open_for_itself(void)
{
    void *library = dlopen(DISPATCHER, RTLD_LAZY | RTLD_LOCAL);
    __typeof__(xptiInitialize) *initialize;
    const void *address = dlsym(library, "xptiInitialize");
    memcpy(&initialize, &address, sizeof initialize);
    CHECK(initialize("solver", 1, 0, "1") == MEZ_XPTI_SUCCESS);
    trace();
}

static void a_dispatcher_opened_for_itself_is_found_by_subscribers(void **state)
{
    (void)state;
    setenv("XPTI_FRAMEWORK_DISPATCHER", DISPATCHER, 1);
    setenv("XPTI_SUBSCRIBERS", PLAIN_SUBSCRIBER, 1);
    void *here = dlopen(DISPATCHER, RTLD_LAZY | RTLD_NOLOAD);
    assert_null(here); // else the child's would be global already
    in_child(open_for_itself);
}

static void ask_an_old_one(void)
{
    char *key;
    uint64_t value;
    CHECK(xptiInitialize("solver", 1, 0, "1") == MEZ_XPTI_FAIL);
    CHECK(mez_xpti_on());
    CHECK(!xptiCheckTraceEnabled(2, 0));
    CHECK(xptiStashTuple("a", 1) == MEZ_XPTI_NOT_IMPLEMENTED);
    CHECK(xptiGetStashedTuple(&key, &value) == MEZ_XPTI_NOT_IMPLEMENTED);
    CHECK(xptiDeleteTracepoint(&key) == MEZ_XPTI_NOT_IMPLEMENTED);
    CHECK(xptiGetEffectiveStreamDetailLevel(2) == MEZ_XPTI_DETAIL_NORMAL);
    xptiReleaseEvent(NULL);
    xptiForceSetTraceEnabled(true);
}

static void newer_functions_may_be_missing(void **state)
{
    (void)state;
    setenv("XPTI_FRAMEWORK_DISPATCHER", OLD_DISPATCHER, 1);
    in_child(ask_an_old_one);
    assert_string_equal(reported, "");
}

// --- With two

static void load_beside_a_global_one(void)
{
    CHECK(dlopen(SECOND_DISPATCHER, RTLD_LAZY | RTLD_GLOBAL));
    xptiFrameworkInitialize();
    xptiFrameworkInitialize();
}

static void load_beside_a_local_one(void)
{
    CHECK(dlopen(SECOND_DISPATCHER, RTLD_LAZY | RTLD_LOCAL));
    xptiFrameworkInitialize();
}

static void a_second_dispatcher_is_reported_once(void **state)
{
    (void)state;
    setenv("XPTI_FRAMEWORK_DISPATCHER", DISPATCHER, 1);
    in_child(load_beside_a_global_one);
    assert_non_null(strstr(reported, "xpti: two dispatchers are in this process"));
    assert_non_null(strstr(reported, SECOND_DISPATCHER "\" is loaded too"));
    assert_null(strstr(strstr(reported, "xpti: ") + 1, "xpti: "));
    in_child(load_beside_a_local_one);
    assert_non_null(strstr(reported, SECOND_DISPATCHER "\" is loaded too"));
}

static void the_same_dispatcher_twice_is_one(void **state)
{
    (void)state;
    setenv("XPTI_FRAMEWORK_DISPATCHER", SECOND_DISPATCHER, 1);
    in_child(load_beside_a_global_one);
    assert_string_equal(reported, "");
}

static void report(const char *message)
{
    fprintf(stderr, "reported: %s", message);
}

static void load_with_report(void)
{
    CHECK(!mez_xpti_load("/nowhere/libxptifw.so", report));
}

static void messages_go_where_they_are_wanted(void **state)
{
    (void)state;
    in_child(load_with_report);
    assert_ptr_equal(strstr(reported, "reported: no tracing, as "), reported);
}

// --- With threads

static void *ask_in_a_thread(void *unused)
{
    CHECK(xptiRegisterStream("solver") == 2);
    return unused;
}

static void ask_in_threads(void)
{
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        CHECK(pthread_create(&threads[i], NULL, ask_in_a_thread, NULL) == 0);
    for (int i = 0; i < 8; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
}

static void threads_may_all_come_first(void **state)
{
    (void)state;
    setenv("XPTI_FRAMEWORK_DISPATCHER", DISPATCHER, 1);
    in_child(ask_in_threads);
    assert_string_equal(reported, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(without_a_dispatcher_nothing_happens, start_without_environment),
        cmocka_unit_test_setup(
            a_dispatcher_that_is_not_there_is_reported, start_without_environment),
        cmocka_unit_test_setup(
            a_library_that_is_no_dispatcher_is_reported, start_without_environment),
        cmocka_unit_test_setup(events_reach_a_subscriber, start_without_environment),
        cmocka_unit_test_setup(the_first_path_decides, start_without_environment),
        cmocka_unit_test_setup(
            a_dispatcher_opened_for_itself_is_found_by_subscribers, start_without_environment),
        cmocka_unit_test_setup(newer_functions_may_be_missing, start_without_environment),
        cmocka_unit_test_setup(a_second_dispatcher_is_reported_once, start_without_environment),
        cmocka_unit_test_setup(the_same_dispatcher_twice_is_one, start_without_environment),
        cmocka_unit_test_setup(messages_go_where_they_are_wanted, start_without_environment),
        cmocka_unit_test_setup(threads_may_all_come_first, start_without_environment),
    };
    return cmocka_run_group_tests_name("proxy", tests, NULL, NULL);
}
