// SPDX-License-Identifier: MIT
//
// Launches, copies and waits beside what a careful author writes for raw Level Zero. A case is an operation of ours, the raw one, a limit,
// and a line in one of the tables below.
//
// Parameters stand ready before the measured loop: what is counted is the calls.

#include <stdbool.h>
#include <stddef.h>

#include "cases.h"
#include "raw.h"

static mez_context *context;
static mez_queue *queue;                     // as it comes
static mez_queue *batched;                   // collects RAW_BATCH tasks
static mez_queue *handled, *handled_batched; // the same with an error handler
static mez_kernel *no_argument, *one_argument, *four_arguments,
    *sixteen_arguments; // of the image without asserts
static mez_launch *prepared_one, *prepared_sixteen;
static mez_kernel *beside_assert; // one_argument, of the image that has an assert elsewhere
static mez_kernel *asserting;
enum { MANY_KERNELS = 1000 };
static mez_kernel *many[MANY_KERNELS]; // each one_argument, for whoever has many kernels in turn
static mez_recording *recording;       // of RAW_BATCH launches
static void *memory, *more_memory;     // of the device

static int number = 1;
static mez_arg pointer[] = {{MEZ_ARG_POINTER, 0, NULL}, {MEZ_ARG_POINTER, 0, NULL}};
static mez_arg four_items[] = {{MEZ_ARG_POINTER, 0, NULL}, {MEZ_ARG_VALUE, sizeof number, &number},
    {MEZ_ARG_VALUE, sizeof number, &number}, {MEZ_ARG_VALUE, sizeof number, &number}};
static const mez_args one = {1, &pointer[0]};
static const mez_args in_turn[] = {{1, &pointer[0]}, {1, &pointer[1]}};
static const mez_args four = {4, four_items};
static mez_arg sixteen_items[16]; // as the first of four_items, then the second
static const mez_args sixteen = {16, sixteen_items};
static const mez_range range = {.dimensions = 1, .global = {1, 1, 1}, .local = {1, 1, 1}};

static const mez_range larger_range = {.dimensions = 1, .global = {2, 1, 1}, .local = {1, 1, 1}};
static const int two_numbers[] = {1, 2};
static const mez_arg values[] = {
    {MEZ_ARG_VALUE, sizeof(int), &two_numbers[0]}, {MEZ_ARG_VALUE, sizeof(int), &two_numbers[1]}};

static mez_event *events[PERF_ROUND];
static mez_task_params with_event[PERF_ROUND];

// --- Around the measured loops

static void finish(void)
{
    must(mez_queue_wait(queue));
}

static void finish_batched(void)
{
    must(mez_queue_wait(batched));
}

static void finish_handled(void)
{
    must(mez_queue_wait(handled));
}

static void finish_handled_batched(void)
{
    must(mez_queue_wait(handled_batched));
}

// Frees look at every queue.
static void destroy_handled(void)
{
    mez_queue_destroy(&handled);
    mez_queue_destroy(&handled_batched);
}

static void destroy_events(void)
{
    finish();
    for (unsigned i = 0; i < PERF_ROUND; i++)
        mez_event_destroy(&events[i]);
}

static void make_done_events(void)
{
    for (unsigned i = 0; i < PERF_ROUND; i++)
        must(mez_submit(queue, one_argument, &range, &one, &with_event[i]));
    finish();
}

static void signal_events(void)
{
    for (unsigned i = 0; i < PERF_ROUND; i++)
        RAW(zeEventHostSignal(raw.events[i]));
}

static void reset_events(void)
{
    for (unsigned i = 0; i < PERF_ROUND; i++)
        RAW(zeEventHostReset(raw.events[i]));
}

// --- Raw launches

static void set_once(void)
{
    raw_set(raw.one_argument, raw.memory);
}

static inline void raw_set_four(void)
{
    for (uint32_t i = 1; i < 4; i++)
        RAW(zeKernelSetArgumentValue(raw.four_arguments, i, sizeof number, &number));
    raw_set(raw.four_arguments, raw.memory);
}

