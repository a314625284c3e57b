// SPDX-License-Identifier: MIT
//
// What trace points cost programs that nobody traces: the public functions that have some, each as a case. The program is built
// twice, with the library as it is and with one that was built without tracing; run.py compares the two, and a case may take
// three instructions more for each point that it passes.
//
// A point is a place where the library asks whether somebody wants to know. A task that goes the long way passes four: its call,
// its node with its edges, its event, and handing it over.

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <mezzanine/level_zero.h>
#include <mezzanine/mezzanine.h>

#include "measure.h"
#include "noop.h"

#define POINTS(n) PERF_MUST_OVER(3 * (n))
enum { TASK = 4 };

static mez_context *context;
static mez_queue *in_order;     // takes what it can on quick paths
static mez_queue *out_of_order; // has none
static mez_queue *batched;
static mez_image *image;
static mez_kernel *kernel;
static mez_launch *quick_launch, *long_launch; // of the first two queues
static mez_recording *replayed, *recorded;
static char *memory, *shared;
static mez_args args;
static mez_event *events[PERF_ROUND];
static mez_task_params with_event[PERF_ROUND];

enum { SIZE = 4096, ROWS = 4, PITCH = 64, WIDTH = 32, HALF = SIZE / 2 };

static const int zero;
static mez_arg pointer = {.kind = MEZ_ARG_POINTER};
static const mez_range range = {.dimensions = 1, .global = {1, 1, 1}, .local = {1, 1, 1}};
static const mez_task_params named = {.debug_name = "named"};

static void failed(mez_error error)
{
    mez_error_print(stderr, error);
    exit(1);
}

static inline void must(mez_error error)
{
    if (mez_failed(error))
        failed(error);
}

// --- Around the measured loops

static void finish(void)
{
    must(mez_queue_wait(in_order));
    must(mez_queue_wait(out_of_order));
    must(mez_queue_wait(batched));
}

static void make_done_events(void)
{
    for (unsigned i = 0; i < PERF_ROUND; i++)
        must(mez_submit(in_order, kernel, &range, &args, &with_event[i]));
    finish();
}

static void destroy_events(void)
{
    for (unsigned i = 0; i < PERF_ROUND; i++)
        mez_event_destroy(&events[i]);
}

static void begin_recording(void)
{
    must(mez_recording_create(context, NULL, &recorded));
}

static void end_recording(void)
{
    mez_recording_destroy(&recorded);
}

// --- What is measured

static void *allocate(size_t size)
{
    mez_error error;
    void *allocated = mez_alloc_device(context, size, &error);
    must(error);
    return allocated;
}

static ze_result_t append_nothing(void *user, ze_command_list_handle_t list)
{
    (void)list, (void)user;
    return ZE_RESULT_SUCCESS;
}

static void do_nothing(void *user)
{
    (void)user;
}

static void create_and_destroy_queue(void)
{
    mez_queue *queue;
    must(mez_queue_create(context, NULL, &queue));
    mez_queue_destroy(&queue);
}

static void create_and_destroy_kernel(void)
{
    mez_kernel *created;
    must(mez_kernel_create(image, "one_argument", &created));
    mez_kernel_destroy(&created);
}

static void create_and_destroy_launch(void)
{
    mez_launch *launch;
    must(mez_launch_create(in_order, kernel, &range, &args, &launch));
    mez_launch_destroy(&launch);
}

static void create_and_destroy_recording(void)
{
    begin_recording();
    end_recording();
}

PERF_OPERATION(launch, must(mez_submit(in_order, kernel, &range, &args, NULL)))
PERF_OPERATION(launch_event, must(mez_submit(in_order, kernel, &range, &args, &with_event[i])))
PERF_OPERATION(launch_long, must(mez_submit(out_of_order, kernel, &range, &args, NULL)))
PERF_OPERATION(launch_batched, must(mez_submit(batched, kernel, &range, &args, NULL)))
PERF_OPERATION(prepared, must(mez_launch_submit(quick_launch, NULL)))
PERF_OPERATION(prepared_long, must(mez_launch_submit(long_launch, NULL)))
PERF_OPERATION(set_argument, must(mez_launch_set_argument(quick_launch, 0, &pointer)))
PERF_OPERATION(copy, must(mez_copy(in_order, memory, memory + HALF, 64, NULL)))
PERF_OPERATION(copy_long, must(mez_copy(out_of_order, memory, memory + HALF, 64, NULL)))
PERF_OPERATION(
    copy_2d, must(mez_copy_2d(in_order, memory, PITCH, memory + HALF, PITCH, WIDTH, ROWS, NULL)))
