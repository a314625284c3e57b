// SPDX-License-Identifier: MIT
//
// What is settled when tracing begins: the graph, which is made once, and how much metadata the subscribers want. Here that is as
// little as there is.

#include "traced.h"

#include <stdlib.h>

// The first test: nothing has been forgotten yet.
static void test_the_graph_is_made_once_in_a_process(void **state)
{
    (void)state;
    mez_context *context;
    assert_int_equal(count_of(MEZ_XPTI_GRAPH_CREATE, "sycl.application.graph"), 1);
    assert_ok(mez_context_create(NULL, &context));
    mez_context_destroy(&context);
    assert_int_equal(count_of(MEZ_XPTI_GRAPH_CREATE, NULL), 1);
}

static void test_the_basic_level_has_names_alone(void **state)
{
    runtime *r = *state;
    assert_ok(submit_nothing(r, MEZ_TASK(.debug_name = "named")));
    assert_ok(mez_copy(r->queue, r->x, r->y, 64, NULL));
    const record *launch = must_find(MEZ_XPTI_NODE_CREATE, "nothing");
    const record *copy = find(launch + 1, MEZ_XPTI_NODE_CREATE, NULL);
    assert_true(has_metadata(launch, "kernel_name", "nothing"));
    assert_false(has_metadata(launch, "debug_name", ""));
    assert_false(has_metadata(launch, "sycl_device_name", ""));
    assert_true(has_metadata(copy, "memory_object", ""));
    assert_false(has_metadata(copy, "memory_size", ""));
    assert_false(has_metadata(copy, "src_memory_ptr", ""));
}

static void test_the_basic_level_says_where_memory_is_alone(void **state)
{
    runtime *r = *state;
    void *memory = mez_alloc_device(r->context, 4096, NULL);
    assert_ok(mez_free(r->context, memory));
    const record *allocation = must_find(MEZ_XPTI_NODE_CREATE, NULL);
    const record *release = find(allocation + 1, MEZ_XPTI_NODE_CREATE, NULL);
    assert_true(has_metadata(allocation, "memory_object", ""));
    assert_false(has_metadata(allocation, "memory_size", ""));
    assert_false(has_metadata(allocation, "allocation_type", ""));
    assert_true(has_metadata(release, "memory_object", ""));
    assert_false(has_metadata(release, "memory_size", ""));
}

int main(void)
{
    setenv("MEZ_TEST_DETAIL", "1", 1); // for the recorder
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_the_graph_is_made_once_in_a_process, runtime_setup, runtime_teardown),
        TRACED_TEST(test_the_basic_level_has_names_alone),
        TRACED_TEST(test_the_basic_level_says_where_memory_is_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
