// SPDX-License-Identifier: MIT
//
// What is recorded, and how it is changed.

#include "base/alloc.h"
#include "kernel/use.h"
#include "submit/describe.h"
#include "submit/ranges.h"
#include "recording/recording.h"
#include "task/params.h"
#include "traced_calls.h"

static mez_error check_task(const mez_task_params *task)
{
    MEZ_TRY(mez_task_check_reserved(task));
    if (task && (task->event || task->wait_count > 0))
        return mez_error_make(MEZ_ERRC_EVENT,
            "a recorded operation neither waits for events nor gives one: the replay does");
    return mez_ok();
}

// The caller holds the lock.
static mez_error add_locked(
    mez_recording *recording, const mez_command *command, uint32_t *operation)
{
    MEZ_TRY(mez_command_prepare(command, recording->device)); // checks it
    if (!mez_vector_reserve(&recording->operations))
        return mez_error_no_memory("a recording");
    const size_t number = recording->operations.count;
    MEZ_TRY(mez_command_copy(command, &recording->operations.items[number]));
    if (operation)
        *operation = (uint32_t)number;
    recording->operations.count++;
    recording->version++;
    return mez_ok();
}

static mez_error add(mez_recording *recording, const mez_command *command, uint32_t *operation)
{
    mez_lock_take(&recording->lock);
    const mez_error error = add_locked(recording, command, operation);
    mez_lock_release(&recording->lock);
    return error;
}

// --- Launches

// The kernel as this recording uses it. The first time, the driver compiles.
static mez_error find_use(mez_recording *recording, mez_command *command)
{
    mez_kernel *kernel = command->launch.kernel;
    // Wrong arguments are refused before anything is compiled.
    const mez_args *args = command->launch.args;
    MEZ_TRY(mez_arguments_check_early(kernel, args, &recording->device->info));
    MEZ_TRY(mez_used_kernels_find(
        &recording->kernels, kernel, recording->device, &command->launch.use));
    return mez_arguments_check(command->launch.use->code, args, &recording->device->info);
}

static mez_error record_launch(mez_recording *recording, mez_command *command,
    const mez_task_params *task, uint32_t *operation)
{
    mez_kernel *kernel = command->launch.kernel;
    MEZ_TRY(check_task(task));
    if (mez_kernel_platform(kernel) != recording->platform)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "kernel \"%s\" belongs to another context than recording \"%s\"",
            mez_kernel_get_name(kernel), recording->name);
    MEZ_TRY(find_use(recording, command));
    return add(recording, command, operation);
}

MEZ_TRACE_BODY mez_error launch(const mez_location *where, mez_recording *recording,
    mez_kernel *kernel, const mez_range *range, const mez_args *args, const mez_task_params *task,
    uint32_t *operation)
{
    mez_command command = {.kind = MEZ_COMMAND_KERNEL};
    command.launch.kernel = kernel;
    command.launch.range = range;
    command.launch.args = args;
    command.launch.cooperative = task && task->cooperative;
    mez_error error = record_launch(recording, &command, task, operation);
    if (mez_failed(error))
        error = mez_error_add(error, "kernel", "\"%s\"", mez_kernel_get_name(kernel));
    return mez_recording_add_facts(error, where, recording, task);
}

MEZ_TRACED_CALL(mez_record_submit, launch)

mez_error mez_record_submit_at(const mez_location *where, mez_recording *recording,
    mez_kernel *kernel, const mez_range *range, const mez_args *args, const mez_task_params *task,
    uint32_t *operation)
{
    MEZ_REQUIRE(recording, where);
    MEZ_REQUIRE(kernel, where);
    MEZ_REQUIRE(range, where);
    MEZ_TRACE_CALL(
        mez_record_submit, where, launch, where, recording, kernel, range, args, task, operation);
}

// --- The others

// `described`: how describing the command went.
static mez_error record(const mez_location *where, mez_recording *recording, mez_error described,
    const mez_command *command, const mez_task_params *task, uint32_t *operation)
{
    mez_error error = described;
    if (!mez_failed(error) && recording->platform->queues->validates)
        error = mez_ranges_check_all(recording->platform, command);
    if (!mez_failed(error))
        error = check_task(task);
    if (!mez_failed(error))
        error = add(recording, command, operation);
    return mez_recording_add_facts(error, where, recording, task);
}

