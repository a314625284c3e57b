// SPDX-License-Identifier: MIT
//
// A program that reports commands as the library does, without any device, and then ends as its argument says:
//
//     traced exit|abort|kill|sleep|threads|fork|many COUNT [PER_SECOND]|unread|names|reset|exec|outlive

#include <mezzanine/trace.h>
#include <mezzanine/xpti.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static mez_xpti_stream tasks, device, calls;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static mez_xpti_stream announce(const char *name)
{
    const mez_xpti_stream stream = xptiRegisterStream(name);
    xptiInitialize(name, 1, 0, "traced 1.0");
    return stream;
}

static void open_streams(void)
{
    xptiFrameworkInitialize();
    device = announce(MEZ_TRACE_STREAM_DEVICE);
    tasks = announce(MEZ_TRACE_STREAM_TASKS);
    calls = announce(MEZ_TRACE_STREAM_CALLS);
}

static mez_xpti_event *make(const char *name, unsigned line)
{
    uint64_t instance;
    mez_xpti_payload payload = {.name = name,
        .file = "traced.c",
        .line = line,
        .flags = MEZ_XPTI_HAS_NAME | MEZ_XPTI_HAS_FILE | MEZ_XPTI_HAS_LINE};
    return xptiMakeEvent(NULL, &payload, MEZ_XPTI_EVENT_GRAPH, MEZ_XPTI_ACTIVITY_ACTIVE, &instance);
}

static void report(mez_xpti_stream stream, uint16_t type, mez_xpti_event *event, const void *data)
{
    xptiNotifySubscribers(stream, type, NULL, event, event->instance_id, data);
}

static void add_text(mez_xpti_event *node, const char *key, const char *text)
{
    xptiAddMetadata(node, key, xptiRegisterObject(text, strlen(text), MEZ_XPTI_STRING));
}

static void add_launch(mez_xpti_event *node)
{
    const mez_xpti_kernel_launch launch = {
        .global_size = {64, 2, 1}, .local_size = {8, 1, 1}, .argument_count = 2};
    const mez_xpti_kernel_argument pointer = {.type = 3, .pointer = (void *)0x1000, .size = 8};
    const mez_xpti_kernel_argument value = {.type = 1, .size = 4, .index = 1};
    xptiAddMetadata(node, "enqueue_kernel_data",
        xptiRegisterObject((const char *)&launch, sizeof launch, MEZ_XPTI_BINARY));
    xptiAddMetadata(
        node, "arg0", xptiRegisterObject((const char *)&pointer, sizeof pointer, MEZ_XPTI_BINARY));
    xptiAddMetadata(
        node, "arg1", xptiRegisterObject((const char *)&value, sizeof value, MEZ_XPTI_BINARY));
}

// As much as somebody wants to know.
static mez_xpti_event *make_node(const char *name, unsigned line)
{
    mez_xpti_event *node = make(name, line);
    const uint8_t detail = xptiGetEffectiveStreamDetailLevel(tasks);
    add_text(node, "kernel_name", name);
    if (detail >= MEZ_XPTI_DETAIL_NORMAL)
        add_text(node, "sycl_device_name", "test processor");
    if (detail >= MEZ_XPTI_DETAIL_VERBOSE) {
        add_text(node, "sym_caller_name", "main");
        add_launch(node);
    }
    xptiStashTuple("queue_id", 4);
    report(tasks, MEZ_XPTI_NODE_CREATE, node, "command_group_node");
    return node;
}

static void wait_for(const mez_xpti_event *from, const mez_xpti_event *to)
{
    mez_xpti_event *edge = make("Event[0x10]", 1);
    edge->source_id = from->unique_id;
    edge->target_id = to->unique_id;
    edge->flags |= MEZ_XPTI_EVENT_HAS_SOURCE | MEZ_XPTI_EVENT_HAS_TARGET;
    report(tasks, MEZ_XPTI_EDGE_CREATE, edge, NULL);
    xptiReleaseEvent(edge);
}

static void submit(mez_xpti_event *node)
{
    mez_xpti_event *call = make("mez_submit", 77);
    static const uint64_t values[] = {0x123456789abc, 64};
    mez_trace_arguments arguments = {.names = "queue, range", .count = 2, .values = values};
    mez_xpti_function function = {.name = "mez_submit", .arguments = &arguments};
    report(calls, MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, call, &function);
    report(tasks, MEZ_XPTI_TASK_BEGIN, node, NULL);
    report(tasks, MEZ_XPTI_TASK_END, node, NULL);
    mez_trace_result result = {.name = "success"};
    function.result = &result;
    report(calls, MEZ_XPTI_FUNCTION_WITH_ARGS_END, call, &function);
    xptiReleaseEvent(call);
}

