// SPDX-License-Identifier: MIT
//
// A runtime on the no-op driver: what its tests start with, and what they must leave behind.

#ifndef MEZ_TESTS_NOOP_RUNTIME_H
#define MEZ_TESTS_NOOP_RUNTIME_H

#include "unit.h"

#include <mezzanine/mezzanine.h>

#include "noop.h"

enum { MILLISECOND = 1000000 }; // in nanoseconds

typedef struct runtime {
    mez_context *context;
    mez_queue *queue;
    mez_kernel *nothing; // built
    mez_kernel *saxpy;   // built
    float *x, *y;        // shared, COUNT items each
} runtime;

enum { COUNT = 64 };

// For cmocka: *state is a runtime on a fresh driver; afterwards no object of the driver may be left.
int runtime_setup(void **state);
int runtime_teardown(void **state);

// As runtime_setup, on a driver that links modules, as asserts need; no kernels yet.
int runtime_setup_linking(void **state);

// As runtime_setup, on a driver with in-order lists, so that the queue is an immediate one.
int runtime_setup_in_order(void **state);

// The same, on one that links modules, too.
int runtime_setup_in_order_linking(void **state);

// For tests that start from nothing.
int driver_setup(void **state);
int driver_teardown(void **state);

// Like noop_config_default, with the extensions that asserts need.
struct noop_config linking_config(void);

// The path of a file that was built for these tests; overwritten by the next call.
const char *file_of(const char *name);

// The bytes of such a file; overwritten by the next call.
const void *bytes_of(const char *name, size_t *size);

// The kernels and the memory of a runtime, for its context.
void load_kernels(runtime *r);
mez_kernel *load_kernel(mez_context *context, const char *file, const char *name);

// Starts the log of calls; `calls` then names those made since, without their `ze`, each followed by a space. Overwritten by
// the next call.
void watch_calls(void);
const char *calls(void);

mez_error submit_nothing(runtime *r, const mez_task_params *task);
mez_error submit_saxpy(runtime *r, const mez_task_params *task);

#define IN_ORDER_TEST(name) \
    cmocka_unit_test_setup_teardown(name, runtime_setup_in_order, runtime_teardown)
#define RUNTIME_TEST(name) cmocka_unit_test_setup_teardown(name, runtime_setup, runtime_teardown)

#endif
