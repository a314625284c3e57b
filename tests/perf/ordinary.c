// SPDX-License-Identifier: MIT
//
// What ordinary programs do beside the tuned case: arguments that change, events of other queues, queues out of order. Cases of ours
// alone, on the no-op driver.

#include "cases.h"

enum { MANY_KERNELS = 10000, MANY_QUEUES = 1000, LARGE_VALUE = 256, MOST_ARGUMENTS = 64 };

static struct perf_shared shared;
static mez_queue *other;             // like the shared one
static mez_queue *unordered;         // out of order
static mez_queue *discarding;        // gives no events
static mez_queue *idle[MANY_QUEUES]; // alive while memory is freed
static mez_kernel *one, *four, *all, *large;
static mez_kernel *many[MANY_KERNELS];

static int number;
static unsigned char value[LARGE_VALUE];
static mez_arg items[MOST_ARGUMENTS]; // a pointer, and numbers that are all the same one
static mez_arg large_items[2];
static const mez_args first_one = {1, items}, first_four = {4, items},
                      first_all = {MOST_ARGUMENTS, items}, with_large = {2, large_items};
static mez_arg two_pointers[2];
static const mez_args two[] = {{1, &two_pointers[0]}, {1, &two_pointers[1]}};

static const mez_range range = {.dimensions = 1, .global = {1, 1, 1}, .local = {1, 1, 1}};
static const mez_range ranges[] = {
    {.dimensions = 1, .global = {1, 1, 1}, .local = {1, 1, 1}},
    {.dimensions = 1, .global = {2, 1, 1}, .local = {1, 1, 1}},
};

static mez_event *awaited[4]; // of tasks of the other queue that never end while a round runs
static mez_event *events[PERF_ROUND];
static mez_task_params with_event[PERF_ROUND], with_device_event[PERF_ROUND];
static const mez_task_params behind_one = {.wait_for = awaited, .wait_count = 1},
                             behind_three = {.wait_for = awaited, .wait_count = 3},
                             behind_four = {.wait_for = awaited, .wait_count = 4};

// --- Around the measured loops

static void finish(void)
{
    must(mez_queue_wait(shared.queue));
}

static void finish_unordered(void)
{
    must(mez_queue_wait(unordered));
}

static void finish_discarding(void)
{
    must(mez_queue_wait(discarding));
}

static void finish_batched(void)
{
    must(mez_queue_wait(shared.batched));
}

static void drop_events(void)
{
    for (unsigned i = 0; i < PERF_ROUND; i++)
        mez_event_destroy(&events[i]);
}

static void finish_and_drop(void)
{
    finish();
    drop_events();
}

static void finish_unordered_and_drop(void)
{
    finish_unordered();
    drop_events();
}

static void finish_batched_and_drop(void)
{
    finish_batched();
    drop_events();
}

static void make_awaited(void)
{
    for (unsigned i = 0; i < 4; i++)
        must(mez_submit(other, one, &range, &first_one, MEZ_TASK(.event = &awaited[i])));
}

static void drop_awaited(void)
{
    must(mez_queue_wait(other));
    finish();
    finish_unordered();
    for (unsigned i = 0; i < 4; i++)
        mez_event_destroy(&awaited[i]);
}

static void make_events(void)
{
    for (unsigned i = 0; i < PERF_ROUND; i++)
        must(mez_submit(shared.queue, one, &range, &first_one, &with_event[i]));
}

static void make_queues(void)
{
    const mez_queue_params params = {.kind = MEZ_QUEUE_IMMEDIATE};
    for (unsigned i = 0; i < MANY_QUEUES && !idle[i]; i++)
        must(mez_queue_create(shared.context, &params, &idle[i]));
}

static void drop_queues(void)
{
    for (unsigned i = 0; i < MANY_QUEUES; i++)
        mez_queue_destroy(&idle[i]);
}

// --- Arguments

// Another pointer in each launch, and one that the launch before the last did not have.
static inline void launch_next_pointer(mez_queue *queue, unsigned i)
{
    items[0].data = (char *)shared.memory + i * sizeof(int);
    must(mez_submit(queue, one, &range, &first_one, NULL));
}