MEZ_TRACE_BODY mez_error copy(const mez_location *where, mez_recording *recording, void *to,
    const void *from, size_t size, const mez_task_params *task, uint32_t *operation)
{
    mez_command command;
    const mez_error described = mez_describe_copy(to, from, size, &command);
    return record(where, recording, described, &command, task, operation);
}

MEZ_TRACED_CALL(mez_record_copy, copy)

mez_error mez_record_copy_at(const mez_location *where, mez_recording *recording, void *to,
    const void *from, size_t size, const mez_task_params *task, uint32_t *operation)
{
    MEZ_REQUIRE(recording, where);
    MEZ_REQUIRE(to, where);
    MEZ_REQUIRE(from, where);
    MEZ_TRACE_CALL(mez_record_copy, where, copy, where, recording, to, from, size, task, operation);
}

MEZ_TRACE_BODY mez_error fill(const mez_location *where, mez_recording *recording, void *to,
    const void *pattern, size_t pattern_size, size_t size, const mez_task_params *task,
    uint32_t *operation)
{
    mez_command command;
    const mez_error described = mez_describe_fill(
        recording->device, &recording->device->compute, to, pattern, pattern_size, size, &command);
    return record(where, recording, described, &command, task, operation);
}

MEZ_TRACED_CALL(mez_record_fill, fill)

mez_error mez_record_fill_at(const mez_location *where, mez_recording *recording, void *to,
    const void *pattern, size_t pattern_size, size_t size, const mez_task_params *task,
    uint32_t *operation)
{
    MEZ_REQUIRE(recording, where);
    MEZ_REQUIRE(to, where);
    MEZ_REQUIRE(pattern, where);
    MEZ_TRACE_CALL(mez_record_fill, where, fill, where, recording, to, pattern, pattern_size, size,
        task, operation);
}

MEZ_TRACE_BODY mez_error copy_2d(const mez_location *where, mez_recording *recording, void *to,
    size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t rows,
    const mez_task_params *task, uint32_t *operation)
{
    const mez_rectangles copy = {.to = to,
        .from = from,
        .to_pitch = to_pitch,
        .from_pitch = from_pitch,
        .width = width,
        .rows = rows};
    mez_command command;
    const mez_error described = mez_describe_copy_2d(&copy, &command);
    return record(where, recording, described, &command, task, operation);
}

MEZ_TRACED_CALL(mez_record_copy_2d, copy_2d)

mez_error mez_record_copy_2d_at(const mez_location *where, mez_recording *recording, void *to,
    size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t rows,
    const mez_task_params *task, uint32_t *operation)
{
    MEZ_REQUIRE(recording, where);
    MEZ_REQUIRE(to, where);
    MEZ_REQUIRE(from, where);
    MEZ_TRACE_CALL(mez_record_copy_2d, where, copy_2d, where, recording, to, to_pitch, from,
        from_pitch, width, rows, task, operation);
}

MEZ_TRACE_BODY mez_error copy_3d(const mez_location *where, mez_recording *recording,
    const mez_copy_3d_params *copy, const mez_task_params *task, uint32_t *operation)
{
    mez_command command;
    mez_box box;
    const mez_error described = mez_describe_copy_3d(copy, &box, &command);
    return record(where, recording, described, &command, task, operation);
}

MEZ_TRACED_CALL(mez_record_copy_3d, copy_3d)

mez_error mez_record_copy_3d_at(const mez_location *where, mez_recording *recording,
    const mez_copy_3d_params *copy, const mez_task_params *task, uint32_t *operation)
{
    MEZ_REQUIRE(recording, where);
    MEZ_REQUIRE(copy, where);
    MEZ_TRACE_CALL(mez_record_copy_3d, where, copy_3d, where, recording, copy, task, operation);
}

MEZ_TRACE_BODY mez_error barrier(const mez_location *where, mez_recording *recording,
    const mez_task_params *task, uint32_t *operation)
{
    const mez_command command = {.kind = MEZ_COMMAND_NOTHING};
    return record(where, recording, mez_ok(), &command, task, operation);
}

MEZ_TRACED_CALL(mez_record_barrier, barrier)

mez_error mez_record_barrier_at(const mez_location *where, mez_recording *recording,
    const mez_task_params *task, uint32_t *operation)
{
    MEZ_REQUIRE(recording, where);
    MEZ_TRACE_CALL(mez_record_barrier, where, barrier, where, recording, task, operation);
}

