// SPDX-License-Identifier: MIT
//
// A soak: submits for long, and looks whether anything grows: objects of Level Zero, file descriptors, memory, and what the
// context says that it has. Threads submit in phases; between two phases everything is waited for and counted. What the first
// phases reach must do for the last ones.
//
//   MEZ_SOAK_SUBMISSIONS=n  how many: 20000

#include "harness.h"

#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "noop.h"
#include "random.h"

enum {
    PHASES = 64,
    WARM_UP = 8, // phases that nobody looks at
    THREADS = 2,
    QUEUES = 4, // the first two are in order, one for each thread
    BUFFERS = 8,
    ITEMS = 64,
};

static mez_queue *queues[QUEUES];
static mez_kernel *step;
static uint32_t *source;          // of copies
static uint32_t source_values[2]; // of its two halves

// --- Submitting

typedef struct buffer {
    uint32_t *memory;
    uint32_t expected; // in each item
    // Of the task that had it last; NULL: none, or it is that of the thread's own queue.
    mez_event *last;
} buffer;

typedef struct worker {
    pthread_t thread;
    uint64_t random;
    uint64_t submissions;
    uint32_t number;
    buffer buffers[BUFFERS]; // the first is only used on the thread's own queue, without events
    atomic_uint callbacks;   // and host tasks, that have not been called
    mez_error error;         // the first
} worker;

#define SOAK_TRY(expression)                  \
    do {                                      \
        const mez_error tried = (expression); \
        if (mez_failed(tried))                \
            return tried;                     \
    } while (0)

static void count_down(void *user)
{
    worker *worker = user;
    atomic_fetch_sub(&worker->callbacks, 1);
}

static void called(void *user, mez_error outcome)
{
    if (!mez_failed(outcome))
        count_down(user);
}

// A new one of any size and kind, while the tasks of the old one run.
static mez_error renew(worker *w, buffer *buffer, mez_queue *queue)
{
    const mez_memory_params params = {
        .kind = (mez_memory_kind)mez_test_random_below(&w->random, 3)};
    const size_t most = mez_test_random_below(&w->random, 8) == 0 ? 40000 : 1000;
    const size_t size =
        ITEMS * sizeof(uint32_t) + mez_test_random_below(&w->random, (uint32_t)most);
    mez_error error;
    SOAK_TRY(mez_free(mez_test_context(), buffer->memory));
    mez_event_destroy(&buffer->last);
    buffer->memory = mez_alloc(mez_test_context(), &params, size, &error);
    SOAK_TRY(error);
    buffer->expected = mez_test_random_below(&w->random, 1000);
    return mez_fill(queue, buffer->memory, &buffer->expected, sizeof buffer->expected,
        ITEMS * sizeof(uint32_t), buffer == w->buffers ? NULL : MEZ_TASK(.event = &buffer->last));
}

static mez_error submit(worker *w, buffer *buffer, mez_queue *queue, const mez_task_params *params)
{
    const uint32_t number = mez_test_random_below(&w->random, 1000), half = number % 2;
    const uint32_t *from = source + half * ITEMS;
    const size_t row = ITEMS / 4 * sizeof *from;
    switch (mez_test_random_below(&w->random, 4)) {
    case 0:
        buffer->expected = number;
        return mez_fill(queue, buffer->memory, &number, sizeof number, 4 * row, params);
    case 1:
        buffer->expected = source_values[half];
        return mez_copy(queue, buffer->memory, from, 4 * row, params);
    case 2:
        buffer->expected = source_values[half];
        return mez_copy_2d(queue, buffer->memory, row, from, row, row, 4, params);
    default:
        buffer->expected = buffer->expected * 3 + number;
        return mez_submit(queue, step, MEZ_RANGE(ITEMS),
            MEZ_ARGS(MEZ_PTR(buffer->memory), MEZ_VAL(number)), params);
    }
}

// Held back by the runtime, as is what comes behind it.
static mez_error submit_host_task(worker *w, mez_queue *queue, const mez_task_params *params)
{
    atomic_fetch_add(&w->callbacks, 1);
    const mez_error error = mez_host_task(queue, count_down, w, params);
    if (mez_failed(error))
        count_down(w);
    return error;
}