static inline void launch_next_numbers(mez_kernel *kernel, const mez_args *args, unsigned i)
{
    items[0].data = (char *)shared.memory + i * sizeof(int);
    number = (int)i;
    must(mez_submit(shared.queue, kernel, &range, args, NULL));
}

static inline void launch_counter(unsigned i)
{
    static int counter;
    counter = (int)i;
    items[3].data = &counter;
    must(mez_submit(shared.queue, four, &range, &first_four, NULL));
    items[3].data = &number;
}

static inline void launch_next_range(unsigned i)
{
    mez_range next = range;
    next.global[0] = i + 1;
    must(mez_submit(shared.queue, one, &next, &first_one, NULL));
}

// 4 MiB come and go every 10 launches, so that pointers may mean something else afterwards.
static inline void launch_among_allocations(unsigned i)
{
    mez_error error;
    if (i % 10 == 0) {
        void *allocated = mez_alloc_device(shared.context, (size_t)4 << 20, &error);
        must(error);
        must(mez_free(shared.context, allocated));
    }
    must(mez_submit(shared.queue, four, &range, &first_four, NULL));
}

PERF_OPERATION(pointer_changes, launch_next_pointer(shared.queue, i))
PERF_OPERATION(four_change, launch_next_numbers(four, &first_four, i))
PERF_OPERATION(all_change, launch_next_numbers(all, &first_all, i))
PERF_OPERATION(counter_changes, launch_counter(i))
PERF_OPERATION(large_value, must(mez_submit(shared.queue, large, &range, &with_large, NULL)))
PERF_OPERATION(pointers_in_turn, must(mez_submit(shared.queue, one, &range, &two[i & 1], NULL)))
PERF_OPERATION(range_changes, launch_next_range(i))
PERF_OPERATION(
    ranges_in_turn, must(mez_submit(shared.queue, one, &ranges[i & 1], &first_one, NULL)))
PERF_OPERATION(among_allocations, launch_among_allocations(i))

static inline void launch_kernel_in_turn(unsigned count)
{
    static unsigned next;
    must(mez_submit(shared.queue, many[next++ % count], &range, &first_one, NULL));
}

PERF_OPERATION(kernels_16, launch_kernel_in_turn(16))
PERF_OPERATION(kernels_32, launch_kernel_in_turn(32))
PERF_OPERATION(kernels_64, launch_kernel_in_turn(64))
PERF_OPERATION(kernels_256, launch_kernel_in_turn(256))

static void use_all_kernels(void)
{
    for (unsigned i = 0; i < MANY_KERNELS; i++)
        must(mez_submit(shared.queue, many[i], &range, &first_one, NULL));
    finish();
}

PERF_OPERATION(kernels_10000, launch_kernel_in_turn(MANY_KERNELS))

// --- Events and orders

PERF_OPERATION(behind_1, must(mez_submit(shared.queue, one, &range, &first_one, &behind_one)))
PERF_OPERATION(behind_3, must(mez_submit(shared.queue, one, &range, &first_one, &behind_three)))
PERF_OPERATION(unordered_launch, must(mez_submit(unordered, one, &range, &first_one, NULL)))
PERF_OPERATION(
    unordered_event, must(mez_submit(unordered, one, &range, &first_one, &with_event[i])))
PERF_OPERATION(
    unordered_behind_4, must(mez_submit(unordered, one, &range, &first_one, &behind_four)))
PERF_OPERATION(
    device_event, must(mez_submit(shared.queue, one, &range, &first_one, &with_device_event[i])))
PERF_OPERATION(discarded, must(mez_submit(discarding, one, &range, &first_one, &with_event[i])))
PERF_OPERATION(wait_and_destroy, must(mez_event_wait(events[i])); mez_event_destroy(&events[i]))

// --- Other tasks

static void do_nothing(void *user)
{
    (void)user;
}

PERF_OPERATION(barriers, must(mez_barrier(shared.queue, NULL)))
PERF_OPERATION(host_tasks, must(mez_host_task(shared.queue, do_nothing, NULL, NULL)))

