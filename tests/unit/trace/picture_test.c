// SPDX-License-Identifier: MIT
//
// What pictures show of small stories whose every time is known.

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yajl/yajl_tree.h>

#include "base/alloc.h"
#include "drawn.h"
#include "graphviz.h"

static mez_error make_dot(FILE *file, const char *name, struct trace_picture **picture)
{
    return trace_graph_create(file, name, false, picture);
}

static mez_error make_svg(FILE *file, const char *name, struct trace_picture **picture)
{
    return trace_graph_create(file, name, true, picture);
}

// --- A story: two commands, the second waits for the first

static void report_story(const struct trace_memory *memory)
{
    const int main_thread = claim_as(memory, 11, "main"), other = claim_as(memory, 12, "other");
    atomic_store(&memory->head->executions, 1);
    report_node(memory, main_thread, 1000, FIRST, "saxpy");
    report_task(memory, main_thread, 2000, 3000, FIRST, "saxpy");
    report_node(memory, main_thread, 4000, SECOND, "sum");
    say(memory, main_thread,
        (struct said){.time = START + 4500,
            .type = MEZ_XPTI_EDGE_CREATE,
            .name = "Event[0x1]",
            .parent = FIRST,
            .instance = SECOND});
    report_task(memory, main_thread, 5000, 6000, SECOND, "sum");
    report_execution(memory, other, 9000, 2500, 8000, FIRST, "saxpy");
    report_execution(memory, other, 12000, 8500, 11000, SECOND, "sum");
}

#define PLACE "\"source\":\"dir/saxpy.c:30\","

static void a_timeline_has_threads_queues_and_arrows(void **state)
{
    report_story(*state);
    expect_drawn(*state, trace_timeline_create, END,
        "{\"displayTimeUnit\":\"ns\",\"traceEvents\":["
        "{\"ph\":\"M\",\"pid\":10,\"tid\":11,\"ts\":0.000,\"name\":\"thread_name\",\"args\":{"
        "\"name\":\"main\"}},"
        "{\"ph\":\"B\",\"pid\":10,\"tid\":11,\"ts\":2.000,\"name\":\"saxpy\",\"cat\":\"tasks\","
        "\"args\":{" PLACE "\"command\":1,\"queue\":3}},"
        "{\"ph\":\"s\",\"pid\":10,\"tid\":11,\"ts\":2.000,\"name\":\"execution\",\"cat\":"
        "\"submission\",\"id\":1},"
        "{\"ph\":\"E\",\"pid\":10,\"tid\":11,\"ts\":3.000,\"name\":\"saxpy\",\"cat\":\"tasks\","
        "\"args\":{" PLACE "\"command\":1,\"queue\":3}},"
        "{\"ph\":\"B\",\"pid\":10,\"tid\":11,\"ts\":5.000,\"name\":\"sum\",\"cat\":\"tasks\","
        "\"args\":{" PLACE "\"command\":2,\"queue\":3}},"
        "{\"ph\":\"s\",\"pid\":10,\"tid\":11,\"ts\":5.000,\"name\":\"execution\",\"cat\":"
        "\"submission\",\"id\":2},"
        "{\"ph\":\"E\",\"pid\":10,\"tid\":11,\"ts\":6.000,\"name\":\"sum\",\"cat\":\"tasks\","
        "\"args\":{" PLACE "\"command\":2,\"queue\":3}},"
        "{\"ph\":\"M\",\"pid\":10,\"tid\":1000000001,\"ts\":0.000,\"name\":\"thread_name\","
        "\"args\":{\"name\":\"queue 3\"}},"
        "{\"ph\":\"X\",\"pid\":10,\"tid\":1000000001,\"ts\":2.500,\"dur\":5.500,\"name\":\"saxpy\","
        "\"cat\":\"device\","
        "\"args\":{" PLACE "\"command\":1,\"queue\":3}},"
        "{\"ph\":\"f\",\"pid\":10,\"tid\":1000000001,\"ts\":2.500,\"name\":\"execution\",\"cat\":"
        "\"submission\",\"id\":1,\"bp\":\"e\"},"
        "{\"ph\":\"X\",\"pid\":10,\"tid\":1000000001,\"ts\":8.500,\"dur\":2.500,\"name\":\"sum\","
        "\"cat\":\"device\","
        "\"args\":{" PLACE "\"command\":2,\"queue\":3}},"
        "{\"ph\":\"f\",\"pid\":10,\"tid\":1000000001,\"ts\":8.500,\"name\":\"execution\",\"cat\":"
        "\"submission\",\"id\":2,\"bp\":\"e\"},"
        "{\"ph\":\"i\",\"pid\":0,\"tid\":0,\"ts\":20.000,\"s\":\"g\",\"name\":\"exited with "
        "0\",\"cat\":\"end\"}],"
        "\"otherData\":{\"ended\":\"exited with "
        "0\",\"events\":9,\"events_lost\":0,\"names_lost\":0,\"rings_damaged\":0,"
        "\"processes_going_on\":0}}\n");
}

