// SPDX-License-Identifier: MIT
//
// What tracing costs with a dispatcher: the cases. "Ours" goes through the static library, as a program does that is traced, to the
// dispatcher that XPTI_FRAMEWORK_DISPATCHER names, ours or another.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <mezzanine/xpti_proxy.h>

#include "callgrind.h"
#include "measure.h"

enum { QUIET_TYPE = MEZ_XPTI_TASK_END, HEARD_TYPE = MEZ_XPTI_TASK_BEGIN, KEYS = 6 };

static mez_xpti_stream stream;
static mez_xpti_event *event, *events[PERF_ROUND];
static mez_xpti_object object;
static uint32_t new_line;

static mez_xpti_payload place = {
    .name = "saxpy",
    .file = "main.c",
    .line = 7,
    .flags = MEZ_XPTI_HAS_NAME | MEZ_XPTI_HAS_FILE | MEZ_XPTI_HAS_LINE,
};

static const char *const keys[KEYS] = {
    "kernel_name", "sycl_device", "sycl_device_type", "sycl_device_name", "queue", "memory_object"};

static void hear(uint16_t type, mez_xpti_event *parent, mez_xpti_event *heard, uint64_t number,
    const void *user_data)
{
    (void)type, (void)parent, (void)heard, (void)number, (void)user_data;
}

static inline mez_xpti_event *make(void)
{
    uint64_t instance;
    return xptiMakeEvent(NULL, &place, MEZ_XPTI_EVENT_GRAPH, MEZ_XPTI_ACTIVITY_ACTIVE, &instance);
}

// --- Around the measured loops

static void switch_off(void)
{
    xptiForceSetTraceEnabled(false);
}

static void switch_on(void)
{
    xptiForceSetTraceEnabled(true);
}

// As it is in a program that nobody traces.
static void forget_dispatcher(void)
{
    mez_xpti_loaded = 0;
}

static void remember_dispatcher(void)
{
    mez_xpti_loaded = 1;
}

static void make_events(void)
{
    for (unsigned i = 0; i < PERF_ROUND; i++)
        events[i] = make();
}

static void release_events(void)
{
    for (unsigned i = 0; i < PERF_ROUND; i++)
        xptiReleaseEvent(events[i]);
}

// --- What is measured

static inline void notify(uint16_t type, mez_xpti_event *it)
{
    xptiNotifySubscribers(stream, type, NULL, it, it->instance_id, NULL);
}

static inline void add_keys(mez_xpti_event *it)
{
    for (int i = 0; i < KEYS; i++)
        xptiAddMetadata(it, keys[i], object);
}

// What a runtime does for one command: a node, what it is, its beginning and end, and a native event between.
static inline void trace_command(void)
{
    mez_xpti_event *it = make();
    add_keys(it);
    xptiStashTuple("queue_id", 1);
    for (int i = 0; i < 4; i++)
        notify(HEARD_TYPE, it);
    xptiReleaseEvent(it);
}

static inline void make_elsewhere(unsigned i)
{
    mez_xpti_payload other = place;
    uint64_t instance;
    other.line = 1000 + new_line++;
    events[i] = xptiMakeEvent(NULL, &other, MEZ_XPTI_EVENT_GRAPH, 1, &instance);
}

PERF_OPERATION(not_traced, if (mez_xpti_on()) notify(HEARD_TYPE, event))
PERF_OPERATION(notify_heard, notify(HEARD_TYPE, event))
PERF_OPERATION(notify_quiet, notify(QUIET_TYPE, event))
PERF_OPERATION(check_heard, xptiCheckTraceEnabled(stream, HEARD_TYPE))
PERF_OPERATION(make_again, events[i] = make())
PERF_OPERATION(make_new, make_elsewhere(i))
PERF_OPERATION(release, xptiReleaseEvent(events[i]))
PERF_OPERATION(find, xptiFindEvent(event->unique_id))
PERF_OPERATION(known_string, char *kept; xptiRegisterString("kernel_name", &kept))
PERF_OPERATION(known_object, xptiRegisterObject("saxpy", 5, MEZ_XPTI_STRING))
PERF_OPERATION(metadata, add_keys(events[i]))
PERF_OPERATION(command, trace_command())