// RAW_BATCH kernels in a regular list, in order, as one submission.
static inline void raw_batch(bool set_again)
{
    for (unsigned i = 0; i < RAW_BATCH; i++) {
        if (i > 0)
            RAW(zeCommandListAppendBarrier(raw.regular, NULL, 0, NULL));
        if (set_again)
            raw_set(raw.one_argument, raw.memory);
        raw_append(raw.regular, raw.one_argument, NULL);
    }
    RAW(zeCommandListClose(raw.regular));
    RAW(zeCommandQueueExecuteCommandLists(raw.queue, 1, &raw.regular, raw.fence));
    RAW(zeFenceHostSynchronize(raw.fence, UINT64_MAX));
    RAW(zeFenceReset(raw.fence));
    RAW(zeCommandListReset(raw.regular));
}

// RAW_BATCH kernels in order, in a closed list.
static void record_raw(void)
{
    raw_set(raw.one_argument, raw.memory);
    for (unsigned i = 0; i < RAW_BATCH; i++) {
        RAW(zeCommandListAppendBarrier(raw.recorded, NULL, 0, NULL));
        raw_append(raw.recorded, raw.one_argument, NULL);
    }
    RAW(zeCommandListClose(raw.recorded));
}

static inline void raw_replay_recorded(void)
{
    RAW(zeCommandQueueExecuteCommandLists(raw.queue, 1, &raw.recorded, raw.fence));
    RAW(zeFenceHostSynchronize(raw.fence, UINT64_MAX));
    RAW(zeFenceReset(raw.fence));
}

static inline void *raw_allocate(void)
{
    const ze_device_mem_alloc_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    void *allocated = NULL;
    RAW(zeMemAllocDevice(raw.context, &description, 4096, 64, raw.device, &allocated));
    return allocated;
}

static inline void *allocate(void)
{
    mez_error error;
    void *allocated = mez_alloc_device(context, 4096, &error);
    must(error);
    return allocated;
}

// --- Operations: ours, then raw

PERF_OPERATION(launch_0, must(mez_submit(queue, no_argument, &range, NULL, NULL)))
PERF_OPERATION(raw_launch_0, raw_append(raw.immediate, raw.no_argument, NULL))

PERF_OPERATION(launch_1, must(mez_submit(queue, one_argument, &range, &one, NULL)))
PERF_OPERATION(raw_launch_1, raw_set(raw.one_argument, raw.memory);
               raw_append(raw.immediate, raw.one_argument, NULL))

PERF_OPERATION(launch_4, must(mez_submit(queue, four_arguments, &range, &four, NULL)))
PERF_OPERATION(raw_launch_4, raw_set_four(); raw_append(raw.immediate, raw.four_arguments, NULL))

PERF_OPERATION(prepared_1, must(mez_launch_submit(prepared_one, NULL)))
PERF_OPERATION(prepared_16, must(mez_launch_submit(prepared_sixteen, NULL)))
PERF_OPERATION(prepared_event, must(mez_launch_submit(prepared_one, &with_event[i])))
// The raw floor of all three: nothing is set.
PERF_OPERATION(raw_append_1, raw_append(raw.immediate, raw.one_argument, NULL))

PERF_OPERATION(
    launch_changing, must(mez_submit(queue, one_argument, &range, &in_turn[i & 1], NULL)))
PERF_OPERATION(raw_launch_changing, raw_set(raw.one_argument, i & 1 ? raw.memory : raw.more_memory);
               raw_append(raw.immediate, raw.one_argument, NULL))

// Another one in each launch, which the launch before the last did not have.
static inline void launch_at(unsigned i)
{
    pointer[1].data = (char *)memory + i * sizeof(int);
    must(mez_submit(queue, one_argument, &range, &in_turn[1], NULL));
    pointer[1].data = more_memory;
}

PERF_OPERATION(launch_new_pointer, launch_at(i))
PERF_OPERATION(
    raw_launch_new_pointer, raw_set(raw.one_argument, (char *)raw.memory + i * sizeof(int));
    raw_append(raw.immediate, raw.one_argument, NULL))

static inline void launch_in_turn(unsigned count)
{
    static unsigned next;
    must(mez_submit(queue, many[next++ % count], &range, &one, NULL));
}

PERF_OPERATION(launch_17_kernels, launch_in_turn(17))
PERF_OPERATION(launch_1000_kernels, launch_in_turn(MANY_KERNELS))

