// SPDX-License-Identifier: MIT
//
// Kernel launches.
#include "launch.h"

#include "check.h"
#include "context.h"
#include "cooperative.h"
#include "image_argument.h"
#include "kernel.h"
#include "list.h"
#include "settings.h"
#include "shared_use.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Each block of local memory begins at a multiple of this, enough for any vector.
#define LOCAL_ALIGNMENT 128u

struct launch {
    struct zc_command command;
    ze_module_handle_t module; // kept until the launch is over or forgotten
    struct zc_job job;
    struct zc_runner *of_queue; // that it was handed over to; set where shared memory is watched
    bool cooperative;
    bool has_images;                      // which it holds
    bool watches_memory;                  // that is shared
    const ze_group_count_t *counts_later; // NULL, or where to read the group counts at execution
    _Alignas(16) char blob[];
};

static void set_group_counts(struct zc_group *group, const ze_group_count_t *counts)
{
    group->group_count[0] = counts->groupCountX;
    group->group_count[1] = counts->groupCountY;
    group->group_count[2] = counts->groupCountZ;
    group->dimensions = 1;
    for (uint32_t i = 1; i < 3; i++)
        if (group->group_count[i] * group->local_size[i] > 1)
            group->dimensions = i + 1;
}

static bool run_job(const struct launch *launch, const struct zc_job *job, struct zc_runner *runner)
{
    return launch->cooperative ? zc_job_run_cooperatively(job, runner) : zc_job_run(job, runner);
}

static bool run_with_asserts(
    const struct launch *launch, struct zc_job *job, struct zc_runner *runner)
{
    struct zc_launch_asserts asserts;
    zc_launch_asserts_init(&asserts, runner->device);
    job->group.listener = &asserts.listener;
    const bool ok = run_job(launch, job, runner);
    zc_assert_note_launch(runner->news, launch->command.signal, &asserts);
    return ok;
}

static bool run_either_way(
    const struct launch *launch, struct zc_job *job, struct zc_runner *runner)
{
    return job->kernel->uses_assert ? run_with_asserts(launch, job, runner)
                                    : run_job(launch, job, runner);
}

static void note_lost_races(const struct zc_job *job)
{
    fprintf(stderr,
        "ze-cpu: kernel \"%s\": there is no memory for records of its accesses to global memory: "
        "races there are not found\n",
        job->kernel->name);
}

// Accesses of two executions are not compared. Without memory for the records, only local memory is looked at.
static bool run_with_races(
    const struct launch *launch, struct zc_job *job, struct zc_runner *runner)
{
    struct zc_launch_races *races = job->engine->races_create();
    if (!races)
        note_lost_races(job);
    job->checker.base.races = races;
    job->group.checker = &job->checker.base;
    const bool ok = run_either_way(launch, job, runner);
    job->engine->races_destroy(races);
    return ok;
}

static bool uses_destroyed(const struct launch *launch, struct zc_runner *runner)
{
    if (!zc_image_arguments_are_destroyed(launch->job.kernel, launch->blob))
        return false;
    zc_image_note_destroyed(runner, launch->job.kernel->name);
    return true;
}

static bool run_launch(const struct zc_command *command, struct zc_runner *runner)
{
    const struct launch *launch = (const void *)command;
    if (launch->has_images && zc_settings.strict && uses_destroyed(launch, runner))
        return false;
    const bool finds_races = zc_settings.checks & ZC_CHECK_RACES;
    if (!launch->counts_later && !launch->job.kernel->uses_assert && !finds_races)
        return run_job(launch, &launch->job, runner);
    struct zc_job job = launch->job;
    if (launch->counts_later)
        set_group_counts(&job.group, launch->counts_later);
    return finds_races ? run_with_races(launch, &job, runner)
                       : run_either_way(launch, &job, runner);
}

static void finish_launch(struct zc_command *command)
{
    struct launch *launch = (void *)command;
    if (launch->has_images)
        zc_image_arguments_each(launch->job.kernel, launch->blob, zc_image_unref);
    zc_module_unref(launch->module);
}