static void a_text_has_a_line_for_each_event(void **state)
{
    report_story(*state);
    expect_drawn(*state, trace_text_create, END,
        "     0.000001       11  node saxpy #1 at dir/saxpy.c:30\n"
        "     0.000002       11  > task saxpy at dir/saxpy.c:30\n"
        "     0.000003       11  < task saxpy 1.000 us\n"
        "     0.000004       11  node sum #2 at dir/saxpy.c:30\n"
        "     0.000004       11  #2 waits for #1: Event[0x1]\n"
        "     0.000005       11  > task sum at dir/saxpy.c:30\n"
        "     0.000006       11  < task sum 1.000 us\n"
        "     0.000008       12  device ran #1 saxpy 5.500 us\n"
        "     0.000011       12  device ran #2 sum 2.500 us\n"
        "     0.000020  exited with 0\n");
}

static void statistics_have_sums_and_idle_times(void **state)
{
    report_story(*state);
    expect_drawn(*state, trace_statistics_create, END,
        "commands on devices, in us\n"
        "     count        total          min       median          p99          max          "
        "bytes  name\n"
        "         1        5.500        5.500        5.500        5.500        5.500               "
        "  saxpy\n"
        "         1        2.500        2.500        2.500        2.500        2.500               "
        "  sum\n"
        "\n"
        "queues, in us\n"
        "  commands       in use         idle   idle %  queue\n"
        "         2        8.000        0.500      5.9  queue 3\n"
        "\n"
        "threads of the program, in us\n"
        "     count        total          min       median          p99          max          "
        "bytes  name\n"
        "         1        1.000        1.000        1.000        1.000        1.000               "
        "  task saxpy\n"
        "         1        1.000        1.000        1.000        1.000        1.000               "
        "  task sum\n"
        "\n"
        "9 events in 0.000020 s; exited with 0\n");
}

static void a_graph_has_tasks_and_what_they_wait_for(void **state)
{
    report_story(*state);
    expect_drawn(*state, make_dot, END,
        "digraph tasks {\n"
        "\tgraph [fontname=Helvetica, rankdir=TB];\n"
        "\tnode [color=\"#606060\", fontname=Helvetica, shape=box, style=\"filled,rounded\"];\n"
        "\t1 [fillcolor=\"#cfe8cf\", label=\"saxpy\\nsaxpy.c:30\"];\n"
        "\t2 [fillcolor=\"#cfe8cf\", label=\"sum\\nsaxpy.c:30\"];\n"
        "\t1 -> 2;\n"
        "\tlabel=\"exited with 0\";\n"
        "}\n");
}

static void a_graph_is_drawn(void **state)
{
    if (mez_failed(trace_graphviz_check("test"))) {
        print_message("there is no program dot\n");
        skip();
    }
    report_story(*state);
    char *text = draw(*state, make_svg, END);
    assert_contains(text, "<svg");
    assert_contains(text, ">saxpy.c:30</text>");
    assert_contains(text, "</svg>");
    free(text);
}

