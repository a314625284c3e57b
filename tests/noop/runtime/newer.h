// SPDX-License-Identifier: MIT
//
// A context and a queue on the no-op driver as it is with the newest functions.

#ifndef MEZ_TESTS_NOOP_NEWER_H
#define MEZ_TESTS_NOOP_NEWER_H

#include <stdatomic.h>
#include <unistd.h>

#include "runtime.h"

static const char *const single_events[] = {
    "ZEX_counter_based_event", "ZE_experimental_event_pool_counter_based", NULL};
static const char *const pooled_events[] = {"ZE_experimental_event_pool_counter_based", NULL};

static inline struct noop_config newest(const char *const *extensions)
{
    struct noop_config config = noop_config_default();
    config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 17);
    config.driver_version = 1u << 24 | 3u << 16 | 36035;
    config.extensions = extensions;
    return config;
}

static inline int setup_with(void **state, const struct noop_config *config)
{
    static runtime r;
    noop_reset();
    noop_configure(config);
    r = (runtime){0};
    assert_ok(mez_context_create(NULL, &r.context));
    assert_ok(mez_queue_create(r.context, NULL, &r.queue));
    r.nothing = load_kernel(r.context, "kernels.spv", "nothing");
    r.saxpy = load_kernel(r.context, "kernels.spv", "saxpy");
    assert_ok(mez_kernel_build(r.nothing, NULL));
    assert_ok(mez_kernel_build(r.saxpy, NULL));
    r.x = mez_alloc_shared(r.context, COUNT * sizeof *r.x, NULL);
    r.y = mez_alloc_shared(r.context, COUNT * sizeof *r.y, NULL);
    *state = &r;
    return 0;
}

static inline int setup(void **state)
{
    const struct noop_config config = newest(single_events);
    return setup_with(state, &config);
}

// --- A host task that ends when it is allowed to

typedef struct gate {
    atomic_bool open;
} gate;

static inline void wait_at_gate(void *user)
{
    gate *g = user;
    while (!atomic_load(&g->open))
        usleep(1000);
}

#define NEWER_TEST(name, setup) cmocka_unit_test_setup_teardown(name, setup, runtime_teardown)

#endif