// Four values, all other ones in each launch; and the same in sixteen arguments.
static inline void launch_all_changing(mez_kernel *kernel, const mez_args *args, unsigned i)
{
    four_items[0].data = sixteen_items[0].data = i & 1 ? memory : more_memory;
    number = (int)i;
    must(mez_submit(queue, kernel, &range, args, NULL));
}

PERF_OPERATION(launch_4_changing, launch_all_changing(four_arguments, &four, i))
PERF_OPERATION(raw_launch_4_changing, number = (int)i; raw_set_four();
               raw_append(raw.immediate, raw.four_arguments, NULL))
PERF_OPERATION(launch_16_changing, launch_all_changing(sixteen_arguments, &sixteen, i))

PERF_OPERATION(launch_range_changing,
    must(mez_submit(queue, one_argument, i & 1 ? &range : &larger_range, &one, NULL)))

PERF_OPERATION(
    set_prepared, must(mez_launch_set_argument(prepared_sixteen, 1 + i % 15, &values[i & 1])))
PERF_OPERATION(raw_set_prepared,
    RAW(zeKernelSetArgumentValue(raw.four_arguments, 1 + i % 3, sizeof number, &number)))

PERF_OPERATION(launch_event, must(mez_submit(queue, one_argument, &range, &one, &with_event[i])))
PERF_OPERATION(raw_launch_event, raw_set(raw.one_argument, raw.memory);
               raw_append(raw.immediate, raw.one_argument, raw.events[i]))

PERF_OPERATION(
    launch_event_destroy, must(mez_submit(queue, one_argument, &range, &one, &with_event[i]));
    mez_event_destroy(&events[i]))

PERF_OPERATION(launch_finish, must(mez_submit(queue, one_argument, &range, &one, NULL));
               must(mez_queue_wait(queue)))
PERF_OPERATION(raw_launch_finish, raw_set(raw.one_argument, raw.memory);
               raw_append(raw.immediate, raw.one_argument, raw.events[0]);
               RAW(zeEventHostSynchronize(raw.events[0], UINT64_MAX));
               RAW(zeEventHostReset(raw.events[0])))

PERF_OPERATION(launch_beside_assert, must(mez_submit(queue, beside_assert, &range, &one, NULL)))
PERF_OPERATION(launch_asserting, must(mez_submit(queue, asserting, &range, &one, NULL)))

PERF_OPERATION(launch_handled, must(mez_submit(handled, one_argument, &range, &one, NULL)))
PERF_OPERATION(
    launch_handled_batched, must(mez_submit(handled_batched, one_argument, &range, &one, NULL)))

// Two kernels in an order that no batch has had.
static inline void launch_either(void)
{
    static uint32_t chance;
    chance = chance * 1664525 + 1013904223;
    const bool first = chance >> 31;
    must(
        mez_submit(batched, first ? one_argument : no_argument, &range, first ? &one : NULL, NULL));
}

PERF_OPERATION(launch_differing, launch_either())
PERF_OPERATION(launch_batched, must(mez_submit(batched, one_argument, &range, &one, NULL)))
PERF_OPERATION(raw_launch_batched, raw_batch(true))
PERF_OPERATION(raw_launch_batched_set, raw_batch(false))

PERF_OPERATION(replay, must(mez_replay(batched, recording, NULL)))
PERF_OPERATION(raw_replay, raw_replay_recorded())

PERF_OPERATION(copy, must(mez_copy(queue, more_memory, memory, 64, NULL)))
PERF_OPERATION(raw_copy, RAW(zeCommandListAppendMemoryCopy(
                             raw.immediate, raw.more_memory, raw.memory, 64, NULL, 0, NULL)))

PERF_OPERATION(copy_event, must(mez_copy(queue, more_memory, memory, 64, &with_event[i])))
PERF_OPERATION(raw_copy_event, RAW(zeCommandListAppendMemoryCopy(raw.immediate, raw.more_memory,
                                   raw.memory, 64, raw.events[i], 0, NULL)))

PERF_OPERATION(fill, must(mez_fill(queue, memory, &number, sizeof number, 64, NULL)))
PERF_OPERATION(raw_fill, RAW(zeCommandListAppendMemoryFill(
                             raw.immediate, raw.memory, &number, sizeof number, 64, NULL, 0, NULL)))

PERF_OPERATION(wait_done, must(mez_event_wait(events[i])))
PERF_OPERATION(raw_wait_done, RAW(zeEventHostSynchronize(raw.events[i], UINT64_MAX)))

