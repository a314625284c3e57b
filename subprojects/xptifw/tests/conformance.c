// SPDX-License-Identifier: MIT
//
// Makes nodes with metadata of many sizes for the subscriber in C++, goes on adding to what that has changed, and releases them. Run
// under valgrind, it also shows whether each side may free what the other has allocated.

#include "test.h"

#include <dlfcn.h>

static int count_of(const char *name)
{
    void *library = dlopen(getenv("XPTI_SUBSCRIBERS"), RTLD_LAZY | RTLD_NOLOAD);
    assert_non_null(library);
    const int *count = dlsym(library, name);
    assert_non_null(count);
    const int value = *count;
    dlclose(library);
    return value;
}

static void add(mez_xpti_event *event, int first, int count, mez_xpti_result expected)
{
    char key[32];
    for (int i = first; i < first + count; i++) {
        snprintf(key, sizeof key, "key %d", i);
        assert_int_equal(xptiAddMetadata(event, key, i), expected);
    }
}

// What the subscriber has left: the odd keys except for the one that came first, and one more.
static void send_node(mez_xpti_stream stream, int known)
{
    mez_xpti_event *event = visit("saxpy", "main.c", 7);
    add(event, 0, known, MEZ_XPTI_SUCCESS);
    xptiNotifySubscribers(stream, MEZ_XPTI_NODE_CREATE, NULL, event, 1, &known);
    assert_int_equal(event->metadata.count, (size_t)(known + 40) / 2);
    add(event, 3000, 100, MEZ_XPTI_SUCCESS);
    add(event, 3000, 100, MEZ_XPTI_DUPLICATE);
    assert_int_equal(event->metadata.count, (size_t)(known + 40) / 2 + 100);
    assert_int_equal(value_of(event, "key 3099"), 3099);
    assert_int_equal(value_of(event, "key 2000"), 2000);
    xptiReleaseEvent(event);
}

static void a_subscriber_in_cxx_finds_what_it_expects(void **state)
{
    (void)state;
    const int sizes[] = {0, 1, 2, 8, 15, 16, 17, 32, 33, 34, 100};
    assert_int_equal(xptiInitialize("solver", 1, 0, "1"), MEZ_XPTI_SUCCESS);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        send_node(xptiRegisterStream("solver"), sizes[i]);
    assert_true(count_of("checked") > 1000);
    assert_int_equal(count_of("wrong"), 0);
    xptiReset();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_subscriber_in_cxx_finds_what_it_expects),
    };
    return cmocka_run_group_tests_name("conformance", tests, NULL, NULL);
}