PERF_OPERATION(fill, must(mez_fill(in_order, memory, &zero, sizeof zero, 64, NULL)))
PERF_OPERATION(prefetch, must(mez_prefetch(in_order, shared, SIZE, NULL)))
PERF_OPERATION(advise, must(mez_advise(in_order, shared, SIZE, MEZ_ADVICE_READ_MOSTLY, NULL)))
PERF_OPERATION(barrier, must(mez_barrier(in_order, NULL)))
PERF_OPERATION(marker, must(mez_marker(in_order, NULL)))
PERF_OPERATION(host_task, must(mez_host_task(in_order, do_nothing, NULL, NULL)))
PERF_OPERATION(native, must(mez_submit_native(in_order, append_nothing, NULL, NULL)))
PERF_OPERATION(replay, must(mez_replay(batched, replayed, NULL)))
PERF_OPERATION(replay_long, must(mez_replay(batched, replayed, &named)))

PERF_OPERATION(wait_done, must(mez_event_wait(events[i])))
PERF_OPERATION(destroy_event, mez_event_destroy(&events[i]))
PERF_OPERATION(finish_idle, must(mez_queue_wait(in_order)))
PERF_OPERATION(finish_idle_timeout, must(mez_queue_wait_for(in_order, 1)))
PERF_OPERATION(launch_finish, must(mez_submit(in_order, kernel, &range, &args, NULL));
               must(mez_queue_wait(in_order)))

PERF_OPERATION(allocate_free, must(mez_free(context, allocate(64))))

PERF_OPERATION(record_launch, must(mez_record_submit(recorded, kernel, &range, &args, NULL, NULL)))
PERF_OPERATION(record_copy, must(mez_record_copy(recorded, memory, memory + HALF, 64, NULL, NULL)))
PERF_OPERATION(
    record_fill, must(mez_record_fill(recorded, memory, &zero, sizeof zero, 64, NULL, NULL)))
PERF_OPERATION(record_copy_2d, must(mez_record_copy_2d(recorded, memory, PITCH, memory + HALF,
                                   PITCH, WIDTH, ROWS, NULL, NULL)))
PERF_OPERATION(record_barrier, must(mez_record_barrier(recorded, NULL, NULL)))

PERF_OPERATION(queues, create_and_destroy_queue())
PERF_OPERATION(kernels, create_and_destroy_kernel())
PERF_OPERATION(launches, create_and_destroy_launch())
PERF_OPERATION(recordings, create_and_destroy_recording())

static const struct perf_case cases[] = {
    // Quick paths have none.
    {.name = "mez_submit", .ours = {.measured = launch, .after = finish}, .limit = POINTS(0)},
    {
        .name = "mez_submit, event",
        .ours = {.measured = launch_event, .after = destroy_events},
        .limit = POINTS(1), // of the event that comes back
    },
    {
        .name = "mez_launch_submit",
        .ours = {.measured = prepared, .after = finish},
        .limit = POINTS(0),
    },
    {.name = "mez_copy", .ours = {.measured = copy, .after = finish}, .limit = POINTS(0)},
    {.name = "mez_replay", .ours = {.measured = replay, .after = finish}, .limit = POINTS(0)},

    // Tasks
    {
        .name = "mez_submit, out of order",
        .ours = {.measured = launch_long, .after = finish},
        .limit = POINTS(TASK),
    },
    {
        .name = "mez_submit, batched",
        .ours = {.measured = launch_batched, .after = finish},
        .limit = POINTS(TASK),
    },
    {
        .name = "mez_launch_submit, out of order",
        .ours = {.measured = prepared_long, .after = finish},
        .limit = POINTS(TASK),
    },
    {
        .name = "mez_copy, out of order",
        .ours = {.measured = copy_long, .after = finish},
        .limit = POINTS(TASK),
    },
    {.name = "mez_copy_2d", .ours = {.measured = copy_2d, .after = finish}, .limit = POINTS(TASK)},
    {.name = "mez_fill", .ours = {.measured = fill, .after = finish}, .limit = POINTS(TASK)},
    {.name = "mez_prefetch",
        .ours = {.measured = prefetch, .after = finish},
        .limit = POINTS(TASK)},
    {.name = "mez_advise", .ours = {.measured = advise, .after = finish}, .limit = POINTS(TASK)},
    {.name = "mez_barrier", .ours = {.measured = barrier, .after = finish}, .limit = POINTS(TASK)},
    {.name = "mez_marker", .ours = {.measured = marker, .after = finish}, .limit = POINTS(TASK)},
    {
        .name = "mez_host_task", // no limit: how often its thread must be woken is chance
        .ours = {.measured = host_task, .after = finish},
        .may_allocate = true,
    },
    {
        .name = "mez_submit_native",
        .ours = {.measured = native, .after = finish},
        .limit = POINTS(TASK),
        .may_allocate = true,
    },
    {
        .name = "mez_replay, named",
        .ours = {.measured = replay_long, .after = finish},
        .limit = POINTS(TASK),
    },

    // Waits
    {
        .name = "mez_event_wait",
        .ours = {.before = make_done_events, .measured = wait_done, .after = destroy_events},
        .limit = POINTS(1),
    },
    {
        .name = "mez_event_destroy",
        .ours = {.before = make_done_events, .measured = destroy_event},
        .limit = POINTS(1),
    },
    {.name = "mez_queue_wait", .ours = {.measured = finish_idle}, .limit = POINTS(1)},
    {.name = "mez_queue_wait_for", .ours = {.measured = finish_idle_timeout}, .limit = POINTS(1)},
    {
        .name = "mez_submit and mez_queue_wait",
        .ours = {.measured = launch_finish},
        .limit = POINTS(1),
    },

    // Memory
    {.name = "mez_alloc and mez_free", .ours = {.measured = allocate_free}, .limit = POINTS(2)},

    // What only prepares
    {.name = "mez_launch_set_argument", .ours = {.measured = set_argument}, .limit = POINTS(1)},
    {
        .name = "mez_record_submit",
        .ours = {.before = begin_recording, .measured = record_launch, .after = end_recording},
        .limit = POINTS(1),
        .may_allocate = true,
    },
    {
        .name = "mez_record_copy",
        .ours = {.before = begin_recording, .measured = record_copy, .after = end_recording},
        .limit = POINTS(1),
        .may_allocate = true,
    },
    {
        .name = "mez_record_fill",
        .ours = {.before = begin_recording, .measured = record_fill, .after = end_recording},
        .limit = POINTS(1),
        .may_allocate = true,
    },
    {
        .name = "mez_record_copy_2d",
        .ours = {.before = begin_recording, .measured = record_copy_2d, .after = end_recording},
        .limit = POINTS(2), // its arguments lie on the stack, for one function more
        .may_allocate = true,
    },
    {
        .name = "mez_record_barrier",
        .ours = {.before = begin_recording, .measured = record_barrier, .after = end_recording},
        .limit = POINTS(1),
        .may_allocate = true,
    },
    {
        .name = "mez_queue_create and _destroy",
        .ours = {.measured = queues},
        .limit = POINTS(8),
        .may_allocate = true,
    },
    {
        .name = "mez_kernel_create and _destroy",
        .ours = {.measured = kernels},
        .limit = POINTS(2),
        .may_allocate = true,
    },
    {
        .name = "mez_launch_create and _destroy",
        .ours = {.measured = launches},
        .limit = POINTS(2),
        .may_allocate = true,
    },
    {
        .name = "mez_recording_create and _destroy",
        .ours = {.measured = recordings},
        .limit = POINTS(2),
        .may_allocate = true,
    },
};

