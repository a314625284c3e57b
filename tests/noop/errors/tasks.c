// SPDX-License-Identifier: MIT

#include "tasks.h"

#define SAXPY(t, factor) MEZ_ARGS(MEZ_VAL(factor), MEZ_PTR((t)->r->x), MEZ_PTR((t)->r->y))

static const float factor = 2;

int tasks_setup(void **state)
{
    static tasks t;
    const int failed = runtime_setup_in_order(state);
    if (failed)
        return failed;
    t = (tasks){.r = *state};
    assert_ok(
        mez_launch_create(t.r->queue, t.r->saxpy, MEZ_RANGE(COUNT), SAXPY(&t, factor), &t.launch));
    assert_ok(mez_recording_create(t.r->context, NULL, &t.recording));
    assert_ok(record_copy(&t, NULL));
    *state = &t;
    return 0;
}

void tasks_batch(tasks *t)
{
    const mez_queue_params params = {.kind = MEZ_QUEUE_BATCHED};
    mez_launch_destroy(&t->launch);
    mez_queue_destroy(&t->r->queue);
    assert_ok(mez_queue_create(t->r->context, &params, &t->r->queue));
    assert_ok(mez_launch_create(
        t->r->queue, t->r->saxpy, MEZ_RANGE(COUNT), SAXPY(t, factor), &t->launch));
}

int tasks_teardown(void **state)
{
    tasks *t = *state;
    mez_launch_destroy(&t->launch);
    mez_recording_destroy(&t->recording);
    *state = t->r;
    return runtime_teardown(state);
}

mez_error submit(tasks *t, const mez_task_params *task)
{
    return submit_saxpy(t->r, task);
}

mez_error submit_launch(tasks *t, const mez_task_params *task)
{
    return mez_launch_submit(t->launch, task);
}

static ze_result_t append_nothing(void *user, ze_command_list_handle_t list)
{
    (void)list, (void)user;
    return ZE_RESULT_SUCCESS;
}

mez_error submit_appended(tasks *t, const mez_task_params *task)
{
    return mez_submit_native(t->r->queue, append_nothing, NULL, task);
}

mez_error copy(tasks *t, const mez_task_params *task)
{
    return mez_copy(t->r->queue, t->r->x, t->r->y, COUNT, task);
}

mez_error fill(tasks *t, const mez_task_params *task)
{
    return mez_fill(t->r->queue, t->r->x, "", 1, COUNT, task);
}

static mez_copy_3d_params a_box(const tasks *t)
{
    return (mez_copy_3d_params){.to = t->r->x,
        .to_slice_pitch = 64,
        .from = t->r->y,
        .from_row_pitch = 16,
        .width = 8,
        .rows = 2,
        .slices = 2};
}

mez_error copy_3d(tasks *t, const mez_task_params *task)
{
    const mez_copy_3d_params box = a_box(t);
    return mez_copy_3d(t->r->queue, &box, task);
}

mez_error record_copy_3d(tasks *t, const mez_task_params *task)
{
    const mez_copy_3d_params box = a_box(t);
    return mez_record_copy_3d(t->recording, &box, task, NULL);
}

mez_error copy_2d(tasks *t, const mez_task_params *task)
{
    return mez_copy_2d(t->r->queue, t->r->x, 16, t->r->y, 32, 8, 4, task);
}

mez_error prefetch(tasks *t, const mez_task_params *task)
{
    return mez_prefetch(t->r->queue, t->r->x, COUNT, task);
}

mez_error advise(tasks *t, const mez_task_params *task)
{
    return mez_advise(t->r->queue, t->r->x, COUNT, MEZ_ADVICE_CACHED, task);
}

mez_error barrier(tasks *t, const mez_task_params *task)
{
    return mez_barrier(t->r->queue, task);
}

mez_error marker(tasks *t, const mez_task_params *task)
{
    return mez_marker(t->r->queue, task);
}

static void do_nothing(void *user)
{
    (void)user;
}

mez_error host_task(tasks *t, const mez_task_params *task)
{
    return mez_host_task(t->r->queue, do_nothing, NULL, task);
}

mez_error replay(tasks *t, const mez_task_params *task)
{
    return mez_replay(t->r->queue, t->recording, task);
}

mez_error record_submit(tasks *t, const mez_task_params *task)
{
    return mez_record_submit(
        t->recording, t->r->saxpy, MEZ_RANGE(COUNT), SAXPY(t, factor), task, NULL);
}

mez_error record_copy(tasks *t, const mez_task_params *task)
{
    return mez_record_copy(t->recording, t->r->x, t->r->y, COUNT, task, NULL);
}

mez_error record_fill(tasks *t, const mez_task_params *task)
{
    return mez_record_fill(t->recording, t->r->x, "", 1, COUNT, task, NULL);
}

mez_error record_copy_2d(tasks *t, const mez_task_params *task)
{
    return mez_record_copy_2d(t->recording, t->r->x, 16, t->r->y, 32, 8, 4, task, NULL);
}

mez_error record_barrier(tasks *t, const mez_task_params *task)
{
    return mez_record_barrier(t->recording, task, NULL);
}