// Programs of that name come from a folder of the test's own.
static void with_dot(const char *script, char folder[32])
{
    char path[64];
    strcpy(folder, "/tmp/mez-dot-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/dot", folder);
    if (script) {
        FILE *file = fopen(path, "we");
        assert_non_null(file);
        fputs(script, file);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(chmod(path, 0755), 0);
    }
    assert_int_equal(setenv("PATH", folder, 1), 0);
}

static void without_dot(const char *folder, const char *path)
{
    char program[64];
    snprintf(program, sizeof program, "%s/dot", folder);
    unlink(program);
    rmdir(folder);
    setenv("PATH", path, 1);
}

static void a_drawing_without_graphviz_says_what_to_install(void **state)
{
    char folder[32], *path = strdup(getenv("PATH"));
    (void)state;
    with_dot(NULL, folder);
    const mez_error error = trace_graphviz_check("app.svg");
    assert_story(error, MEZ_ERRC_FILE, "dot can't be run");
    assert_story(error, MEZ_ERRC_FILE, "picture: app.svg");
    assert_story(error, MEZ_ERRC_FILE, "advice: install the package graphviz");
    without_dot(folder, path);
    free(path);
}

// How a child ended goes to a file then, which only root could make beside /dev/null.
static void graphviz_is_found_where_children_are_ignored(void **state)
{
    char folder[32], *path = strdup(getenv("PATH"));
    (void)state;
    with_dot("#!/bin/sh\nread -r parent </proc/$PPID/cmdline\n"
             "case $parent in */dev/null.status*) exit 3 ;; esac\n",
        folder);
    signal(SIGCHLD, SIG_IGN);
    const mez_error error = trace_graphviz_check("app.svg");
    signal(SIGCHLD, SIG_DFL);
    assert_ok(error);
    without_dot(folder, path);
    free(path);
}

static void what_graphviz_says_of_a_failure_is_reported(void **state)
{
    char folder[32], *path = strdup(getenv("PATH"));
    (void)state;
    with_dot("#!/bin/sh\necho no layout for you\nexit 3\n", folder);
    const mez_error error = trace_graphviz_draw("digraph {}", 10, stderr, "app.svg");
    assert_story(error, MEZ_ERRC_COMPILE_PROGRAM, "dot failed: exit status 3");
    assert_story(error, MEZ_ERRC_COMPILE_PROGRAM, "no layout for you");
    without_dot(folder, path);
    free(path);
}

// --- Words

static void losses_are_reported_in_every_picture(void **state)
{
    static make_picture *const makers[] = {
        trace_text_create, trace_statistics_create, trace_timeline_create, make_dot};
    static const char *const reported[] = {"events lost: 3\n", "3 events were lost",
        "\"name\":\"events lost\",\"cat\":\"tasks\",\"s\":\"t\",\"args\":{\"events\":3}",
        "3 events were lost"};
    for (size_t i = 0; i < 4; i++) {
        struct trace_memory memory = small_memory();
        const int ring = claim_as(&memory, 11, "main");
        say(&memory, ring, call(1000, MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, 1));
        atomic_store(&memory.rings[ring].lost, 3);
        expect_part(&memory, makers[i], START + 9000, reported[i]);
        trace_memory_finish(&memory);
    }
    (void)state;
}

static void a_graph_says_what_sort_of_thing_is_missing(void **state)
{
    const struct trace_memory *memory = *state;
    atomic_store(&memory->head->strings_lost, 2);
    atomic_store(&memory->head->ringless, 7);
    expect_part(memory, make_dot, START + 9000,
        "exited with 0\\n7 events were lost, as more threads than rings were traced at a time\\n2 "
        "names were lost");
}