// Waits for the buffer's last task, and for some of others.
static mez_error submit_with_events(worker *w, buffer *buffer, mez_queue *queue)
{
    mez_event *waits[BUFFERS], *event;
    mez_task_params params = {.wait_for = waits, .event = &event};
    for (uint32_t i = 1; i < BUFFERS; i++)
        if (w->buffers[i].last &&
            (&w->buffers[i] == buffer || mez_test_random_below(&w->random, 4) == 0))
            waits[params.wait_count++] = w->buffers[i].last;
    if (mez_test_random_below(&w->random, 20) == 0)
        SOAK_TRY(submit_host_task(w, queue, &params));
    else
        SOAK_TRY(submit(w, buffer, queue, &params));
    mez_event_destroy(&buffer->last);
    buffer->last = event;
    if (mez_test_random_below(&w->random, 50) == 0) {
        atomic_fetch_add(&w->callbacks, 1);
        SOAK_TRY(mez_event_set_callback(event, called, w));
    }
    return mez_test_random_below(&w->random, 200) == 0 ? mez_event_wait(event) : mez_ok();
}

// So that the number of tasks in flight has a bound.
static mez_error catch_up(const worker *w)
{
    SOAK_TRY(mez_queue_wait(queues[w->number]));
    for (uint32_t i = 0; i < BUFFERS; i++)
        if (w->buffers[i].last)
            SOAK_TRY(mez_event_wait(w->buffers[i].last));
    return mez_ok();
}

static mez_error submit_once(worker *w)
{
    const uint32_t number = mez_test_random_below(&w->random, BUFFERS);
    buffer *buffer = &w->buffers[number];
    mez_queue *queue = queues[number == 0 ? w->number : mez_test_random_below(&w->random, QUEUES)];
    if (!buffer->memory || mez_test_random_below(&w->random, 16) == 0)
        return renew(w, buffer, queue);
    if (mez_test_random_below(&w->random, 50) == 0)
        SOAK_TRY(mez_barrier(queue, NULL));
    if (mez_test_random_below(&w->random, 1000) == 0)
        SOAK_TRY(mez_queue_wait(queue));
    return number == 0 ? submit(w, buffer, queue, NULL) : submit_with_events(w, buffer, queue);
}

static void *work(void *argument)
{
    worker *w = argument;
    for (uint64_t i = 0; i < w->submissions && !mez_failed(w->error); i++) {
        w->error = submit_once(w);
        if (i % 256 == 255 && !mez_failed(w->error))
            w->error = catch_up(w);
    }
    return NULL;
}

// --- Counting

typedef struct figure {
    const char *name;
    uint64_t bound; // how much the last quarter may exceed the first
    uint64_t first; // the most of the first quarter behind the warm-up
    uint64_t last;  // of the last
} figure;

// Events come by the slab, memory by the chunk, and how many tasks are in flight at once is up to chance.
enum { SLAB = 256, CHUNK = 2 << 20 };

static figure figures[] = {
    {"file descriptors", 0, 0, 0},
    {"resident bytes", 4 << 20, 0, 0},
    {"images", 0, 0, 0},
    {"kernels", 0, 0, 0},
    {"queues", 0, 0, 0},
    {"events", 4, 0, 0}, // a queue out of order may keep one of its own, to know how far it is
    {"event slabs", 2, 0, 0},
    {"command lists", 48, 0, 0},
    {"allocations", 0, 0, 0},
    {"driver bytes", 3 * CHUNK, 0, 0},
    {"deferred frees", 0, 0, 0},
    {"driver's events", 2 * SLAB, 0, 0},
    {"driver's other objects", 24, 0, 0},
};
enum { FIGURES = sizeof figures / sizeof *figures };