static void begin_launch(struct zc_command *command, struct zc_runner *runner)
{
    struct launch *launch = (void *)command;
    launch->of_queue = runner;
    if (launch->has_images)
        zc_image_arguments_each(launch->job.kernel, launch->blob, zc_image_use_begin);
    if (launch->watches_memory)
        zc_shared_use_begin(&launch->job.checker.residency, runner);
}

static bool end_launch(const struct zc_command *command, struct zc_runner *runner)
{
    const struct launch *launch = (const void *)command;
    if (launch->has_images)
        zc_image_arguments_each(launch->job.kernel, launch->blob, zc_image_use_end);
    return !launch->watches_memory ||
           zc_shared_use_end(&launch->job.checker.residency, launch->of_queue, runner);
}

static uint64_t align_local(uint64_t offset)
{
    return (offset + LOCAL_ALIGNMENT - 1) / LOCAL_ALIGNMENT * LOCAL_ALIGNMENT;
}

static void put_local_argument(
    char *blob, const struct zc_argument *argument, uint64_t offset, uint64_t size)
{
    memcpy(blob + argument->offset, &offset, sizeof offset);
    if (argument->size == ZC_LOCAL_ARGUMENT_CHECKED)
        memcpy(blob + argument->offset + sizeof offset, &size, sizeof size);
}

// Bytes of local memory that a group needs; puts the offset of each local argument into the blob,
// if there is one.
static uint64_t place_local_arguments(ze_kernel_handle_t kernel, char *blob)
{
    uint64_t size = kernel->info->static_local_size;
    if (!kernel->has_local_arguments)
        return size;
    for (uint32_t i = 0; i < kernel->info->argument_count; i++) {
        const struct zc_argument *argument = &kernel->info->arguments[i];
        if (argument->kind != ZC_ARGUMENT_LOCAL)
            continue;
        const uint64_t offset = align_local(size);
        if (blob)
            put_local_argument(blob, argument, offset, kernel->arguments[i].local_size);
        size = offset + kernel->arguments[i].local_size;
    }
    return size;
}