static void ran(mez_xpti_event *node, uint64_t begin)
{
    const mez_trace_execution execution = {
        .submitted = begin, .begin = begin, .end = now(), .queue_id = 4, .measured = true};
    report(device, MEZ_XPTI_TASK_BEGIN, node, &execution);
    report(device, MEZ_XPTI_TASK_END, node, &execution);
}

static void run_two(const char *first_name, const char *second_name)
{
    mez_xpti_event *first = make_node(first_name, 10), *second = make_node(second_name, 20);
    wait_for(first, second);
    submit(first);
    const uint64_t begin = now();
    submit(second);
    ran(first, begin);
    ran(second, now());
    xptiReleaseEvent(first);
    xptiReleaseEvent(second);
}

// A call is open and a command runs.
static void be_in_the_middle(void)
{
    mez_xpti_event *node = make_node("endless", 30);
    submit(node);
    mez_xpti_event *wait = make("queue.wait", 31);
    report(tasks, MEZ_XPTI_WAIT_BEGIN, wait, NULL);
}

static void *run_thread(void *argument)
{
    for (int i = 0; i < 100; i++)
        run_two("left", "right");
    return argument;
}

static void run_threads(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        if (pthread_create(&threads[i], NULL, run_thread, NULL) != 0)
            abort();
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

static void run_forked(void)
{
    const pid_t child = fork();
    if (child < 0)
        abort();
    run_two(child ? "parent" : "child", "second");
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
}

// Thirteen events that are kept each. So many a second, in portions of a millisecond; 0: as fast as it goes.
static void run_many(long count, long rate)
{
    const uint64_t start = now();
    for (long done = 0; done < count; done += 13) {
        const uint64_t due = rate ? start + (uint64_t)(1e9 * (double)done / (double)rate) : 0;
        if (due > now() + 1000000)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        run_two("left", "right");
    }
}

// Whether all threads of a process stand: its state comes behind the name, which is in parentheses.
static bool stands_still(pid_t process)
{
    char path[64], line[512] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file))
        abort();
    fclose(file);
    const char *name_end = strrchr(line, ')');
    return name_end && strncmp(name_end, ") T", 3) == 0;
}

// More than a ring of 1 MiB takes, while nobody reads it: `mez trace`, which started this program, is stopped meanwhile.
static void run_unread(void)
{
    const pid_t mez = getppid();
    if (kill(mez, SIGSTOP) != 0)
        abort();
    while (!stands_still(mez))
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    run_many(40000, 0);
    kill(mez, SIGCONT);
}

// The numbers of all strings and values are given out again.
static void run_reset(void)
{
    xptiReset();
    open_streams();
    run_two("sum", "saxpy");
}

// Another program in the same process, while the trace of this one is being written.
static void run_exec(char *program)
{
    char *const arguments[] = {program, "exit", NULL};
    execv(program, arguments);
    abort();
}

// Two children go on when this process has ended: one that has reported something before, and one that has not.
static void run_outlived(void)
{
    int ready[2];
    char byte = 0;
    const pid_t self = getpid();
    if (pipe(ready) != 0)
        abort();
    for (int i = 0; i < 2; i++) {
        if (fork() != 0)
            continue;
        if (i == 0)
            run_two("before", "second");
        if (write(ready[1], &byte, 1) != 1)
            abort();
        while (getppid() == self)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        run_two("after", "second");
        _exit(0);
    }
    for (int i = 0; i < 2; i++)
        if (read(ready[0], &byte, 1) != 1)
            abort();
}

static int end_as(int count, char **arguments)
{
    const char *how = count > 1 ? arguments[1] : "exit";
    if (strcmp(how, "threads") == 0)
        run_threads();
    if (strcmp(how, "fork") == 0)
        run_forked();
    if (strcmp(how, "many") == 0 && count > 2)
        run_many(atol(arguments[2]), count > 3 ? atol(arguments[3]) : 0);
    if (strcmp(how, "unread") == 0)
        run_unread();
    if (strcmp(how, "names") == 0)
        run_two("a\"b\\c\nd\x01\xff<e>", "\xc3\xa9&;\t'");
    if (strcmp(how, "reset") == 0)
        run_reset();
    if (strcmp(how, "outlive") == 0)
        run_outlived();
    if (strcmp(how, "exec") == 0)
        run_exec(arguments[0]);
    if (strcmp(how, "exit") == 0)
        return 3;
    be_in_the_middle();
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(how, "sleep") == 0) {
        puts("ready");
        fflush(stdout);
        for (;;)
            pause();
    }
    return 0;
}

int main(int count, char **arguments)
{
    open_streams();
    run_two("saxpy", "sum");
    const int code = end_as(count, arguments);
    xptiFinalize(MEZ_TRACE_STREAM_TASKS);
    xptiFrameworkFinalize();
    return code;
}
