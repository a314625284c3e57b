// SPDX-License-Identifier: MIT
//
// Several kernels in one command, whose number and group counts are read when it runs.
#include "check.h"
#include "launch.h"
#include "list.h"

struct several {
    struct zc_command command;
    const uint32_t *count; // how many of them to launch
    uint32_t most;
    struct zc_command *launches[];
};

static bool run_several(const struct zc_command *command, struct zc_runner *runner)
{
    const struct several *several = (const void *)command;
    const uint32_t count = *several->count < several->most ? *several->count : several->most;
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++)
        ok = several->launches[i]->run(several->launches[i], runner);
    return ok;
}

static void finish_several(struct zc_command *command)
{
    struct several *several = (void *)command;
    for (uint32_t i = 0; i < several->most && several->launches[i]; i++)
        zc_command_destroy(several->launches[i]);
}

static void begin_several(struct zc_command *command, struct zc_runner *runner)
{
    const struct several *several = (const void *)command;
    for (uint32_t i = 0; i < several->most; i++)
        zc_command_begin(several->launches[i], runner);
}

static bool end_several(const struct zc_command *command, struct zc_runner *runner)
{
    const struct several *several = (const void *)command;
    bool ok = true;
    for (uint32_t i = 0; i < several->most; i++) {
        const struct zc_command *launch = several->launches[i];
        ok &= !launch->ended || launch->ended(launch, runner);
    }
    return ok;
}

static bool add_launches(struct several *several, const struct zc_append *append,
    ze_kernel_handle_t *kernels, const ze_group_count_t *counts)
{
    const struct zc_append part = {.list = append->list};
    for (uint32_t i = 0; i < several->most; i++) {
        several->launches[i] = zc_launch_create_indirect(&part, kernels[i], &counts[i]);
        if (!several->launches[i])
            return false;
        several->launches[i]->signal = several->command.signal; // whose waiters get failed asserts
    }
    return true;
}

static struct several *create_several(const struct zc_append *append, uint32_t most,
    ze_kernel_handle_t *kernels, const uint32_t *count, const ze_group_count_t *counts)
{
    struct several *several =
        zc_command_create(sizeof *several + most * sizeof several->launches[0], append);
    if (!several)
        return NULL;
    several->command.run = run_several;
    several->command.finish = finish_several;
    several->command.begun = begin_several;
    several->command.ended = end_several;
    several->command.may_block = true;
    several->count = count;
    several->most = most;
    if (add_launches(several, append, kernels, counts))
        return several;
    zc_command_destroy(&several->command);
    return NULL;
}

// Kernels run one after the other, which nobody may count on.
ze_result_t zeCommandListAppendLaunchMultipleKernelsIndirect(ze_command_list_handle_t list,
    uint32_t most, ze_kernel_handle_t *kernels, const uint32_t *count,
    const ze_group_count_t *counts, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits)
{
    const struct zc_append append = {list, signal, wait_count, waits};
    ZC_REQUIRE_HANDLE(list);
    ZC_REQUIRE_POINTER(kernels);
    ZC_REQUIRE_POINTER(count);
    ZC_REQUIRE_POINTER(counts);
    ze_result_t checked = zc_check_append(&append);
    for (uint32_t i = 0; i < most && !checked; i++)
        checked = zc_launch_check(&append, kernels[i], counts);
    ZC_PASS(checked);
    struct several *several = create_several(&append, most, kernels, count, counts);
    ZC_REQUIRE(several, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    return zc_list_append(list, &several->command);
}