PERF_OPERATION(finish_idle, must(mez_queue_wait(queue)))
PERF_OPERATION(raw_finish_idle, RAW(zeCommandQueueSynchronize(raw.queue, UINT64_MAX)))

PERF_OPERATION(allocate_free, must(mez_free(context, allocate())))
PERF_OPERATION(raw_allocate_free, RAW(zeMemFree(raw.context, raw_allocate())))

// --- The tables

static const struct perf_case noop_cases[] = {
    {
        .name = "launch, no argument",
        .ours = {.measured = launch_0, .after = finish},
        .raw = {.measured = raw_launch_0},
    },
    {
        .name = "launch, 1 unchanged argument",
        .ours = {.measured = launch_1, .after = finish},
        .raw = {.measured = raw_launch_1},
        .limit = PERF_MUST(200),
    },
    {
        .name = "launch, 4 unchanged arguments",
        .ours = {.measured = launch_4, .after = finish},
        .raw = {.measured = raw_launch_4},
        .limit = PERF_MUST(290),
    },
    {
        .name = "launch, 1 changing argument",
        .ours = {.measured = launch_changing, .after = finish},
        .raw = {.measured = raw_launch_changing},
        .limit = PERF_MUST(180),
    },
    {
        .name = "launch, 4 changing arguments",
        .ours = {.measured = launch_4_changing, .after = finish},
        .raw = {.measured = raw_launch_4_changing},
        .limit = PERF_MUST(420),
    },
    {
        .name = "launch, 16 changing arguments",
        .ours = {.measured = launch_16_changing, .after = finish},
        .limit = PERF_MUST(1100),
    },
    {
        .name = "launch, the range changes",
        .ours = {.measured = launch_range_changing, .after = finish},
        .raw = {.measured = raw_launch_1},
        .limit = PERF_MUST(300),
    },
    {
        .name = "launch, 17 kernels in turn",
        .ours = {.measured = launch_17_kernels, .after = finish},
        .raw = {.measured = raw_launch_1},
        .limit = PERF_MUST(165),
    },
    {
        .name = "launch, 1000 kernels in turn",
        .ours = {.measured = launch_1000_kernels, .after = finish},
        .raw = {.measured = raw_launch_1},
        .limit = PERF_MUST(165),
    },
    {
        .name = "set an argument of a prepared launch that has 16",
        .ours = {.measured = set_prepared, .after = finish},
        .raw = {.measured = raw_set_prepared},
        .limit = PERF_AIM(120),
    },
    {
        .name = "launch, event",
        .ours = {.measured = launch_event, .after = destroy_events},
        .raw = {.measured = raw_launch_event, .after = reset_events},
        .limit = PERF_MUST(220),
    },
    {
        .name = "launch, event, destroy it",
        .ours = {.measured = launch_event_destroy, .after = finish},
        .raw = {.measured = raw_launch_event, .after = reset_events},
        .limit = PERF_MUST(260),
    },
    {
        .name = "prepared launch, 1 argument",
        .ours = {.measured = prepared_1, .after = finish},
        .raw = {.before = set_once, .measured = raw_append_1},
        .limit = PERF_MUST(110),
    },
    {
        .name = "prepared launch, 16 arguments",
        .ours = {.measured = prepared_16, .after = finish},
        .raw = {.before = set_once, .measured = raw_append_1},
        .limit = PERF_MUST(110),
    },
    {
        .name = "prepared launch, event",
        .ours = {.measured = prepared_event, .after = destroy_events},
        .raw = {.measured = raw_launch_event, .after = reset_events},
    },
    {
        .name = "launch beside an assert, to without",
        .ours = {.measured = launch_beside_assert, .after = finish},
        .raw = {.measured = launch_1, .after = finish},
        .limit = PERF_MUST_OVER(3),
    },
    {
        .name = "launch that can assert, to one that can't",
        .ours = {.measured = launch_asserting, .after = finish},
        .raw = {.measured = launch_1, .after = finish},
        .limit = PERF_MUST(400),
    },
    {
        .name = "launch on a queue with an error handler, to without",
        .ours = {.measured = launch_handled, .after = finish_handled},
        .raw = {.measured = launch_1, .after = finish},
        .limit = PERF_MUST(200),
    },
    {
        .name = "copy",
        .ours = {.measured = copy, .after = finish},
        .raw = {.measured = raw_copy},
        .limit = PERF_MUST(100),
    },
    {
        .name = "copy, event",
        .ours = {.measured = copy_event, .after = destroy_events},
        .raw = {.measured = raw_copy_event, .after = reset_events},
        .limit = PERF_AIM(125),
    },
    {
        .name = "fill",
        .ours = {.measured = fill, .after = finish},
        .raw = {.measured = raw_fill},
        .limit = PERF_MUST(150),
    },
    {
        .name = "wait for a done event",
        .ours = {.before = make_done_events, .measured = wait_done, .after = destroy_events},
        .raw = {.before = signal_events, .measured = raw_wait_done, .after = reset_events},
        .limit = PERF_MUST(45),
    },
    {
        .name = "finish, nothing to wait for",
        .ours = {.measured = finish_idle},
        .raw = {.measured = raw_finish_idle},
        .limit = PERF_MUST(60),
    },
    {
        .name = "launch and finish",
        .ours = {.measured = launch_finish},
        .raw = {.measured = raw_launch_finish},
        .limit = PERF_MUST(270),
    },
    {
        .name = "batched launch (MEZ_BATCH=10)",
        .ours = {.measured = launch_batched, .after = finish_batched},
        .raw = {.measured = raw_launch_batched, .tasks = RAW_BATCH},
        .limit = PERF_AIM(330),
    },
    {
        .name = "batched launch, no batch repeats",
        .ours = {.measured = launch_differing, .after = finish_batched},
        .raw = {.measured = raw_launch_batched, .tasks = RAW_BATCH},
    },
    {
        .name = "batched launch with an error handler, to without",
        .ours = {.measured = launch_handled_batched, .after = finish_handled_batched},
        .raw = {.measured = launch_batched, .after = finish_batched},
    },
    {
        .name = "recorded replay, 10 kernels, unchanged",
        .ours = {.measured = replay, .after = finish_batched, .tasks = RAW_BATCH},
        .raw = {.measured = raw_replay, .tasks = RAW_BATCH},
    },
    {
        .name = "allocate and free",
        .ours = {.before = destroy_handled, .measured = allocate_free},
        .raw = {.measured = raw_allocate_free},
        .limit = PERF_MUST(155), // five of them pass the places of both calls
    },
};