static uint64_t count_descriptors(void)
{
    uint64_t count = 0;
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static uint64_t resident_bytes(void)
{
    unsigned long pages = 0;
    malloc_trim(0); // what is free but not given back comes and goes with the compiler
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*u %lu", &pages), 1);
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void count(uint64_t values[FIGURES])
{
    mez_context_statistics s;
    mez_context_get_statistics(mez_test_context(), &s);
    const mez_memory_usage *const memory[] = {&s.device_memory, &s.host_memory, &s.shared_memory};
    const uint64_t events = (uint64_t)noop_live(NOOP_EVENT);
    const uint64_t found[FIGURES] = {count_descriptors(), resident_bytes(), s.images, s.kernels,
        s.queues, s.events, s.event_slabs, s.command_lists, 0, 0, 0, events,
        (uint64_t)noop_live_total() - events};
    memcpy(values, found, sizeof found);
    for (int i = 0; i < 3; i++) {
        values[8] += memory[i]->allocations;
        values[9] += memory[i]->driver_bytes;
        values[10] += memory[i]->deferred;
    }
}

static void take_sample(uint32_t phase)
{
    uint64_t values[FIGURES];
    const uint32_t quarter = (PHASES - WARM_UP) / 4;
    count(values);
    for (size_t i = 0; i < FIGURES; i++) {
        uint64_t *most = phase < WARM_UP + quarter ? &figures[i].first : &figures[i].last;
        const bool counts =
            phase >= WARM_UP && (phase < WARM_UP + quarter || phase >= PHASES - quarter);
        if (counts && *most < values[i])
            *most = values[i];
    }
}

// Sanitizers keep what is freed.
static bool memory_counts(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return false;
#else
    return true;
#endif
}

static void compare_quarters(void)
{
    bool grown = false;
    for (size_t i = 0; i < FIGURES; i++) {
        const figure *f = &figures[i];
        const bool fine = f->last <= f->first + f->bound || (i == 1 && !memory_counts());
        printf("%-24s first quarter %12llu, last quarter %12llu%s\n", f->name,
            (unsigned long long)f->first, (unsigned long long)f->last, fine ? "" : ": has grown");
        grown = grown || !fine;
    }
    assert_false(grown);
}

// --- Phases

// Each phase has a queue of its own and some have a new kernel, so that these come and go, too.
static void begin_phase(uint32_t phase)
{
    mez_test_ok(mez_queue_create(mez_test_context(),
        &(const mez_queue_params){.order = MEZ_OUT_OF_ORDER, .profiling = true},
        &queues[QUEUES - 1]));
    if (phase % 8 == 0) {
        mez_kernel_destroy(&step);
        step = mez_test_kernel("order", "step_once");
    }
}

static void check(const buffer *buffer)
{
    uint32_t seen[ITEMS];
    if (!buffer->memory)
        return;
    mez_test_ok(mez_copy(queues[0], seen, buffer->memory, sizeof seen, NULL));
    mez_test_ok(mez_queue_wait(queues[0]));
    for (uint32_t i = 0; i < ITEMS && mez_test_has("results"); i++)
        assert_int_equal(seen[i], buffer->expected);
}

static void end_phase(worker *workers)
{
    mez_queue_destroy(&queues[QUEUES - 1]);
    for (uint32_t i = 0; i < QUEUES - 1; i++)
        mez_test_ok(mez_queue_wait(queues[i]));
    for (uint32_t i = 0; i < THREADS; i++) {
        for (uint32_t j = 0; j < BUFFERS; j++) {
            buffer *buffer = &workers[i].buffers[j];
            check(buffer);
            mez_test_free(buffer->memory);
            buffer->memory = NULL;
            mez_event_destroy(&buffer->last);
        }
        while (atomic_load(&workers[i].callbacks) > 0)
            usleep(100);
    }
}

static void run_phase(worker *workers, uint32_t phase)
{
    begin_phase(phase);
    for (uint32_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    for (uint32_t i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    for (uint32_t i = 0; i < THREADS; i++)
        mez_test_ok(workers[i].error);
    end_phase(workers);
}

static void open_queues(void)
{
    for (uint32_t i = 0; i < QUEUES - 1; i++)
        mez_test_ok(mez_queue_create(mez_test_context(),
            &(const mez_queue_params){.order = i < THREADS ? MEZ_IN_ORDER : MEZ_OUT_OF_ORDER},
            &queues[i]));
    source = mez_test_shared(2 * ITEMS * sizeof *source);
    source_values[0] = 17;
    source_values[1] = 4711;
    for (uint32_t i = 0; i < 2 * ITEMS; i++)
        source[i] = source_values[i / ITEMS];
}

static void close_queues(void)
{
    for (uint32_t i = 0; i < QUEUES - 1; i++)
        mez_queue_destroy(&queues[i]);
    mez_kernel_destroy(&step);
    mez_test_free(source);
}

static void nothing_grows(void **state)
{
    (void)state;
    static worker workers[THREADS];
    const char *text = getenv("MEZ_SOAK_SUBMISSIONS");
    const uint64_t submissions = text && *text ? strtoull(text, NULL, 10) : 20000;
    printf("MEZ_SOAK_SUBMISSIONS=%llu\n", (unsigned long long)submissions);
    open_queues();
    for (uint32_t i = 0; i < THREADS; i++)
        workers[i] =
            (worker){.random = i, .number = i, .submissions = submissions / (PHASES * THREADS) + 1};
    for (uint32_t phase = 0; phase < PHASES; phase++) {
        run_phase(workers, phase);
        take_sample(phase);
    }
    close_queues();
    compare_quarters();
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {MEZ_DEVICE_TEST(nothing_grows)};
    return MEZ_TEST_MAIN(argc, argv, tests);
}