static struct said node(uint64_t id)
{
    return (struct said){.time = START + id,
        .type = MEZ_XPTI_NODE_CREATE,
        .object = id,
        .name = "n",
        .file = "n.c",
        .line = 1};
}

static void arrows_that_are_not_drawn_are_counted(void **state)
{
    struct trace_memory memory = memory_of(LARGE_RING);
    const int ring = claim_as(&memory, 11, "main");
    say(&memory, ring, node(1));
    say(&memory, ring, node(2));
    for (int i = 0; i < 2003; i++)
        say(&memory, ring,
            (struct said){
                .time = START + 3, .type = MEZ_XPTI_EDGE_CREATE, .parent = 1, .instance = 2});
    expect_part(&memory, make_dot, START + 9000, "exited with 0\\n3 more arrows are not drawn");
    trace_memory_finish(&memory);
    (void)state;
}

static void queues_without_a_row_are_counted(void **state)
{
    struct trace_memory memory = memory_of(LARGE_RING);
    const int ring = claim_as(&memory, 11, "main");
    for (uint64_t queue = 1; queue <= 260; queue++) {
        struct said said = node(queue);
        said.key = "queue_id";
        said.value_type = TRACE_VALUE_UNSIGNED;
        said.value = &queue;
        said.value_size = sizeof queue;
        say(&memory, ring, said);
        said = node(queue);
        said.stream = TRACE_STREAM_EXECUTIONS;
        said.type = MEZ_XPTI_TASK_END;
        said.instance = START + queue;
        say(&memory, ring, said);
    }
    expect_part(&memory, trace_statistics_create, START + 9000,
        "         4 more in queues after the first 256\n");
    trace_memory_finish(&memory);
    (void)state;
}

static void a_loss_moves_nothing_in_time(void **state)
{
    const struct trace_memory *memory = *state;
    const int ring = claim_as(memory, 11, "main");
    say(memory, ring, call(1000, MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, 1));
    say(memory, ring, call(3000, MEZ_XPTI_FUNCTION_WITH_ARGS_END, 1));
    atomic_store(&memory->rings[ring].lost, 3);
    expect_drawn(memory, trace_text_create, START + 9000,
        "     0.000001       11  > call outer\n"
        "     0.000003       11  < call outer 2.000 us\n"
        "     0.000009       11  loss events lost: 3\n"
        "     0.000009  exited with 0\n"
        "3 events were lost, as their thread's ring was full: MEZ_TRACE_BUFFER makes rings "
        "larger\n");
}

static void calls_have_arguments_and_results(void **state)
{
    const int ring = claim_as(*state, 11, "main");
    static const uint64_t values[] = {0x7fffffff1000, 5};
    struct said said = call(1000, MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, 1);
    said.key = "list, f(a, b)";
    said.value_type = TRACE_VALUE_BYTES;
    said.value = values;
    said.value_size = sizeof values;
    say(*state, ring, said);
    const uint32_t result = trace_string_intern(*state, "MEZ_ERRC_ND_RANGE");
    said = call(2000, MEZ_XPTI_FUNCTION_WITH_ARGS_END, 1);
    said.flags = TRACE_FAILED;
    said.key = "result";
    said.value_type = TRACE_VALUE_STRING;
    said.value = &result;
    said.value_size = sizeof result;
    say(*state, ring, said);
    char *text = draw(*state, trace_timeline_create, START + 9000);
    assert_contains(text, "\"args\":{\"arguments\":\"list = 0x7fffffff1000, f(a, b) = 5\"}");
    assert_contains(text, "\"args\":{\"result\":\"MEZ_ERRC_ND_RANGE\",\"failed\":true}");
    free(text);
}

#define NASTY "a\"b\\c\nd\x01\xff<e>\xc3\xa9"

