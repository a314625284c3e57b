// SPDX-License-Identifier: MIT
//
// Life and execution of commands.
#include "command.h"

#include <stdlib.h>
#include <string.h>

// The wait list is stored behind the command.
void *zc_command_create(size_t size, const struct zc_append *append)
{
    const size_t alignment = _Alignof(max_align_t);
    const size_t waits_offset = (size + alignment - 1) / alignment * alignment;
    const size_t waits_size = append->wait_count * sizeof *append->waits;
    struct zc_command *command = calloc(1, waits_offset + waits_size);
    if (!command)
        return NULL;
    command->signal = append->signal;
    command->wait_count = append->wait_count;
    command->waits = (ze_event_handle_t *)(void *)((char *)command + waits_offset);
    if (waits_size)
        memcpy(command->waits, append->waits, waits_size);
    return command;
}

void zc_command_destroy(struct zc_command *command)
{
    if (command->finish)
        command->finish(command);
    free(command);
}

bool zc_command_is_ready(const struct zc_command *command)
{
    for (uint32_t i = 0; i < command->wait_count; i++)
        if (zc_completion_status(&command->waits[i]->completion) == ZE_RESULT_NOT_READY)
            return false;
    return true;
}

static bool wait_for_events(const struct zc_command *command)
{
    bool ok = true;
    for (uint32_t i = 0; i < command->wait_count; i++)
        ok &= !zc_completion_wait(&command->waits[i]->completion, ZC_FOREVER);
    return ok;
}

bool zc_command_execute(const struct zc_command *command, struct zc_runner *runner, bool lost)
{
    bool ok = !lost && wait_for_events(command);
    if (command->signal)
        zc_event_begin(command->signal);
    if (ok && command->run)
        ok = command->run(command, runner);
    if (command->signal)
        zc_event_finish(command->signal, ok);
    return ok;
}
