// SPDX-License-Identifier: MIT
//
// Batches that repeat: whatever a program repeats, leaves out, changes or puts in between, each launch runs once and with the
// arguments of its submission.

#include "harness.h"
#include "random.h"

enum { WIDTH = 64, LAUNCHES = 3, LONGEST = 12, ROUNDS = 100 };

typedef struct program {
    uint64_t random;
    mez_queue *queue;
    mez_kernel *step;
    mez_launch *launches[LAUNCHES];
    uint32_t numbers[LAUNCHES]; // what each adds
    uint32_t *values;
    uint32_t expected;
    int pattern[LONGEST]; // launches, repeated again and again
    int length;
} program;

static uint32_t random_below(program *p, uint32_t bound)
{
    return mez_test_random_below(&p->random, bound);
}

static void create_queue(program *p, const char *batch)
{
    if (batch)
        setenv("MEZ_BATCH", batch, 1);
    mez_test_ok(mez_queue_create(mez_test_context(), NULL, &p->queue));
    unsetenv("MEZ_BATCH");
}

static void create(program *p, const char *batch)
{
    create_queue(p, batch);
    p->step = mez_test_kernel("order", "step_once");
    p->values = mez_test_shared(WIDTH * sizeof *p->values);
    memset(p->values, 0, WIDTH * sizeof *p->values);
    for (uint32_t i = 0; i < LAUNCHES; i++) {
        p->numbers[i] = i + 1;
        mez_test_ok(mez_launch_create(p->queue, p->step, MEZ_RANGE(WIDTH),
            MEZ_ARGS(MEZ_PTR(p->values), MEZ_VAL(p->numbers[i])), &p->launches[i]));
    }
}

static void destroy(program *p)
{
    for (uint32_t i = 0; i < LAUNCHES; i++)
        mez_launch_destroy(&p->launches[i]);
    mez_queue_destroy(&p->queue);
    mez_kernel_destroy(&p->step);
    mez_test_free(p->values);
}

static void check(program *p)
{
    mez_test_ok(mez_queue_wait(p->queue));
    for (int i = 0; i < WIDTH && mez_test_has("results"); i++)
        assert_int_equal(p->values[i], p->expected);
}

static void submit(program *p, int launch)
{
    mez_test_ok(mez_launch_submit(p->launches[launch], NULL));
    p->expected = p->expected * 3 + p->numbers[launch];
}

static void play_pattern(program *p)
{
    for (int i = 0; i < p->length; i++)
        submit(p, p->pattern[i]);
}

static void change_pattern(program *p)
{
    p->length = 1 + (int)random_below(p, LONGEST);
    for (int i = 0; i < p->length; i++)
        p->pattern[i] = (int)random_below(p, LAUNCHES);
}

static void change_argument(program *p)
{
    const uint32_t launch = random_below(p, LAUNCHES), number = random_below(p, 100);
    mez_test_ok(mez_launch_set_argument(p->launches[launch], 1, MEZ_ARG(MEZ_VAL(number))));
    p->numbers[launch] = number;
}

// A launch by the kernel's plain name, which may set the argument again.
static void submit_plainly(program *p)
{
    const uint32_t number = random_below(p, 3);
    mez_test_ok(mez_submit(
        p->queue, p->step, MEZ_RANGE(WIDTH), MEZ_ARGS(MEZ_PTR(p->values), MEZ_VAL(number)), NULL));
    p->expected = p->expected * 3 + number;
}

static void allocate(void)
{
    mez_test_free(mez_test_alloc(MEZ_MEMORY_DEVICE, 1 << 21));
}

static void fill(program *p)
{
    p->expected = random_below(p, 1000);
    mez_test_ok(mez_fill(
        p->queue, p->values, &p->expected, sizeof p->expected, WIDTH * sizeof *p->values, NULL));
}

static void submit_with_event(program *p)
{
    mez_event *event;
    mez_test_ok(mez_launch_submit(p->launches[0], MEZ_TASK(.event = &event)));
    p->expected = p->expected * 3 + p->numbers[0];
    mez_test_ok(mez_event_wait(event));
    mez_event_destroy(&event);
}

// What comes between two repetitions; mostly nothing.
static void interrupt(program *p)
{
    switch (random_below(p, 24)) {
    case 0:
        change_pattern(p);
        break;
    case 1:
        change_argument(p);
        break;
    case 2:
        submit_plainly(p);
        break;
    case 3:
        allocate();
        break;
    case 4:
        fill(p);
        break;
    case 5:
        submit_with_event(p);
        break;
    case 6:
        mez_test_ok(mez_queue_flush(p->queue));
        break;
    case 7:
        check(p);
        break;
    case 8:
        submit(p, (int)random_below(p, LAUNCHES)); // shifts what follows against the batches
        break;
    default:
        break;
    }
}

static void play(const char *batch, uint64_t seed, bool wait_each_time)
{
    program p = {.random = seed};
    create(&p, batch);
    change_pattern(&p);
    for (int i = 0; i < ROUNDS; i++) {
        play_pattern(&p);
        if (wait_each_time)
            check(&p);
        interrupt(&p);
    }
    check(&p);
    destroy(&p);
}

static void at_random(void **state)
{
    static const char *const batches[] = {NULL, "1", "2", "5", "16", "100"};
    (void)state;
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
        play(batches[i], 2 * i + 1, false);
        play(batches[i], 2 * i + 2, true);
    }
}

// Memory in the place of other memory is other memory.
static void memory_that_comes_and_goes(void **state)
{
    program p = {.queue = *state};
    p.step = mez_test_kernel("order", "step_once");
    for (uint32_t round = 0; round < 50; round++) {
        const size_t size = 1 << 20;
        const uint32_t nothing = 0;
        p.values = mez_test_shared(size);
        memset(p.values, 0, WIDTH * sizeof *p.values);
        p.expected = 0;
        for (uint32_t i = 0; i < 20; i++) {
            mez_test_ok(mez_submit(p.queue, p.step, MEZ_RANGE(WIDTH),
                MEZ_ARGS(MEZ_PTR(p.values), MEZ_VAL(nothing)), NULL));
            p.expected *= 3;
        }
        check(&p);
        mez_test_free(p.values);
    }
    mez_kernel_destroy(&p.step);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(at_random),
        MEZ_DEVICE_TEST(memory_that_comes_and_goes),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