// --- Changes

// The caller holds the lock.
static mez_error find_launch(
    const mez_recording *recording, uint32_t operation, mez_command ***found)
{
    if (operation >= recording->operations.count)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "operation %u does not exist: there are %zu", operation, recording->operations.count);
    *found = &recording->operations.items[operation];
    if ((**found)->kind != MEZ_COMMAND_KERNEL)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "operation %u is not the launch of a kernel", operation);
    return mez_ok();
}

// Puts a changed copy in the place of an operation. The caller holds the lock.
static mez_error replace(mez_recording *recording, mez_command **place, const mez_command *changed)
{
    mez_command *stored;
    MEZ_TRY(mez_command_copy(changed, &stored));
    mez_command_free(*place);
    *place = stored;
    recording->version++;
    return mez_ok();
}

// `items` has room for the arguments.
static mez_error change_argument(mez_recording *recording, mez_command **place, mez_arg *items,
    uint32_t index, const mez_arg *argument)
{
    mez_command changed = **place;
    const mez_args args = {.count = (*place)->launch.args->count, .items = items};
    if (args.count > 0)
        memcpy(items, (*place)->launch.args->items, args.count * sizeof *items);
    items[index] = *argument;
    changed.launch.args = &args;
    MEZ_TRY(mez_arguments_check(changed.launch.use->code, &args, &recording->device->info));
    if (argument->kind == MEZ_ARG_POINTER)
        MEZ_TRY(mez_argument_check_address(changed.launch.use, index, argument->data));
    return replace(recording, place, &changed);
}

// The caller holds the lock.
static mez_error set_argument(
    mez_recording *recording, uint32_t operation, uint32_t index, const mez_arg *argument)
{
    mez_command **place = NULL;
    MEZ_TRY(find_launch(recording, operation, &place));
    const size_t count = (*place)->launch.args->count;
    if (index >= count)
        return mez_error_make(MEZ_ERRC_KERNEL_ARGUMENT,
            "argument %u does not exist: kernel \"%s\" of operation %u has %zu", index,
            mez_kernel_get_name((*place)->launch.kernel), operation, count);
    mez_arg *items = mez_alloc_array(count, sizeof *items);
    if (!items)
        return mez_error_no_memory("a kernel's arguments");
    const mez_error error = change_argument(recording, place, items, index, argument);
    mez_free_memory(items);
    return error;
}

MEZ_TRACE_BODY mez_error change(const mez_location *where, mez_recording *recording,
    uint32_t operation, uint32_t index, const mez_arg *argument)
{
    mez_lock_take(&recording->lock);
    const mez_error error = set_argument(recording, operation, index, argument);
    mez_lock_release(&recording->lock);
    return mez_recording_add_facts(error, where, recording, NULL);
}

MEZ_TRACED_CALL(mez_recording_set_argument, change)

mez_error mez_recording_set_argument_at(const mez_location *where, mez_recording *recording,
    uint32_t operation, uint32_t index, const mez_arg *argument)
{
    MEZ_REQUIRE(recording, where);
    MEZ_REQUIRE(argument, where);
    MEZ_TRACE_CALL(
        mez_recording_set_argument, where, change, where, recording, operation, index, argument);
}

// The caller holds the lock.
static mez_error set_range(mez_recording *recording, uint32_t operation, const mez_range *range)
{
    mez_command **place = NULL;
    MEZ_TRY(find_launch(recording, operation, &place));
    mez_command changed = **place;
    changed.launch.range = range;
    MEZ_TRY(mez_command_prepare(&changed, recording->device));
    return replace(recording, place, &changed);
}

MEZ_TRACE_BODY mez_error resize(
    const mez_location *where, mez_recording *recording, uint32_t operation, const mez_range *range)
{
    mez_lock_take(&recording->lock);
    const mez_error error = set_range(recording, operation, range);
    mez_lock_release(&recording->lock);
    return mez_recording_add_facts(error, where, recording, NULL);
}

MEZ_TRACED_CALL(mez_recording_set_range, resize)

mez_error mez_recording_set_range_at(
    const mez_location *where, mez_recording *recording, uint32_t operation, const mez_range *range)
{
    MEZ_REQUIRE(recording, where);
    MEZ_REQUIRE(range, where);
    MEZ_TRACE_CALL(mez_recording_set_range, where, resize, where, recording, operation, range);
}
