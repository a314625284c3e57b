// SPDX-License-Identifier: MIT
//
// Every way to submit or record a task, each as one call, for tests of the errors that they share.

#ifndef MEZ_TESTS_NOOP_ERRORS_TASKS_H
#define MEZ_TESTS_NOOP_ERRORS_TASKS_H

#include "runtime.h"

#include <mezzanine/level_zero.h>

typedef struct tasks {
    runtime *r;
    mez_launch *launch;       // of saxpy
    mez_recording *recording; // of a copy
} tasks;

// For cmocka: *state is a runtime with a launch and a recording, on a driver with in-order lists, which reports failures at once.
int tasks_setup(void **state);
int tasks_teardown(void **state);
// For a set-up that is done: the queue is a batched one, and the launch is prepared for it.
void tasks_batch(tasks *t);
#define TASKS_TEST(name) cmocka_unit_test_setup_teardown(name, tasks_setup, tasks_teardown)

mez_error submit(tasks *t, const mez_task_params *task);
mez_error submit_launch(tasks *t, const mez_task_params *task);
mez_error submit_appended(tasks *t, const mez_task_params *task); // mez_submit_native
mez_error copy(tasks *t, const mez_task_params *task);
mez_error fill(tasks *t, const mez_task_params *task);
mez_error copy_2d(tasks *t, const mez_task_params *task);
mez_error copy_3d(tasks *t, const mez_task_params *task);
mez_error prefetch(tasks *t, const mez_task_params *task);
mez_error advise(tasks *t, const mez_task_params *task);
mez_error barrier(tasks *t, const mez_task_params *task);
mez_error marker(tasks *t, const mez_task_params *task);
mez_error host_task(tasks *t, const mez_task_params *task);
mez_error replay(tasks *t, const mez_task_params *task);

mez_error record_submit(tasks *t, const mez_task_params *task);
mez_error record_copy(tasks *t, const mez_task_params *task);
mez_error record_fill(tasks *t, const mez_task_params *task);
mez_error record_copy_2d(tasks *t, const mez_task_params *task);
mez_error record_copy_3d(tasks *t, const mez_task_params *task);
mez_error record_barrier(tasks *t, const mez_task_params *task);

#endif
