// SPDX-License-Identifier: MIT
//
// Device memory that two processes of one machine share: one allocates it, others open it, and all
// see the same bytes.
//
// A driver's handle is a file descriptor, which means nothing in another process. mez_ipc_send and
// mez_ipc_receive pass it over a Unix socket and are what to use. mez_ipc_get_handle makes a handle
// of plain bytes, to be passed as you like; mez_ipc_open fetches the descriptor from the process
// that made it, so that process must live, belong to the same user and allow it to be traced
// (ptrace(2), pidfd_getfd(2)).
//
// Only device memory that was allocated with mez_memory_params.dedicated can be shared: pooled
// memory has neighbours. Nothing orders the processes' tasks: wait for the queue before you notify
// the other process. Memory stays until all who opened it have closed it, also where its owner has
// freed it. docs/devices.md has more.
//
// Thread-safety: safe. Nobody may write to the memory while it is shared for the first time: a
// driver may have to move it.

#ifndef MEZZANINE_IPC_H
#define MEZZANINE_IPC_H

#include <mezzanine/base.h>
#include <mezzanine/context.h>

MEZ_BEGIN

// Bytes, to be copied as they are. They hold no resource, and serve as long as the memory is not
// freed.
typedef struct mez_ipc_handle {
    uint64_t opaque[16];
} mez_ipc_handle;

// MEZ_ERRC_INVALID_PARAMETER: NULL, or not the start of dedicated device memory of this context's
//     own.
// MEZ_ERRC_FEATURE_NOT_SUPPORTED: the driver has no such handles. MEZ_ERRC_OUT_OF_HOST_MEMORY. Else
//     what the driver says.
// The driver keeps one descriptor open until the memory is freed, however often it is shared.
MEZ_API MEZ_CHECKED mez_error mez_ipc_get_handle_at(
    const mez_location *where, mez_context *context, const void *pointer, mez_ipc_handle *handle);

// Opens another process's memory for a device (NULL: the context's first) and stores its address,
// which need not be the other process's. It counts as an allocation of the context until
// mez_ipc_close.
//
// MEZ_ERRC_INVALID_PARAMETER: NULL, a device of another context, bytes that are not a handle or a
//     damaged one (by its checksum), a size that its memory does not have, a handle of this very
//     process, or memory that is gone.
// MEZ_ERRC_WRONG_STATE: the context has it open already.
// MEZ_ERRC_PLATFORM: the other process's descriptor may not be fetched; the story says why.
// MEZ_ERRC_FEATURE_NOT_SUPPORTED, MEZ_ERRC_OUT_OF_HOST_MEMORY. Else what the driver says.
MEZ_API MEZ_CHECKED mez_error mez_ipc_open_at(const mez_location *where, mez_context *context,
    mez_device *device, const mez_ipc_handle *handle, void **pointer);

// Gives opened memory up. As with mez_free, tasks that were submitted before may still use it.
// MEZ_ERRC_INVALID_PARAMETER: not the address that opening returned, or closed already.
// What the driver says where it refuses to close it; the address is gone nevertheless.
MEZ_API mez_error mez_ipc_close_at(const mez_location *where, mez_context *context, void *pointer);

// The same over a connected Unix socket (AF_UNIX; stream, datagram or seqpacket): one message with
// handle and descriptor. The socket stays yours.
//
// Errors: those of mez_ipc_get_handle, and MEZ_ERRC_FILE: the socket fails, or its other end has
// been closed.
MEZ_API MEZ_CHECKED mez_error mez_ipc_send_at(
    const mez_location *where, mez_context *context, const void *pointer, int socket);

// MEZ_ERRC_FILE: the socket fails, or its other end has been closed. MEZ_ERRC_INVALID_PARAMETER: as
//     mez_ipc_open, or a message that is none of mez_ipc_send's. MEZ_ERRC_WRONG_STATE: the context
//     has the memory open already.
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