static const struct perf_case cases[] = {
    {.name = "trace point, no dispatcher",
        .ours = {forget_dispatcher, not_traced, remember_dispatcher, 0},
        .limit = PERF_MUST(3)},
    {.name = "notify, tracing switched off", .ours = {switch_off, notify_heard, switch_on, 0}},
    {.name = "notify, type without subscriber", .ours = {.measured = notify_quiet}},
    {.name = "notify, one empty callback",
        .ours = {.measured = notify_heard},
        .limit = PERF_MUST(80)},
    {.name = "ask whether a type has subscribers", .ours = {.measured = check_heard}},
    {.name = "make an event, known place",
        .ours = {NULL, make_again, release_events, 0},
        .may_allocate = true},
    {.name = "make an event, new place",
        .ours = {NULL, make_new, release_events, 0},
        .may_allocate = true},
    {.name = "release an event", .ours = {make_events, release, NULL, 0}},
    {.name = "find an event", .ours = {.measured = find}},
    {.name = "register a known string", .ours = {.measured = known_string}},
    {.name = "register a known object", .ours = {.measured = known_object}},
    {.name = "add a key to an event (of 6)",
        .ours = {make_events, metadata, release_events, KEYS},
        .may_allocate = true},
    {.name = "a whole command", .ours = {.measured = command}, .may_allocate = true},
};

// --- How many a second, with one thread and two

enum { COMMANDS = 20000, NOTIFICATIONS = 500000, RUNS = 21 };

static void *send_commands(void *unused)
{
    for (unsigned i = 0; i < COMMANDS; i++)
        trace_command();
    return unused;
}

static void *make_and_release(void *unused)
{
    for (unsigned i = 0; i < COMMANDS; i++)
        xptiReleaseEvent(make());
    return unused;
}

static void *send_notifications(void *unused)
{
    for (unsigned i = 0; i < NOTIFICATIONS; i++)
        notify(HEARD_TYPE, event);
    return unused;
}

// The processor's time that a thread has taken: what else runs on the machine is left out, and so is sleeping.
typedef struct job {
    void *(*work)(void *);
    double seconds;
} job;

static void *run(void *memory)
{
    job *it = memory;
    struct timespec start, stop;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    it->work(NULL);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &stop);
    it->seconds =
        (double)(stop.tv_sec - start.tv_sec) + (double)(stop.tv_nsec - start.tv_nsec) * 1e-9;
    return NULL;
}

// Of the slower thread.
static double seconds_of(void *(*work)(void *), unsigned threads)
{
    pthread_t helper;
    job own = {.work = work}, other = {.work = work};
    const bool helped = threads > 1 && pthread_create(&helper, NULL, run, &other) == 0;
    run(&own);
    if (helped)
        pthread_join(helper, NULL);
    return own.seconds > other.seconds ? own.seconds : other.seconds;
}

// The middle of several runs.
static double rate(void *(*work)(void *), unsigned threads, double each)
{
    double seconds[RUNS];
    for (int i = 0; i < RUNS; i++) {
        const double now = seconds_of(work, threads);
        int place = i;
        for (; place > 0 && seconds[place - 1] > now; place--)
            seconds[place] = seconds[place - 1];
        seconds[place] = now;
    }
    return threads * each / seconds[RUNS / 2] * 1e-6;
}

static void report_rates(void)
{
    for (unsigned threads = 1; threads <= 2; threads++) {
        const char *const s = threads > 1 ? "s" : "";
        printf("about\t%u thread%s: %.1f million notifications a second\n", threads, s,
            rate(send_notifications, threads, NOTIFICATIONS));
        printf("about\t%u thread%s: %.1f million events made and released a second\n", threads, s,
            rate(make_and_release, threads, COMMANDS));
        printf("about\t%u thread%s: %.2f million whole commands a second\n", threads, s,
            rate(send_commands, threads, COMMANDS));
    }
}

static void start(void)
{
    xptiFrameworkInitialize();
    if (!mez_xpti_on()) {
        fprintf(stderr, "XPTI_FRAMEWORK_DISPATCHER names no dispatcher\n");
        exit(77);
    }
    xptiInitialize("perf", 1, 0, "1");
    xptiForceSetTraceEnabled(true);
    stream = xptiRegisterStream("perf");
    xptiRegisterCallback(stream, HEARD_TYPE, hear);
    object = xptiRegisterObject("saxpy", 5, MEZ_XPTI_STRING);
    event = make();
}

int main(void)
{
    start();
    perf_measure(cases, sizeof cases / sizeof *cases);
    if (!callgrind_is_running())
        report_rates();
    return 0;
}
