// SPDX-License-Identifier: MIT
//
// One of everything, 16, 17 and 2,000: queues, images, contexts, memory, recordings, host tasks, threads. What was computed must be
// right, and nothing may be left behind.
//
//   MEZ_TEST_SCALE=n   that number alone; under callgrind, two numbers show what grows faster than they do

#include "harness.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>

#include "noop.h"

enum { MOST = 2000, MOST_THREADS = 64, ROUNDS = 20 };

typedef void scale_body(uint32_t count);

static uint32_t number_of(uint32_t index)
{
    return index * 2654435761u + 1;
}

static void expect(uint32_t seen, uint32_t expected)
{
    if (mez_test_has("results"))
        assert_int_equal(seen, expected);
}

static uint32_t *get_slots(void)
{
    uint32_t *slots = mez_test_alloc(MEZ_MEMORY_HOST, MOST * sizeof *slots);
    memset(slots, 0, MOST * sizeof *slots);
    return slots;
}

static void fill(mez_queue *queue, uint32_t *slot, uint32_t number, const mez_task_params *task)
{
    mez_test_ok(mez_fill(queue, slot, &number, sizeof number, sizeof number, task));
}

static void check_slots(const uint32_t *slots, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        expect(slots[i], number_of(i));
}

// --- What is left

static unsigned open_files(void)
{
    unsigned count = 0;
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static uint64_t allocations(const mez_context_statistics *s)
{
    return s->device_memory.allocations + s->host_memory.allocations +
           s->shared_memory.allocations + s->device_memory.deferred + s->host_memory.deferred +
           s->shared_memory.deferred;
}

static void expect_the_same(const mez_context_statistics *before)
{
    mez_context_statistics after;
    mez_context_get_statistics(mez_test_context(), &after);
    assert_int_equal(after.images, before->images);
    assert_int_equal(after.kernels, before->kernels);
    assert_int_equal(after.queues, before->queues);
    assert_int_equal(after.launches, before->launches);
    assert_int_equal(after.recordings, before->recordings);
    assert_int_equal(after.events, before->events);
    assert_int_equal(allocations(&after), allocations(before));
}

// Of the no-op driver; 0 elsewhere. Events and memory the context keeps for later use, and the statistics count what the program has.
static int64_t driver_objects(void)
{
    return noop_live_total() - noop_live(NOOP_EVENT) - noop_live(NOOP_EVENT_POOL) -
           noop_live(NOOP_MEMORY);
}

// The first round opens what stays open, such as the cache's folder.
static void each(scale_body *body, uint32_t most)
{
    const uint32_t counts[] = {1, 16, 17, most};
    const char *only = getenv("MEZ_TEST_SCALE");
    if (only) {
        const uint32_t count = (uint32_t)strtoul(only, NULL, 10);
        assert_in_range(count, 1, MOST);
        body(count < most ? count : most);
        return;
    }
    unsigned files = 0;
    int64_t objects = 0;
    for (int i = 0; i < 4; i++) {
        mez_context_statistics before;
        mez_context_get_statistics(mez_test_context(), &before);
        body(counts[i]);
        expect_the_same(&before);
        if (i > 0) {
            assert_int_equal(open_files(), files);
            assert_int_equal(driver_objects(), objects);
        }
        files = open_files();
        objects = driver_objects();
    }
}

// --- Queues

static mez_queue *make_queue(uint32_t index)
{
    mez_queue *queue;
    const mez_queue_params params = {.order = index % 2 ? MEZ_OUT_OF_ORDER : MEZ_IN_ORDER};
    mez_test_ok(mez_queue_create(mez_test_context(), &params, &queue));
    return queue;
}

// From queue to queue, each waiting for the one before.
static void pass_on(mez_queue *const *queues, uint32_t *slots, uint32_t count)
{
    mez_event *last, *next;
    fill(queues[0], &slots[0], number_of(MOST), MEZ_TASK(.event = &last));
    for (uint32_t i = 1; i < count; i++) {
        mez_test_ok(mez_copy(queues[i], &slots[i], &slots[i - 1], sizeof *slots,
            MEZ_TASK(.wait_for = &last, .wait_count = 1, .event = &next)));
        mez_event_destroy(&last);
        last = next;
    }
    mez_test_ok(mez_event_wait(last));
    mez_event_destroy(&last);
    expect(slots[count - 1], number_of(MOST));
}

// All are busy at once; then a number goes from one to the next.
static void use_queues(uint32_t count)
{
    static mez_queue *queues[MOST];
    uint32_t *slots = get_slots();
    for (uint32_t i = 0; i < count; i++) {
        queues[i] = make_queue(i);
        fill(queues[i], &slots[i], number_of(i), NULL);
    }
    for (uint32_t i = 0; i < count; i++)
        mez_test_ok(mez_queue_wait(queues[i]));
    check_slots(slots, count);
    pass_on(queues, slots, count);
    for (uint32_t i = 0; i < count; i++)
        mez_queue_destroy(&queues[i]);
    mez_test_free(slots);
}

static void queues(void **state)
{
    (void)state;
    each(use_queues, MOST);
}

// --- Events

// A task that waits for those of four queues copies what all of them have written.
static void wait_for_events(uint32_t count)
{
    static mez_event *events[MOST];
    mez_queue *four[4];
    uint32_t *slots = get_slots(), *copy = get_slots();
    for (uint32_t i = 0; i < 4; i++)
        four[i] = make_queue(i);
    for (uint32_t i = 0; i < count; i++)
        fill(four[i % 4], &slots[i], number_of(i), MEZ_TASK(.event = &events[i]));
    mez_test_ok(mez_copy(four[1], copy, slots, MOST * sizeof *slots,
        MEZ_TASK(.wait_for = events, .wait_count = count)));
    mez_test_ok(mez_queue_wait(four[1]));
    check_slots(copy, count);
    for (uint32_t i = 0; i < count; i++)
        mez_event_destroy(&events[i]);
    for (uint32_t i = 0; i < 4; i++)
        mez_queue_destroy(&four[i]);
    mez_test_free(slots);
    mez_test_free(copy);
}

static void events(void **state)
{
    (void)state;
    each(wait_for_events, MOST);
}

// --- Images

static mez_kernel *load_step(void)
{
    mez_kernel *step;
    mez_test_ok(
        mez_kernel_load(mez_test_context(), mez_test_kernel_path("order"), "step_once", &step));
    return step;
}

// All are alive at once, each with a kernel of its own.
static void use_images(uint32_t count)
{
    static mez_kernel *kernels[MOST];
    mez_queue *queue = make_queue(0);
    uint32_t *slots = get_slots();
    for (uint32_t i = 0; i < count; i++)
        kernels[i] = load_step();
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = number_of(i);
        mez_test_ok(mez_submit(
            queue, kernels[i], MEZ_RANGE(1), MEZ_ARGS(MEZ_PTR(&slots[i]), MEZ_VAL(number)), NULL));
    }
    mez_test_ok(mez_queue_wait(queue));
    check_slots(slots, count);
    for (uint32_t i = 0; i < count; i++)
        mez_kernel_destroy(&kernels[i]);
    mez_queue_destroy(&queue);
    mez_test_free(slots);
}