static void nasty_names_break_no_picture(void **state)
{
    const int ring = claim_as(*state, 11, "main");
    report_node(*state, ring, 1000, FIRST, NASTY);
    report_task(*state, ring, 2000, 3000, FIRST, NASTY);
    char *json = draw(*state, trace_timeline_create, END);
    char error[200];
    yajl_val tree = yajl_tree_parse(json, error, sizeof error);
    assert_non_null(tree);
    yajl_val events = yajl_tree_get(tree, (const char *[]){"traceEvents", NULL}, yajl_t_array);
    yajl_val name = yajl_tree_get(
        YAJL_GET_ARRAY(events)->values[1], (const char *[]){"name", NULL}, yajl_t_string);
    assert_string_equal(YAJL_GET_STRING(name), "a\"b\\c\nd\x01\xef\xbf\xbd<e>\xc3\xa9");
    yajl_tree_free(tree);
    free(json);
}

static void nasty_names_are_drawn_as_they_are(void **state)
{
    const int ring = claim_as(*state, 11, "main");
    report_node(*state, ring, 1000, FIRST, NASTY);
    char *dot = draw(*state, make_dot, END);
    assert_contains(dot, "label=\"a\\\"b\\\\c d ?<e>\xc3\xa9\\nsaxpy.c:30\"];\n");
    free(dot);
}

// A wait whose event has the id of a command that is over.
static void ids_come_back_for_other_things(void **state)
{
    const int ring = claim_as(*state, 11, "main");
    report_node(*state, ring, 1000, FIRST, "saxpy");
    say(*state, ring,
        (struct said){.time = START + 2000,
            .type = MEZ_XPTI_WAIT_BEGIN,
            .object = FIRST,
            .name = "queue.wait",
            .file = "dir/saxpy.c",
            .line = 30});
    expect_part(*state, trace_text_create, END, "> wait queue.wait at dir/saxpy.c:30\n");
}

// --- Memory

static mez_error make_all(const struct trace_memory *memory, make_picture *make)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    struct trace_picture *picture = NULL;
    struct trace_follow *follow = NULL;
    struct trace_drain *drain = NULL;
    mez_error error = make(file, "test", &picture);
    if (!mez_failed(error))
        error = trace_follow_create(memory, START, &picture, 1, &follow);
    if (!mez_failed(error))
        error = trace_drain_create(memory, &drain);
    trace_drain_destroy(&drain);
    trace_follow_destroy(&follow);
    if (picture)
        picture->destroy(picture);
    fclose(file);
    free(text);
    return error;
}

static void missing_memory_is_an_error(void **state)
{
    static make_picture *const makers[] = {
        trace_text_create, trace_statistics_create, trace_timeline_create, make_dot, make_svg};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        unsigned failures = 0;
        mez_error error;
        do {
            mez_alloc_fail_at(failures + 1);
            error = make_all(*state, makers[i]);
            mez_alloc_fail_at(0);
            if (mez_failed(error))
                assert_condition(error, MEZ_ERRC_OUT_OF_HOST_MEMORY);
        } while (mez_failed(error) && ++failures < 100);
        assert_uint_in_range(failures, 4, 99);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_timeline_has_threads_queues_and_arrows),
        TEST(a_text_has_a_line_for_each_event),
        TEST(statistics_have_sums_and_idle_times),
        TEST(a_graph_has_tasks_and_what_they_wait_for),
        TEST(a_graph_is_drawn),
        TEST(a_drawing_without_graphviz_says_what_to_install),
        TEST(graphviz_is_found_where_children_are_ignored),
        TEST(what_graphviz_says_of_a_failure_is_reported),
        TEST(losses_are_reported_in_every_picture),
        TEST(a_graph_says_what_sort_of_thing_is_missing),
        cmocka_unit_test(arrows_that_are_not_drawn_are_counted),
        cmocka_unit_test(queues_without_a_row_are_counted),
        TEST(a_loss_moves_nothing_in_time),
        TEST(calls_have_arguments_and_results),
        TEST(ids_come_back_for_other_things),
        TEST(nasty_names_break_no_picture),
        TEST(nasty_names_are_drawn_as_they_are),
        TEST(missing_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
