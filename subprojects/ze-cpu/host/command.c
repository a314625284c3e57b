// SPDX-License-Identifier: MIT
//
// Life and execution of commands.
#include "command.h"

#include "loss.h"

#include <stdlib.h>

static void hold_tickets(struct zc_command *command, const struct zc_append *append)
{
    for (uint32_t i = 0; i < append->wait_count; i++) {
        ze_event_handle_t event = append->waits[i];
        ze_event_handle_t ticket = event->counter_based ? zc_ticket_hold(event) : NULL;
        if (ticket)
            command->waits[command->wait_count++] = ticket;
    }
    command->ticket_count = command->wait_count;
}

static void add_events(struct zc_command *command, const struct zc_append *append)
{
    for (uint32_t i = 0; i < append->wait_count; i++)
        if (!append->waits[i]->counter_based)
            command->waits[command->wait_count++] = append->waits[i];
}

static bool set_signal(struct zc_command *command, ze_event_handle_t event)
{
    command->signals_ticket = event->counter_based;
    command->signal = event->counter_based ? zc_ticket_create(event) : event;
    return command->signal != NULL;
}

// The waits are stored behind the command. They come before the signal: a command may wait for an
// older use of the event that it signals.
void *zc_command_create(size_t size, const struct zc_append *append)
{
    const size_t alignment = _Alignof(max_align_t);
    const size_t waits_offset = (size + alignment - 1) / alignment * alignment;
    const size_t waits_size = append->wait_count * sizeof *append->waits;
    struct zc_command *command = calloc(1, waits_offset + waits_size);
    if (!command)
        return NULL;
    command->waits = (ze_event_handle_t *)(void *)((char *)command + waits_offset);
    if (append->wait_count) {
        hold_tickets(command, append);
        add_events(command, append);
    }
    if (!append->signal || set_signal(command, append->signal))
        return command;
    zc_command_destroy(command);
    return NULL;
}

// Events other than tickets may have been destroyed by now.
void zc_command_destroy(struct zc_command *command)
{
    if (command->finish)
        command->finish(command);
    if (command->signals_ticket)
        zc_ticket_release(command->signal);
    for (uint32_t i = 0; i < command->ticket_count; i++)
        zc_ticket_release(command->waits[i]);
    free(command);
}

void zc_command_rearm(struct zc_command *command)
{
    if (command->signals_ticket)
        zc_event_reset(command->signal);
}

bool zc_command_is_ready(const struct zc_command *command)
{
    for (uint32_t i = 0; i < command->wait_count; i++)
        if (zc_completion_status(&command->waits[i]->completion) == ZE_RESULT_NOT_READY)
            return false;
    return true;
}

bool zc_command_waits_succeeded(const struct zc_command *command)
{
    for (uint32_t i = 0; i < command->wait_count; i++)
        if (zc_completion_status(&command->waits[i]->completion) != ZE_RESULT_SUCCESS)
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

static bool is_admitted(const struct zc_command *command)
{
    return command->uncounted || zc_loss_admits();
}

static inline bool run(const struct zc_command *command, struct zc_runner *runner, bool ok)
{
    if (command->signal)
        zc_event_begin(command->signal);
    if (ok && command->run)
        ok = is_admitted(command) && command->run(command, runner);
    return ok;
}

bool zc_command_run(const struct zc_command *command, struct zc_runner *runner, bool ok)
{
    return run(command, runner, ok);
}

void zc_command_signal(const struct zc_command *command, bool ok)
{
    if (command->signal)
        zc_event_finish(command->signal, ok);
}

bool zc_command_execute(const struct zc_command *command, struct zc_runner *runner, bool lost)
{
    const bool ok = run(command, runner, !lost && wait_for_events(command));
    zc_command_signal(command, ok);
    return ok;
}
