// SPDX-License-Identifier: MIT
//
// The commands of a regular list.
#include "recording.h"

#include "settings.h"

#include <stdlib.h>

struct zc_recording *zc_recording_create(void)
{
    struct zc_recording *recording = calloc(1, sizeof *recording);
    if (recording)
        atomic_init(&recording->references, 1);
    return recording;
}

struct zc_recording *zc_recording_ref(struct zc_recording *recording)
{
    atomic_fetch_add(&recording->references, 1);
    return recording;
}

void zc_recording_unref(struct zc_recording *recording)
{
    if (atomic_fetch_sub(&recording->references, 1) != 1)
        return;
    for (size_t i = 0; i < recording->count; i++)
        zc_command_destroy(recording->commands[i]);
    free(recording->commands);
    free(recording);
}

static bool reserve_one(struct zc_recording *recording)
{
    if (recording->count < recording->capacity)
        return true;
    const size_t capacity = recording->capacity ? 2 * recording->capacity : 16;
    struct zc_command **grown = realloc(recording->commands, capacity * sizeof *grown);
    if (!grown)
        return false;
    recording->commands = grown;
    recording->capacity = capacity;
    return true;
}

bool zc_recording_add(struct zc_recording *recording, struct zc_command *command)
{
    if (!reserve_one(recording))
        return false;
    recording->commands[recording->count++] = command;
    recording->signals_tickets |= command->signals_ticket;
    return true;
}

static void rearm(struct zc_recording *recording)
{
    if (!recording->signals_tickets)
        return;
    for (size_t i = 0; i < recording->count; i++)
        zc_command_rearm(recording->commands[i]);
}

void zc_recording_begin(struct zc_recording *recording, struct zc_runner *runner)
{
    rearm(recording);
    for (size_t i = 0; zc_settings.strict && i < recording->count; i++)
        zc_command_begin(recording->commands[i], runner);
}

bool zc_recording_execute(const struct zc_recording *recording, struct zc_runner *runner, bool ok)
{
    for (size_t i = 0; i < recording->count; i++)
        ok &= zc_command_execute(recording->commands[i], runner, !ok);
    return ok;
}