// --- Setting up

// Lists in order, as new drivers have.
static void configure(void)
{
    struct noop_config config = noop_config_default();
    config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 14);
    noop_configure(&config);
}

static mez_queue *create_queue(const mez_queue_params *params)
{
    mez_queue *created;
    must(mez_queue_create(context, params, &created));
    return created;
}

static void create_queues(void)
{
    setenv("MEZ_BATCH", "10", 1);
    in_order = create_queue(&(mez_queue_params){.kind = MEZ_QUEUE_IMMEDIATE});
    out_of_order =
        create_queue(&(mez_queue_params){.kind = MEZ_QUEUE_IMMEDIATE, .order = MEZ_OUT_OF_ORDER});
    batched = create_queue(&(mez_queue_params){.kind = MEZ_QUEUE_BATCHED});
}

static void allocate_memory(void)
{
    mez_error error;
    memory = allocate(SIZE);
    shared = mez_alloc_shared(context, SIZE, &error);
    must(error);
    pointer.data = memory;
    args = (mez_args){.count = 1, .items = &pointer};
    for (unsigned i = 0; i < PERF_ROUND; i++)
        with_event[i].event = &events[i];
}

static void prepare(const char *path)
{
    must(mez_image_load(context, path, &image));
    must(mez_kernel_create(image, "one_argument", &kernel));
    must(mez_launch_create(in_order, kernel, &range, &args, &quick_launch));
    must(mez_launch_create(out_of_order, kernel, &range, &args, &long_launch));
    must(mez_recording_create(context, NULL, &replayed));
    must(mez_record_submit(replayed, kernel, &range, &args, NULL, NULL));
}

static void tear_down(void)
{
    mez_launch_destroy(&quick_launch);
    mez_launch_destroy(&long_launch);
    mez_queue_destroy(&in_order);
    mez_queue_destroy(&out_of_order);
    mez_queue_destroy(&batched);
    mez_recording_destroy(&replayed);
    mez_kernel_destroy(&kernel);
    mez_image_destroy(&image);
    must(mez_free(context, memory));
    must(mez_free(context, shared));
    mez_context_destroy(&context);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s KERNELS.spv\n", argv[0]);
        return 2;
    }
    configure();
    must(mez_context_create(NULL, &context));
    create_queues();
    allocate_memory();
    prepare(argv[1]);
    perf_measure(cases, sizeof cases / sizeof cases[0]);
    tear_down();
    return 0;
}