#define ALONE PERF_MUST_OVER(300)

// Intel's driver in capture mode. Where a case has nothing that can be left out, ours is dearer than raw by what it does itself
// (ALONE), unless lists are executed again.
static const struct perf_case driver_cases[] = {
    {
        .name = "launch, no argument",
        .ours = {.measured = launch_0, .after = finish},
        .raw = {.measured = raw_launch_0},
        .limit = ALONE,
    },
    {
        .name = "launch, 1 unchanged argument",
        .ours = {.measured = launch_1, .after = finish},
        .raw = {.measured = raw_launch_1},
        .limit = PERF_MUST_OVER(-1),
    },
    {
        .name = "launch, 4 unchanged arguments",
        .ours = {.measured = launch_4, .after = finish},
        .raw = {.measured = raw_launch_4},
        .limit = PERF_MUST_OVER(-1),
    },
    {
        .name = "launch, 1 changing argument",
        .ours = {.measured = launch_changing, .after = finish},
        .raw = {.measured = raw_launch_changing},
        .limit = PERF_MUST_OVER(-1),
    },
    {
        .name = "launch, a pointer that is new each time",
        .ours = {.measured = launch_new_pointer, .after = finish},
        .raw = {.measured = raw_launch_new_pointer},
        .limit = ALONE,
    },
    {
        .name = "batched launch (MEZ_BATCH=10)",
        .ours = {.measured = launch_batched, .after = finish_batched},
        .raw = {.measured = raw_launch_batched, .tasks = RAW_BATCH},
        .limit = PERF_MUST(3700),
    },
    {
        .name = "batched launch, to a raw batch set once",
        .ours = {.measured = launch_batched, .after = finish_batched},
        .raw = {.before = set_once, .measured = raw_launch_batched_set, .tasks = RAW_BATCH},
    },
    {
        .name = "batched launch, no batch repeats, to a raw batch set once",
        .ours = {.measured = launch_differing, .after = finish_batched},
        .raw = {.before = set_once, .measured = raw_launch_batched_set, .tasks = RAW_BATCH},
    },
    {
        .name = "batched launch, to raw immediate",
        .ours = {.measured = launch_batched, .after = finish_batched},
        .raw = {.measured = raw_launch_1},
    },
    {
        .name = "recorded replay, 10 kernels, unchanged",
        .ours = {.measured = replay, .after = finish_batched, .tasks = RAW_BATCH},
        .raw = {.measured = raw_replay, .tasks = RAW_BATCH},
        .limit = PERF_MUST(800),
    },
    {
        .name = "launch that can assert, to a raw one that can't",
        .ours = {.measured = launch_asserting, .after = finish},
        .raw = {.measured = raw_launch_1},
    },
    {
        .name = "copy",
        .ours = {.measured = copy, .after = finish},
        .raw = {.measured = raw_copy},
        .limit = ALONE,
    },
};