static inline void allocate_and_free(void)
{
    mez_error error;
    void *allocated = mez_alloc_device(shared.context, 4096, &error);
    must(error);
    must(mez_free(shared.context, allocated));
}

PERF_OPERATION(among_queues, allocate_and_free())

// --- Batched queues

PERF_OPERATION(batched_pointer, launch_next_pointer(shared.batched, i))
PERF_OPERATION(
    batched_event, must(mez_submit(shared.batched, one, &range, &first_one, &with_event[i])))
PERF_OPERATION(batched_finish, must(mez_submit(shared.batched, one, &range, &first_one, NULL));
               must(mez_queue_wait(shared.batched)))

static const struct perf_case cases[] = {
    {
        .name = "launch, a pointer that is new each time",
        .ours = {.measured = pointer_changes, .after = finish},
        .limit = PERF_MUST(260),
    },
    {
        .name = "launch, 4 arguments that are new each time",
        .ours = {.measured = four_change, .after = finish},
        .limit = PERF_MUST(420),
    },
    {
        .name = "launch, 64 arguments that are new each time",
        .ours = {.measured = all_change, .after = finish},
        .limit = PERF_MUST(3900),
    },
    {
        .name = "launch, a counter among 4 arguments",
        .ours = {.measured = counter_changes, .after = finish},
        .limit = PERF_AIM(300),
    },
    {
        .name = "launch, an unchanged value of 256 bytes",
        .ours = {.measured = large_value, .after = finish},
        .limit = PERF_MUST(350),
    },
    {
        .name = "launch, two pointers in turn",
        .ours = {.measured = pointers_in_turn, .after = finish},
        .limit = PERF_MUST(180),
    },
    {
        .name = "launch, a range that is new each time",
        .ours = {.measured = range_changes, .after = finish},
        .limit = PERF_MUST(300),
    },
    {
        .name = "launch, two ranges in turn",
        .ours = {.measured = ranges_in_turn, .after = finish},
        .limit = PERF_MUST(300),
    },
    {
        .name = "launch, 4 MiB allocated and freed every 10",
        .ours = {.measured = among_allocations, .after = finish},
        .limit = PERF_AIM(220),
        .may_allocate = true, // the driver does
    },
    {
        .name = "launch, 16 kernels in turn",
        .ours = {.measured = kernels_16, .after = finish},
        .limit = PERF_MUST(165),
    },
    {
        .name = "launch, 32 kernels in turn",
        .ours = {.measured = kernels_32, .after = finish},
        .limit = PERF_MUST(165),
    },
    {
        .name = "launch, 64 kernels in turn",
        .ours = {.measured = kernels_64, .after = finish},
        .limit = PERF_MUST(165),
    },
    {
        .name = "launch, 256 kernels in turn",
        .ours = {.measured = kernels_256, .after = finish},
        .limit = PERF_MUST(165),
    },
    {
        .name = "launch, 10000 kernels in turn",
        .ours = {.before = use_all_kernels, .measured = kernels_10000, .after = finish},
        .limit = PERF_MUST(165),
    },
    {
        .name = "launch behind an event of another queue",
        .ours = {.before = make_awaited, .measured = behind_1, .after = drop_awaited},
        .limit = PERF_MUST(300),
    },
    {
        .name = "launch behind 3 events of another queue",
        .ours = {.before = make_awaited, .measured = behind_3, .after = drop_awaited},
        .limit = PERF_AIM(420),
    },
    {
        .name = "launch, out of order",
        .ours = {.measured = unordered_launch, .after = finish_unordered},
        .limit = PERF_MUST(260),
    },
    {
        .name = "launch, out of order, event",
        .ours = {.measured = unordered_event, .after = finish_unordered_and_drop},
        .limit = PERF_MUST(330),
    },
    {
        .name = "launch, out of order, behind 4 events",
        .ours = {.before = make_awaited, .measured = unordered_behind_4, .after = drop_awaited},
    },
    {
        .name = "launch, event for the device alone",
        .ours = {.measured = device_event, .after = finish_and_drop},
        .limit = PERF_MUST(260),
    },
    {
        .name = "launch, event that the queue discards",
        .ours = {.measured = discarded, .after = finish_discarding},
        .limit = PERF_AIM(160),
    },
    {
        .name = "wait for an event and destroy it",
        .ours = {.before = make_events, .measured = wait_and_destroy, .after = finish},
        .limit = PERF_MUST(300),
    },
    {
        .name = "barrier",
        .ours = {.measured = barriers, .after = finish},
        .limit = PERF_MUST(150),
    },
    {
        .name = "host task",
        .ours = {.measured = host_tasks, .after = finish},
        .limit = PERF_MUST(450),
        .may_allocate = true, // another thread runs them, and how many wait for it varies
    },
    {
        .name = "allocate and free beside 1000 queues",
        .ours = {.before = make_queues, .measured = among_queues},
        .limit = PERF_MUST(200),
    },
    {
        .name = "batched launch, a pointer that is new each time",
        .ours = {.before = drop_queues, .measured = batched_pointer, .after = finish_batched},
        .limit = PERF_AIM(600),
    },
    {
        .name = "batched launch, event",
        .ours = {.measured = batched_event, .after = finish_batched_and_drop},
        .limit = PERF_AIM(480),
    },
    {
        .name = "batched launch and finish",
        .ours = {.measured = batched_finish},
        .limit = PERF_AIM(700),
    },
};

