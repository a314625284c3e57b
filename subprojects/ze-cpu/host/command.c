// SPDX-License-Identifier: MIT
//
// Life and execution of commands.
#include "command.h"

#include "device.h"
#include "fault.h"
#include "list.h"
#include "loss.h"
#include "recording.h"

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

static bool set_signal(
    struct zc_command *command, ze_event_handle_t event, ze_command_list_handle_t list)
{
    command->signals_ticket = event->counter_based;
    command->signal =
        event->counter_based ? zc_ticket_create(event, zc_device_bit(list->device)) : event;
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
    if (!append->signal || set_signal(command, append->signal, append->list))
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

void zc_command_begin(struct zc_command *command, struct zc_runner *runner)
{
    if (command->begun)
        command->begun(command, runner);
}

// A device that is lost waits no longer, nor is a device waited for that is.
static struct zc_wait_devices who_waits(
    const struct _ze_event_handle_t *event, const struct zc_runner *runner)
{
    return (struct zc_wait_devices){zc_device_bit(runner->device), zc_event_devices(event)};
}

bool zc_command_is_ready(const struct zc_command *command, const struct zc_runner *runner)
{
    for (uint32_t i = 0; i < command->wait_count; i++) {
        const struct _ze_event_handle_t *event = command->waits[i];
        if (zc_completion_status(&event->completion, who_waits(event, runner)) ==
            ZE_RESULT_NOT_READY)
            return false;
    }
    return true;
}

// What waits for a failure fails for the same reason. Where the whole device is lost there is none.
static bool check_wait(ze_event_handle_t event, ze_result_t result, struct zc_runner *runner)
{
    if (result && zc_completion_is_over(&event->completion))
        zc_runner_note_loss(runner, zc_event_loss(event));
    return !result;
}

bool zc_command_waits_succeeded(const struct zc_command *command, struct zc_runner *runner)
{
    for (uint32_t i = 0; i < command->wait_count; i++) {
        ze_event_handle_t event = command->waits[i];
        const ze_result_t status =
            zc_completion_status(&event->completion, who_waits(event, runner));
        if (!check_wait(event, status, runner))
            return false;
    }
    return true;
}

static bool wait_for_events(const struct zc_command *command, struct zc_runner *runner)
{
    bool ok = true;
    for (uint32_t i = 0; i < command->wait_count; i++) {
        ze_event_handle_t event = command->waits[i];
        const ze_result_t result =
            zc_completion_wait(&event->completion, who_waits(event, runner), ZC_FOREVER);
        ok &= check_wait(event, result, runner);
    }
    return ok;
}

static bool is_admitted(const struct zc_command *command, const struct zc_runner *runner)
{
    return command->uncounted || zc_loss_admits(zc_device_bit(runner->device));
}

// Where queues share an engine, one command at a time has it.
static bool run_in_turn(const struct zc_command *command, struct zc_runner *runner)
{
    if (!runner->turn || command->off_engine)
        return command->run(command, runner);
    if (!zc_turn_take(runner->turn, zc_device_bit(runner->device)))
        return false;
    const bool ok = command->run(command, runner);
    zc_turn_release(runner->turn);
    return ok;
}

// An append may run it on the program's thread.
static bool work(const struct zc_command *command, struct zc_runner *runner)
{
    const bool before = zc_guard_work_for_device(true);
    const bool ok = is_admitted(command, runner) && run_in_turn(command, runner);
    zc_guard_work_for_device(before);
    return ok;
}

static inline bool run(const struct zc_command *command, struct zc_runner *runner, bool ok)
{
    if (command->signal)
        zc_event_begin(command->signal);
    if (ok && command->run)
        ok = work(command, runner);
    else if (command->recording)
        zc_recording_execute(command->recording, runner, false); // whose events fail
    const bool undisturbed = !command->ended || command->ended(command, runner);
    return ok && undisturbed;
}

bool zc_command_run(const struct zc_command *command, struct zc_runner *runner, bool ok)
{
    return run(command, runner, ok);
}

void zc_command_signal(const struct zc_command *command, bool ok, struct zc_runner *runner)
{
    if (!ok && runner->failed)
        runner->failed(runner);
    if (!command->signal)
        return;
    if (ok)
        zc_event_finish(command->signal, true);
    else
        zc_event_fail(command->signal, atomic_load(&runner->loss));
}

bool zc_command_execute(const struct zc_command *command, struct zc_runner *runner, bool lost)
{
    const bool ok = run(command, runner, !lost && wait_for_events(command, runner));
    zc_command_signal(command, ok, runner);
    return ok;
}