// --- Setting up

static void handle(void *user, mez_error error)
{
    (void)user;
    perf_failed(error);
}

static void create_handled(void)
{
    mez_queue_params params = {.kind = MEZ_QUEUE_IMMEDIATE, .on_error = {.function = handle}};
    must(mez_queue_create(context, &params, &handled));
    params.kind = MEZ_QUEUE_BATCHED;
    must(mez_queue_create(context, &params, &handled_batched));
}

static void create_kernels(mez_image *plain_image, mez_image *asserting_image)
{
    must(mez_kernel_create(plain_image, "no_argument", &no_argument));
    must(mez_kernel_create(plain_image, "one_argument", &one_argument));
    must(mez_kernel_create(plain_image, "four_arguments", &four_arguments));
    must(mez_kernel_create(plain_image, "sixteen_arguments", &sixteen_arguments));
    must(mez_kernel_create(asserting_image, "one_argument", &beside_assert));
    must(mez_kernel_create(asserting_image, "asserting", &asserting));
    for (unsigned i = 0; i < MANY_KERNELS; i++)
        must(mez_kernel_create(plain_image, "one_argument", &many[i]));
}

static void prepare_parameters(void)
{
    more_memory = allocate();
    pointer[0].data = four_items[0].data = memory;
    pointer[1].data = more_memory;
    for (unsigned i = 0; i < 16; i++)
        sixteen_items[i] = four_items[i > 0];
    for (unsigned i = 0; i < PERF_ROUND; i++)
        with_event[i].event = &events[i];
}

static void prepare_launches(void)
{
    must(mez_launch_create(queue, one_argument, &range, &one, &prepared_one));
    must(mez_launch_create(queue, sixteen_arguments, &range, &sixteen, &prepared_sixteen));
}

static void record(void)
{
    const mez_recording_params params = {.debug_name = "recorded"};
    must(mez_recording_create(context, &params, &recording));
    for (unsigned i = 0; i < RAW_BATCH; i++)
        must(mez_record_submit(recording, one_argument, &range, &one, NULL, NULL));
}

const struct perf_case *perf_tuned_init(const struct perf_shared *shared, size_t *count)
{
    context = shared->context;
    queue = shared->queue;
    batched = shared->batched;
    memory = shared->memory;
    if (shared->on_noop)
        create_handled();
    create_kernels(shared->plain_image, shared->asserting_image);
    prepare_parameters();
    prepare_launches();
    record();
    record_raw();
    *count = shared->on_noop ? sizeof noop_cases / sizeof *noop_cases
                             : sizeof driver_cases / sizeof *driver_cases;
    return shared->on_noop ? noop_cases : driver_cases;
}

void perf_tuned_finish(void)
{
    mez_launch_destroy(&prepared_one);
    mez_launch_destroy(&prepared_sixteen);
    destroy_handled();
    mez_recording_destroy(&recording);
    mez_kernel_destroy(&no_argument);
    mez_kernel_destroy(&one_argument);
    mez_kernel_destroy(&four_arguments);
    mez_kernel_destroy(&sixteen_arguments);
    mez_kernel_destroy(&beside_assert);
    mez_kernel_destroy(&asserting);
    for (unsigned i = 0; i < MANY_KERNELS; i++)
        mez_kernel_destroy(&many[i]);
    must(mez_free(context, more_memory));
}