static void images(void **state)
{
    (void)state;
    each(use_images, MOST);
}

// --- Contexts

static void use_context(uint32_t index)
{
    mez_context *context;
    mez_queue *queue;
    mez_test_ok(mez_context_create(NULL, &context));
    mez_test_ok(mez_queue_create(context, NULL, &queue));
    uint32_t *slot = mez_alloc_host(context, sizeof *slot, NULL);
    assert_non_null(slot);
    fill(queue, slot, number_of(index), NULL);
    mez_test_ok(mez_queue_wait(queue));
    expect(*slot, number_of(index));
    mez_test_ok(mez_free(context, slot));
    mez_queue_destroy(&queue);
    mez_context_destroy(&context);
}

static void use_contexts(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        use_context(i);
}

static void contexts(void **state)
{
    (void)state;
    each(use_contexts, MOST);
}

// --- Memory

// Each is the argument of a launch, and all are alive at once. What is freed meanwhile is kept for its launch.
static void use_pointers(uint32_t count)
{
    static uint32_t *pointers[MOST];
    mez_kernel *step = load_step();
    mez_queue *queue = make_queue(1);
    uint32_t *slots = get_slots();
    for (uint32_t i = 0; i < count; i++) {
        pointers[i] = mez_test_alloc((mez_memory_kind)(i % 3), i % 5 ? 64 : 40000);
        fill(queue, pointers[i], 0, NULL);
    }
    mez_test_ok(mez_queue_wait(queue));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = number_of(i);
        mez_event *stepped;
        mez_test_ok(mez_submit(queue, step, MEZ_RANGE(1),
            MEZ_ARGS(MEZ_PTR(pointers[i]), MEZ_VAL(number)), MEZ_TASK(.event = &stepped)));
        mez_test_ok(mez_copy(queue, &slots[i], pointers[i], sizeof *slots,
            MEZ_TASK(.wait_for = &stepped, .wait_count = 1)));
        mez_event_destroy(&stepped);
    }
    for (uint32_t i = 0; i < count; i++)
        mez_test_free(pointers[i]);
    mez_test_ok(mez_queue_wait(queue));
    check_slots(slots, count);
    mez_queue_destroy(&queue);
    mez_kernel_destroy(&step);
    mez_test_free(slots);
}

static void pointers(void **state)
{
    (void)state;
    each(use_pointers, MOST);
}

// --- Recordings

