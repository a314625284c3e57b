// SPDX-License-Identifier: MIT
//
// What pictures make of begins without ends, and of ends without begins.

#include "drawn.h"

static void what_did_not_end_is_cut(void **state)
{
    const int ring = claim_as(*state, 11, "main");
    say(*state, ring, call(1000, MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, 1));
    say(*state, ring, call(2000, MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, 2));
    expect_drawn(*state, trace_text_create, START + 9000,
        "     0.000001       11  > call outer\n"
        "     0.000002       11    > call inner\n"
        "     0.000009       11    < call inner 7.000 us, did not end\n"
        "     0.000009       11  < call outer 8.000 us, did not end\n"
        "     0.000009  exited with 0\n");
}

static void an_end_ends_what_was_begun_inside(void **state)
{
    const int ring = claim_as(*state, 11, "main");
    say(*state, ring, call(1000, MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, 1));
    say(*state, ring, call(2000, MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, 2));
    say(*state, ring, call(3000, MEZ_XPTI_FUNCTION_WITH_ARGS_END, 1));
    say(*state, ring, call(4000, MEZ_XPTI_FUNCTION_WITH_ARGS_END, 2)); // ended already
    expect_drawn(*state, trace_text_create, START + 9000,
        "     0.000001       11  > call outer\n"
        "     0.000002       11    > call inner\n"
        "     0.000003       11    < call inner 1.000 us, did not end\n"
        "     0.000003       11  < call outer 2.000 us\n"
        "     0.000009  exited with 0\n");
}

static void threads_that_leave_end_what_they_began(void **state)
{
    const struct trace_memory *memory = *state;
    const int ring = claim_as(memory, 11, "main");
    say(memory, ring, call(1000, MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, 1));
    trace_ring_leave(memory, ring);
    char *text = draw(memory, trace_timeline_create, START + 9000);
    assert_int_equal(count(text, "\"ph\":\"B\""), 1);
    assert_int_equal(count(text, "\"ph\":\"E\""), 1);
    free(text);
}

static void executions_that_did_not_end_are_cut(void **state)
{
    const struct trace_memory *memory = *state;
    const int ring = claim_as(memory, 11, "main");
    atomic_store(&memory->head->executions, 1);
    report_node(memory, ring, 1000, FIRST, "hang");
    report_task(memory, ring, 2000, 3000, FIRST, "hang");
    char *text = draw(memory, trace_timeline_create, END);
    assert_int_equal(count(text, "\"ph\":\"s\""), 1);
    assert_int_equal(count(text, "\"ph\":\"f\""), 1);
    assert_contains(text, "\"ts\":2.000,\"dur\":18.000,\"name\":\"hang\"");
    assert_contains(text, "\"cut\":true,\"measured\":false");
    free(text);
}

static void executions_that_nobody_measured_are_marked(void **state)
{
    const struct trace_memory *memory = *state;
    const int ring = claim_as(memory, 11, "main");
    atomic_store(&memory->head->executions, 1);
    report_node(memory, ring, 1000, FIRST, "saxpy");
    report_task(memory, ring, 2000, 3000, FIRST, "saxpy");
    say(memory, ring,
        (struct said){.time = START + 9000,
            .stream = TRACE_STREAM_EXECUTIONS,
            .type = MEZ_XPTI_TASK_END,
            .object = FIRST,
            .name = "saxpy",
            .file = "dir/saxpy.c",
            .line = 30,
            .instance = START + 8000,
            .number = 6000});
    char *text = draw(memory, trace_timeline_create, END);
    assert_contains(text,
        "\"ts\":2.000,\"dur\":6.000,\"name\":\"saxpy\",\"cat\":\"device,unmeasured\","
        "\"cname\":\"grey\"");
    assert_int_equal(count(text, "\"measured\":false"), 1);
    free(text);
}

static void executions_whose_end_was_lost_are_cut(void **state)
{
    const struct trace_memory *memory = *state;
    const int ring = claim_as(memory, 11, "main");
    atomic_store(&memory->head->executions, 1);
    report_node(memory, ring, 1000, FIRST, "saxpy");
    report_task(memory, ring, 2000, 3000, FIRST, "saxpy");
    report_node(memory, ring, 4000, FIRST, "sum"); // has its id: it is over
    expect_part(memory, trace_text_create, END,
        "device ran #1 saxpy 2.000 us, did not end since its submission\n"
        "     0.000004       11  node sum #2 at dir/saxpy.c:30\n");
}

static void no_arrow_leads_nowhere(void **state)
{
    const int ring = claim_as(*state, 11, "main");
    report_node(
        *state, ring, 1000, FIRST, "foreign"); // by a runtime that does not report executions
    report_task(*state, ring, 2000, 3000, FIRST, "foreign");
    char *text = draw(*state, trace_timeline_create, END);
    assert_int_equal(count(text, "\"ph\":\"s\""), 0);
    assert_int_equal(count(text, "\"ph\":\"f\""), 0);
    free(text);
}

static void no_thread_goes_back_in_time(void **state)
{
    const int ring = claim_as(*state, 11, "main");
    say(*state, ring, call(3000, MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, 1));
    say(*state, ring, call(2000, MEZ_XPTI_FUNCTION_WITH_ARGS_END, 1));
    expect_part(
        *state, trace_text_create, START + 9000, "0.000003       11  < call outer 0.000 us\n");
}

// As many ends are lost as one stack of slices has room for, and then some.
static void lost_ends_hide_nothing_that_comes_later(void **state)
{
    struct trace_memory memory = memory_of(LARGE_RING);
    const int ring = claim_as(&memory, 11, "main");
    for (uint64_t i = 2; i < 402; i++)
        say(&memory, ring, call(i, MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, i));
    char *text = draw(&memory, trace_text_create, START + 9000);
    assert_int_equal(count(text, "> call inner"), 400);
    assert_int_equal(count(text, "< call inner"), 400);
    free(text);
    trace_memory_finish(&memory);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_did_not_end_is_cut),
        TEST(an_end_ends_what_was_begun_inside),
        TEST(threads_that_leave_end_what_they_began),
        TEST(executions_that_did_not_end_are_cut),
        TEST(executions_that_nobody_measured_are_marked),
        TEST(executions_whose_end_was_lost_are_cut),
        TEST(no_arrow_leads_nowhere),
        TEST(no_thread_goes_back_in_time),
        cmocka_unit_test(lost_ends_hide_nothing_that_comes_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