// --- Life

static void create_kernels(void)
{
    must(mez_kernel_create(shared.plain_image, "one_argument", &one));
    must(mez_kernel_create(shared.plain_image, "four_arguments", &four));
    must(mez_kernel_create(shared.plain_image, "sixty_four_arguments", &all));
    must(mez_kernel_create(shared.plain_image, "large_argument", &large));
    for (unsigned i = 0; i < MANY_KERNELS; i++)
        must(mez_kernel_create(shared.plain_image, "one_argument", &many[i]));
}

static void create_queues(void)
{
    const mez_queue_params like = {.kind = MEZ_QUEUE_IMMEDIATE},
                           without_order = {.kind = MEZ_QUEUE_IMMEDIATE, .order = MEZ_OUT_OF_ORDER},
                           without_events = {.kind = MEZ_QUEUE_IMMEDIATE, .discard_events = true};
    must(mez_queue_create(shared.context, &like, &other));
    must(mez_queue_create(shared.context, &without_order, &unordered));
    must(mez_queue_create(shared.context, &without_events, &discarding));
}

static void fill_arguments(void)
{
    items[0] = (mez_arg){MEZ_ARG_POINTER, 0, shared.memory};
    for (unsigned i = 1; i < MOST_ARGUMENTS; i++)
        items[i] = (mez_arg){MEZ_ARG_VALUE, sizeof number, &number};
    large_items[0] = items[0];
    large_items[1] = (mez_arg){MEZ_ARG_VALUE, sizeof value, value};
    two_pointers[0] = items[0];
    two_pointers[1] = (mez_arg){MEZ_ARG_POINTER, 0, (char *)shared.memory + 64};
    for (unsigned i = 0; i < PERF_ROUND; i++) {
        with_event[i].event = with_device_event[i].event = &events[i];
        with_device_event[i].device_event = true;
    }
}

const struct perf_case *perf_ordinary_init(const struct perf_shared *given, size_t *count)
{
    shared = *given;
    create_kernels();
    create_queues();
    fill_arguments();
    *count = sizeof cases / sizeof *cases;
    return cases;
}

void perf_ordinary_finish(void)
{
    drop_queues();
    mez_queue_destroy(&other);
    mez_queue_destroy(&unordered);
    mez_queue_destroy(&discarding);
    mez_kernel_destroy(&one);
    mez_kernel_destroy(&four);
    mez_kernel_destroy(&all);
    mez_kernel_destroy(&large);
    for (unsigned i = 0; i < MANY_KERNELS; i++)
        mez_kernel_destroy(&many[i]);
}
