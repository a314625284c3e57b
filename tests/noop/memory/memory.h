// SPDX-License-Identifier: MIT
//
// What the tests of memory share.

#ifndef MEZ_TESTS_NOOP_MEMORY_H
#define MEZ_TESTS_NOOP_MEMORY_H

#include "runtime.h"

// A context on a driver of that configuration; NULL: the default one.
mez_context *open_context(const struct noop_config *config);
mez_context *open_context_with(const struct noop_config *config, const mez_context_params *params);

mez_context_statistics statistics_of(mez_context *context);

// Memory, or the test fails.
void *get(mez_context *context, const mez_memory_params *params, size_t size);
void put(mez_context *context, void *memory);

// Calls of zeMemAllocDevice, zeMemAllocHost and zeMemAllocShared since noop_reset.
uint64_t driver_allocations(void);

// A task in flight; nothing completes while the driver is held.
void submit_fill(mez_queue *queue, void *memory);

#define MEMORY_TEST(name) cmocka_unit_test_setup_teardown(name, driver_setup, driver_teardown)

#endif
