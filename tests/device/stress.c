// SPDX-License-Identifier: MIT
//
// Random graphs of tasks over queues of both orders and several threads, compared number by number with a model that does the
// same one after the other: stress/stress.h.
//
//   MEZ_STRESS_SEED=n    the first graph's seed (printed; each further graph has the next one)
//   MEZ_STRESS_GRAPHS=n  how many: 200

#include "harness.h"

#include <stdio.h>

#include "stress/stress.h"

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

static void compare(const uint32_t *buffer, const uint32_t *model, uint64_t seed)
{
    static uint32_t seen[STRESS_ITEMS];
    mez_test_ok(mez_copy(stress_queue(0), seen, buffer, sizeof seen, NULL));
    mez_test_ok(mez_queue_wait(stress_queue(0)));
    for (uint32_t i = 0; i < STRESS_ITEMS && mez_test_has("results"); i++)
        if (seen[i] != model[i])
            fail_msg("MEZ_STRESS_SEED=%llu: number %u of a buffer is %u, in the model %u",
                (unsigned long long)seed, i, seen[i], model[i]);
}

static void run_graph(uint64_t seed)
{
    static stress_plan plan;
    uint32_t *buffers[STRESS_BUFFERS] = {0};
    stress_make_plan(&plan, seed, mez_test_info()->integrated);
    const mez_error error = stress_run(&plan, buffers);
    if (mez_failed(error))
        printf("MEZ_STRESS_SEED=%llu:\n", (unsigned long long)seed);
    mez_test_ok(error);
    for (uint32_t i = 0; i < STRESS_BUFFERS; i++) {
        compare(buffers[i], plan.model[i], seed);
        mez_test_free(buffers[i]);
    }
}

static void random_graphs(void **state)
{
    (void)state;
    const uint64_t first = setting("MEZ_STRESS_SEED", 1);
    const uint64_t graphs = setting("MEZ_STRESS_GRAPHS", 200);
    printf("MEZ_STRESS_SEED=%llu MEZ_STRESS_GRAPHS=%llu\n", (unsigned long long)first,
        (unsigned long long)graphs);
    stress_open();
    for (uint64_t i = 0; i < graphs; i++)
        run_graph(first + i);
    stress_close();
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {MEZ_DEVICE_TEST(random_graphs)};
    return MEZ_TEST_MAIN(argc, argv, tests);
}
