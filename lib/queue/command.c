// SPDX-License-Identifier: MIT

#include "queue/command.h"

#include <string.h>

static mez_error set_group_size(mez_kernel_handle *handle, const uint32_t size[3])
{
    if (memcmp(handle->group_size, size, sizeof handle->group_size) == 0)
        return mez_ok(); // costs 1900 instructions on Intel's driver even when nothing changes
    MEZ_TRY(ZE(zeKernelSetGroupSize, handle->ze, size[0], size[1], size[2]));
    memcpy(handle->group_size, size, sizeof handle->group_size);
    return mez_ok();
}

static mez_error set_argument(ze_kernel_handle_t kernel, uint32_t index, const mez_arg *argument)
{
    switch (argument->kind) {
    case MEZ_ARG_POINTER:
        // Intel's driver takes a NULL pointer only in this way; one at which it finds NULL is refused.
        return ZE(zeKernelSetArgumentValue, kernel, index, sizeof(void *),
            argument->data ? &argument->data : NULL);
    case MEZ_ARG_LOCAL:
        return ZE(zeKernelSetArgumentValue, kernel, index, argument->size, NULL);
    default:
        return ZE(zeKernelSetArgumentValue, kernel, index, argument->size, argument->data);
    }
}

static mez_error append_launch(const mez_command *command, ze_command_list_handle_t list,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *wait)
{
    mez_kernel_handle *handle = command->launch.handle;
    const mez_args *args = command->launch.args;
    MEZ_TRY(set_group_size(handle, command->launch.group_size));
    for (uint32_t i = 0; args && i < args->count; i++) {
        const mez_error error = set_argument(handle->ze, i, &args->items[i]);
        if (__builtin_expect(mez_failed(error), 0))
            return mez_error_add(error, "argument", "number %u", i);
    }
    return ZE(zeCommandListAppendLaunchKernel, list, handle->ze, &command->launch.group_count,
        signal, wait_count, wait);
}

mez_error mez_command_append(const mez_command *command, ze_command_list_handle_t list,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *wait)
{
    switch (command->kind) {
    case MEZ_COMMAND_KERNEL:
        return append_launch(command, list, signal, wait_count, wait);
    case MEZ_COMMAND_COPY:
        return ZE(zeCommandListAppendMemoryCopy, list, command->copy.to, command->copy.from,
            command->copy.size, signal, wait_count, wait);
    case MEZ_COMMAND_FILL:
        return ZE(zeCommandListAppendMemoryFill, list, command->fill.to, command->fill.pattern,
            command->fill.pattern_size, command->fill.size, signal, wait_count, wait);
    default:
        return ZE(zeCommandListAppendBarrier, list, signal, wait_count, wait);
    }
}
