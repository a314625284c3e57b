// SPDX-License-Identifier: MIT
//
// Shares device memory between processes of one machine: one process allocates it, others open it,
// and all of them see the same bytes.
//
// A driver's handle is a file descriptor, whose number is not valid in another process. Programs
// should use mez_ipc_send and mez_ipc_receive, which pass the descriptor over a Unix socket. The
// alternative is mez_ipc_get_handle, which makes a handle of plain bytes that can be passed in any
// way. mez_ipc_open then fetches the descriptor from the process that made the handle; that process
// must still be running, must belong to the same user, and must allow tracing (ptrace(2),
// pidfd_getfd(2)).
//
// Only device memory that was allocated with mez_memory_params.dedicated can be shared; pooled
// memory lies in one allocation of the driver with other memory. Tasks of different processes are
// not ordered: wait for the queue before you notify the other process. Memory exists until all
// processes that opened it have closed it, also after its owner has freed it. docs/devices.md has
// more.
//
// Thread-safety: safe. No task or thread may write to the memory while it is shared for the first
// time, because a driver may have to move it.

#ifndef MEZZANINE_IPC_H
#define MEZZANINE_IPC_H

#include <mezzanine/base.h>
#include <mezzanine/context.h>

MEZ_BEGIN

// Plain bytes, to be copied unchanged. They own no resource, and are valid until the memory is
// freed.
typedef struct mez_ipc_handle {
    uint64_t opaque[16];
} mez_ipc_handle;

// MEZ_ERRC_INVALID_PARAMETER: NULL, or a pointer that is not the start of dedicated device memory
//     which this context has allocated.
// MEZ_ERRC_FEATURE_NOT_SUPPORTED: the driver has no such handles. MEZ_ERRC_OUT_OF_HOST_MEMORY. Else
//     what the driver says.
// The driver keeps one descriptor open until the memory is freed, even if it is shared several
// times.
MEZ_API MEZ_CHECKED mez_error mez_ipc_get_handle_at(
    const mez_location *where, mez_context *context, const void *pointer, mez_ipc_handle *handle);

// Opens another process's memory for a device (NULL: the context's first) and stores its address,
// which may differ from that in the other process. It counts as an allocation of the context until
// mez_ipc_close.
//
// MEZ_ERRC_INVALID_PARAMETER: NULL, a device of another context, bytes that are not a handle or
//     fail its checksum, a size that differs from that of the memory, a handle that this process
//     made, or memory that has been freed.
// MEZ_ERRC_WRONG_STATE: the context has it open already.
// MEZ_ERRC_PLATFORM: the descriptor can't be fetched from the other process; the story says why.
// MEZ_ERRC_FEATURE_NOT_SUPPORTED, MEZ_ERRC_OUT_OF_HOST_MEMORY. Else what the driver says.
MEZ_API MEZ_CHECKED mez_error mez_ipc_open_at(const mez_location *where, mez_context *context,
    mez_device *device, const mez_ipc_handle *handle, void **pointer);

// Closes opened memory. As with mez_free, tasks that were submitted before may still use it.
//
// MEZ_ERRC_INVALID_PARAMETER: the address was not returned by mez_ipc_open or mez_ipc_receive, or
//     is closed already.
// What the driver says if it can't close the memory; the address is invalid in any case.
MEZ_API mez_error mez_ipc_close_at(const mez_location *where, mez_context *context, void *pointer);

// Sends a handle with its descriptor over a connected Unix socket (AF_UNIX; stream, datagram or
// seqpacket), in one message. The socket stays yours.
//
// Errors: those of mez_ipc_get_handle, and MEZ_ERRC_FILE: the socket fails, or its other end has
// been closed.
MEZ_API MEZ_CHECKED mez_error mez_ipc_send_at(
    const mez_location *where, mez_context *context, const void *pointer, int socket);

// Receives one message of mez_ipc_send, and opens its memory as mez_ipc_open does.
//
// MEZ_ERRC_FILE: the socket fails, or its other end has been closed.
// MEZ_ERRC_INVALID_PARAMETER: as mez_ipc_open, or a message that mez_ipc_send did not send.
// MEZ_ERRC_WRONG_STATE: the context has the memory open already.
// MEZ_ERRC_FEATURE_NOT_SUPPORTED, MEZ_ERRC_OUT_OF_HOST_MEMORY. Else what the driver says.
MEZ_API MEZ_CHECKED mez_error mez_ipc_receive_at(const mez_location *where, mez_context *context,
    mez_device *device, int socket, void **pointer);

#ifndef __cplusplus
#define mez_ipc_open(context, device, handle, pointer) \
    mez_ipc_open_at(MEZ_HERE, context, device, handle, pointer)
#define mez_ipc_receive(context, device, socket, pointer) \
    mez_ipc_receive_at(MEZ_HERE, context, device, socket, pointer)
#endif

#ifndef __cplusplus
#define mez_ipc_get_handle(context, pointer, handle) \
    mez_ipc_get_handle_at(MEZ_HERE, context, pointer, handle)
#define mez_ipc_close(context, pointer) mez_ipc_close_at(MEZ_HERE, context, pointer)
#define mez_ipc_send(context, pointer, socket) mez_ipc_send_at(MEZ_HERE, context, pointer, socket)
#endif

MEZ_END

#endif