// Each is replayed three times.
static void use_recordings(uint32_t count)
{
    static mez_recording *recordings[MOST];
    mez_kernel *step = load_step();
    mez_queue *queue = make_queue(0);
    uint32_t *slots = get_slots();
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = number_of(i);
        mez_test_ok(mez_recording_create(mez_test_context(), NULL, &recordings[i]));
        mez_test_ok(mez_record_submit(recordings[i], step, MEZ_RANGE(1),
            MEZ_ARGS(MEZ_PTR(&slots[i]), MEZ_VAL(number)), NULL, NULL));
    }
    for (int round = 0; round < 3; round++)
        for (uint32_t i = 0; i < count; i++)
            mez_test_ok(mez_replay(queue, recordings[i], NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (uint32_t i = 0; i < count; i++)
        expect(slots[i], number_of(i) * (9 + 3 + 1));
    for (uint32_t i = 0; i < count; i++)
        mez_recording_destroy(&recordings[i]);
    mez_queue_destroy(&queue);
    mez_kernel_destroy(&step);
    mez_test_free(slots);
}

static void recordings(void **state)
{
    (void)state;
    each(use_recordings, MOST);
}

// --- Host tasks

typedef struct counted {
    uint32_t next;
    uint32_t out_of_turn;
} counted;

typedef struct turn {
    counted *counted;
    uint32_t number;
} turn;

static void take_turn(void *user)
{
    const turn *t = user;
    t->counted->out_of_turn += t->counted->next++ != t->number;
}

// In the order of the queue, with tasks of the device between them.
static void use_host_tasks(uint32_t count)
{
    static turn turns[MOST];
    mez_queue *queue = make_queue(0);
    uint32_t *slots = get_slots();
    counted counted = {0};
    for (uint32_t i = 0; i < count; i++) {
        turns[i] = (turn){.counted = &counted, .number = i};
        fill(queue, &slots[i], number_of(i), NULL);
        mez_test_ok(mez_host_task(queue, take_turn, &turns[i], NULL));
    }
    mez_test_ok(mez_queue_wait(queue));
    assert_int_equal(counted.next, count);
    assert_int_equal(counted.out_of_turn, 0);
    check_slots(slots, count);
    mez_queue_destroy(&queue);
    mez_test_free(slots);
}

static void host_tasks(void **state)
{
    (void)state;
    each(use_host_tasks, MOST);
}

// --- Threads

typedef struct worker {
    pthread_t thread;
    mez_kernel *step; // everybody's
    uint32_t *slot;
    uint32_t number;
    mez_error error; // the first
} worker;

static void note(worker *w, mez_error error)
{
    if (mez_failed(error) && !mez_failed(w->error))
        w->error = mez_error_retain(error);
}

static void work_on(worker *w, mez_queue *queue)
{
    mez_event *event;
    for (int round = 0; round < ROUNDS && !mez_failed(w->error); round++) {
        void *memory = mez_alloc_host(mez_test_context(), 64, NULL);
        note(w, mez_fill(queue, memory, "", 1, 64, NULL));
        note(w, mez_submit(queue, w->step, MEZ_RANGE(1),
                    MEZ_ARGS(MEZ_PTR(w->slot), MEZ_VAL(w->number)), MEZ_TASK(.event = &event)));
        note(w, mez_free(mez_test_context(), memory));
        if (mez_failed(w->error))
            break;
        note(w, mez_event_wait(event));
        mez_event_destroy(&event);
    }
}

static void *work(void *argument)
{
    worker *w = argument;
    mez_queue *queue;
    note(w, mez_queue_create(mez_test_context(), NULL, &queue));
    if (mez_failed(w->error))
        return NULL;
    work_on(w, queue);
    note(w, mez_queue_wait(queue));
    mez_queue_destroy(&queue);
    return NULL;
}

static uint32_t after_rounds(uint32_t number)
{
    uint32_t value = 0;
    for (int round = 0; round < ROUNDS; round++)
        value = value * 3 + number;
    return value;
}

static void use_threads(uint32_t count)
{
    static worker workers[MOST_THREADS];
    mez_kernel *step = load_step();
    uint32_t *slots = get_slots();
    for (uint32_t i = 0; i < count; i++) {
        workers[i] = (worker){.step = step, .slot = &slots[i], .number = number_of(i)};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (uint32_t i = 0; i < count; i++) {
        pthread_join(workers[i].thread, NULL);
        mez_test_ok(workers[i].error);
        expect(slots[i], after_rounds(number_of(i)));
    }
    mez_kernel_destroy(&step);
    mez_test_free(slots);
}

static void threads(void **state)
{
    (void)state;
    each(use_threads, MOST_THREADS);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(queues),
        MEZ_DEVICE_TEST(events),
        MEZ_DEVICE_TEST(images),
        MEZ_DEVICE_TEST(contexts),
        MEZ_DEVICE_TEST(pointers),
        MEZ_DEVICE_TEST(recordings),
        MEZ_DEVICE_TEST(host_tasks),
        MEZ_DEVICE_TEST(threads),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
