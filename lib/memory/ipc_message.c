// SPDX-License-Identifier: MIT
//
// The bytes of a mez_ipc_handle. They come from another process by ways we do not know, so nothing in them is believed: a
// checksum finds what was damaged or made up by accident, and what is left is checked against what can be.

#include <stddef.h>
#include <string.h>

#include "memory/ipc.h"

#define MAGIC 0x697a656du // "mezi"

// FNV-1a, 64 bits.
static uint64_t checksum_of(const mez_ipc_message *message)
{
    const unsigned char *bytes = (const unsigned char *)message;
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < offsetof(mez_ipc_message, checksum); i++)
        sum = (sum ^ bytes[i]) * 0x100000001b3u;
    return sum;
}

void mez_ipc_seal(mez_ipc_message *message)
{
    message->magic = MAGIC;
    message->checksum = checksum_of(message);
}

// NULL: there is nothing wrong.
static const char *fault_of(const mez_ipc_message *message)
{
    const mez_descriptor *descriptor = &message->descriptor;
    int32_t first;
    memcpy(&first, message->ze.data, sizeof first);
    if (message->magic != MAGIC)
        return "they are not a handle of mez_ipc_get";
    if (message->checksum != checksum_of(message))
        return "the handle is damaged, or of another version of Mezzanine";
    if (message->size == 0 || message->size > PTRDIFF_MAX)
        return "the handle's size can't be";
    if (message->process <= 0)
        return "the handle names no process";
    if (descriptor->known != 0 && descriptor->known != 1)
        return "the handle does not say whether it has a descriptor";
    if (descriptor->known && (descriptor->fd < 0 || descriptor->fd != first))
        return "the handle's descriptor is not the driver's";
    return NULL;
}

mez_error mez_ipc_check(const mez_ipc_message *message)
{
    const char *fault = fault_of(message);
    return fault
               ? mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "the bytes can't be opened: %s", fault)
               : mez_ok();
}