// Intel's driver launches a kernel with missing arguments, and one of another device's module; here that is an error, since nothing
// good can come of it.
static ze_result_t check_kernel(ze_command_list_handle_t list, ze_kernel_handle_t kernel)
{
    const struct zc_persona *persona = list->device->persona;
    const uint32_t *size = kernel->group_size;
    ZC_REQUIRE(list->group->flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE,
        ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
    ZC_REQUIRE(
        zc_device_is_kin(kernel->module->device, list->device), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ZC_REQUIRE(!kernel->missing_arguments, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ZC_REQUIRE(!kernel->has_image_arguments ||
                   !zc_image_arguments_are_destroyed(kernel->info, kernel->blob),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ZC_REQUIRE((uint64_t)size[0] * size[1] * size[2] <= persona->max_group_size,
        ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
    ZC_REQUIRE(place_local_arguments(kernel, NULL) <= persona->shared_local_memory,
        ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    return ZE_RESULT_SUCCESS;
}

static void fill_group(struct zc_group *group, ze_kernel_handle_t kernel)
{
    for (int i = 0; i < 3; i++) {
        group->local_size[i] = kernel->group_size[i];
        group->global_offset[i] = kernel->global_offset[i];
    }
}

static void set_checker(struct launch *launch, ze_device_handle_t device, ze_kernel_handle_t kernel)
{
    const struct zc_residency residency = {.module = launch->module,
        .kernel = kernel->info,
        .blob = launch->blob,
        .indirect = kernel->indirect_access};
    zc_memory_checker_init(&launch->job.checker, launch->job.memory, device, &residency);
    launch->job.group.checker = &launch->job.checker.base;
    launch->watches_memory = zc_shared_use_is_watched(device);
}

static void hold_images(struct launch *launch)
{
    launch->has_images = true;
    zc_image_arguments_each(launch->job.kernel, launch->blob, zc_image_ref);
}

// A launch with everything that the kernel handle holds now; the handle may change or go before it
// runs.
static struct launch *create_launch(const struct zc_append *append, ze_kernel_handle_t kernel)
{
    struct launch *launch = zc_command_create(sizeof *launch + kernel->info->blob_size, append);
    if (!launch)
        return NULL;
    launch->command.run = run_launch;
    launch->command.finish = finish_launch;
    launch->command.may_block = true;
    launch->module = zc_module_ref(kernel->module);
    launch->job.engine = kernel->module->engine;
    launch->job.kernel = kernel->info;
    launch->job.blob = launch->blob;
    launch->job.memory = kernel->module->context->memory;
    launch->job.thread_limit = append->list->device->thread_count;
    if (zc_settings.checks)
        set_checker(launch, append->list->device, kernel);
    memcpy(launch->blob, kernel->blob, kernel->info->blob_size);
    if (kernel->has_image_arguments)
        hold_images(launch);
    if (launch->watches_memory || (launch->has_images && zc_settings.strict)) {
        launch->command.begun = begin_launch;
        launch->command.ended = end_launch;
    }
    fill_group(&launch->job.group, kernel);
    launch->job.group.local_memory_size = (uint32_t)place_local_arguments(kernel, launch->blob);
    return launch;
}

ze_result_t zc_launch_check(
    const struct zc_append *append, ze_kernel_handle_t kernel, const ze_group_count_t *counts)
{
    const ze_result_t checked = zc_check_append(append);
    ZC_PASS(checked);
    ZC_REQUIRE_HANDLE(kernel);
    ZC_REQUIRE_POINTER(counts);
    return check_kernel(append->list, kernel);
}

ze_result_t zeCommandListAppendLaunchKernel(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, const ze_group_count_t *counts, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    const struct zc_append append = {list, signal, wait_count, waits};
    const ze_result_t checked = zc_launch_check(&append, kernel, counts);
    ZC_PASS(checked);
    struct launch *launch = create_launch(&append, kernel);
    ZC_REQUIRE(launch, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    set_group_counts(&launch->job.group, counts);
    return zc_list_append(list, &launch->command);
}

struct zc_command *zc_launch_create_indirect(
    const struct zc_append *append, ze_kernel_handle_t kernel, const ze_group_count_t *counts)
{
    struct launch *launch = create_launch(append, kernel);
    if (!launch)
        return NULL;
    launch->counts_later = counts;
    return &launch->command;
}

ze_result_t zeCommandListAppendLaunchKernelIndirect(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, const ze_group_count_t *counts, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    const struct zc_append append = {list, signal, wait_count, waits};
    const ze_result_t checked = zc_launch_check(&append, kernel, counts);
    ZC_PASS(checked);
    return zc_list_append(list, zc_launch_create_indirect(&append, kernel, counts));
}

static ze_result_t check_cooperative(
    const struct zc_append *append, ze_kernel_handle_t kernel, const ze_group_count_t *counts)
{
    const ze_result_t checked = zc_launch_check(append, kernel, counts);
    ZC_PASS(checked);
    const uint64_t limit = zc_cooperative_limit(append->list->device);
    const uint64_t x = counts->groupCountX, y = counts->groupCountY, z = counts->groupCountZ;
    const bool all_fit = x <= limit && y <= limit && z <= limit && x * y * z <= limit;
    ZC_REQUIRE(all_fit, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListAppendLaunchCooperativeKernel(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, const ze_group_count_t *counts, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    const struct zc_append append = {list, signal, wait_count, waits};
    const ze_result_t checked = check_cooperative(&append, kernel, counts);
    ZC_PASS(checked);
    struct launch *launch = create_launch(&append, kernel);
    ZC_REQUIRE(launch, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    launch->cooperative = true;
    set_group_counts(&launch->job.group, counts);
    return zc_list_append(list, &launch->command);
}
