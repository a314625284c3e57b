// SPDX-License-Identifier: MIT
//
// Passing shared memory over a Unix socket: the handle as the message, the descriptor beside it (SCM_RIGHTS, unix(7)).

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "memory/ipc.h"
#include "traced_calls.h"

typedef struct packet {
    struct msghdr header;
    struct iovec part;
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
} packet;

static void packet_init(packet *packet, mez_ipc_message *message)
{
    memset(packet, 0, sizeof *packet);
    packet->part = (struct iovec){message, sizeof *message};
    packet->header.msg_iov = &packet->part;
    packet->header.msg_iovlen = 1;
    packet->header.msg_control = packet->control;
    packet->header.msg_controllen = sizeof packet->control;
}

static void put_descriptor(packet *packet, const mez_descriptor *descriptor)
{
    if (!descriptor->known) {
        packet->header.msg_control = NULL;
        packet->header.msg_controllen = 0;
        return;
    }
    struct cmsghdr *control = CMSG_FIRSTHDR(&packet->header);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(control), &descriptor->fd, sizeof(int));
}

// The first descriptor that came with the message, the others are closed: the room for one may hold two. -1: none came.
static int take_descriptor(packet *packet)
{
    const struct cmsghdr *control = CMSG_FIRSTHDR(&packet->header);
    if (!control || control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS)
        return -1;
    int first = -1;
    const size_t count = (control->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; i++) {
        int fd;
        memcpy(&fd, CMSG_DATA(control) + i * sizeof fd, sizeof fd);
        if (i == 0)
            first = fd;
        else
            close(fd);
    }
    return first;
}

static mez_error socket_failed(int socket, const char *what, ssize_t moved)
{
    const char *reason = moved < 0    ? strerror(errno)
                         : moved == 0 ? "its other end is closed"
                                      : "the message was cut";
    return mez_error_make(
        MEZ_ERRC_FILE, "shared memory can't be %s over socket %d: %s", what, socket, reason);
}

static mez_error export_and_send(mez_context *context, const void *pointer, int socket)
{
    mez_ipc_message message;
    packet packet;
    ssize_t sent;
    MEZ_TRY(mez_ipc_export(mez_platform_of(context), pointer, &message));
    packet_init(&packet, &message);
    put_descriptor(&packet, &message.descriptor);
    do
        sent = sendmsg(socket, &packet.header, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == sizeof message ? mez_ok() : socket_failed(socket, "sent", sent);
}

MEZ_TRACE_BODY mez_error send_handle(
    const mez_location *where, mez_context *context, const void *pointer, int socket)
{
    return mez_error_add_place(export_and_send(context, pointer, socket), where);
}

MEZ_TRACED_CALL(mez_ipc_send, send_handle)

mez_error mez_ipc_send_at(
    const mez_location *where, mez_context *context, const void *pointer, int socket)
{
    MEZ_REQUIRE(context, where);
    MEZ_REQUIRE(pointer, where);
    MEZ_TRACE_CALL(mez_ipc_send, where, send_handle, where, context, pointer, socket);
}

static mez_error receive(int socket, mez_ipc_message *message, int *fd)
{
    packet packet;
    ssize_t received;
    packet_init(&packet, message);
    do
        received = recvmsg(socket, &packet.header, MSG_CMSG_CLOEXEC | MSG_WAITALL);
    while (received < 0 && errno == EINTR);
    if (received < 0)
        return socket_failed(socket, "received", received);
    *fd = take_descriptor(&packet);
    return received == sizeof *message ? mez_ok() : socket_failed(socket, "received", received);
}

static mez_error check_received(const mez_ipc_message *message, int fd)
{
    MEZ_TRY(mez_ipc_check_foreign(message));
    if (message->descriptor.known && (fd < 0 || !mez_descriptor_matches(&message->descriptor, fd)))
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "the message came without its descriptor");
    if (!message->descriptor.known && fd >= 0)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "the message came with a descriptor that it has no use for");
    return mez_ok();
}

static mez_error open_received(const mez_location *where, mez_platform *platform,
    mez_device *wanted, int socket, void **pointer)
{
    mez_device *device;
    mez_ipc_message message;
    int fd = -1;
    MEZ_TRY(mez_platform_device(platform, wanted, &device));
    mez_error error = receive(socket, &message, &fd);
    if (!mez_failed(error))
        error = check_received(&message, fd);
    if (!mez_failed(error))
        return mez_ipc_import(where, platform, device, &message, fd, pointer);
    if (fd >= 0)
        close(fd);
    return error;
}

MEZ_TRACE_BODY mez_error receive_and_open(
    const mez_location *where, mez_context *context, mez_device *device, int socket, void **pointer)
{
    return mez_error_add_place(
        open_received(where, mez_platform_of(context), device, socket, pointer), where);
}

MEZ_TRACED_CALL(mez_ipc_receive, receive_and_open)

mez_error mez_ipc_receive_at(
    const mez_location *where, mez_context *context, mez_device *device, int socket, void **pointer)
{
    MEZ_REQUIRE(pointer, where);
    *pointer = NULL;
    MEZ_REQUIRE(context, where);
    MEZ_TRACE_CALL(
        mez_ipc_receive, where, receive_and_open, where, context, device, socket, pointer);
}
