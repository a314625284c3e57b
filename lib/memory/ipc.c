// SPDX-License-Identifier: MIT
//
// Sharing device memory between processes.

#include "memory/ipc.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "traced_calls.h"

// --- Handles
//
// What a mez_ipc_handle consists of: the bytes, and the descriptor in them.
//
// The bytes come from another process by ways we do not know, so nothing in them is believed: a checksum finds what was damaged or
// made up by accident, and what is left is checked against what can be.

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
        return "they are not a handle of mez_ipc_get_handle";
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

// --- The descriptor in it

static bool stands_for_memory(int fd)
{
    char link[64], name[256];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, name, sizeof name - 1);
    if (length < 0)
        return false;
    name[length] = '\0';
    return strncmp(name, "/memfd:", 7) == 0 || strstr(name, "dmabuf");
}

bool mez_descriptor_read(int fd, mez_descriptor *descriptor)
{
    struct stat file;
    *descriptor = (mez_descriptor){.fd = -1};
    if (fd < 0 || !stands_for_memory(fd) || fstat(fd, &file) != 0)
        return false;
    *descriptor =
        (mez_descriptor){.fd = fd, .known = 1, .device = file.st_dev, .inode = file.st_ino};
    return true;
}

bool mez_descriptor_matches(const mez_descriptor *descriptor, int fd)
{
    struct stat file;
    return fstat(fd, &file) == 0 && file.st_dev == descriptor->device &&
           file.st_ino == descriptor->inode;
}

// A memfd has a size like any file; of a dma-buf, whose size older kernels do not show, the end can be looked for.
uint64_t mez_descriptor_size(int fd, uint64_t unknown)
{
    struct stat file;
    if (fstat(fd, &file) == 0 && file.st_size > 0)
        return (uint64_t)file.st_size;
    const off_t end = lseek(fd, 0, SEEK_END);
    return end > 0 && lseek(fd, 0, SEEK_SET) == 0 ? (uint64_t)end : unknown;
}

void mez_descriptor_finish(const mez_descriptor *descriptor)
{
    if (descriptor->known && mez_descriptor_matches(descriptor, descriptor->fd))
        close(descriptor->fd);
}

int mez_descriptor_fetch(const mez_descriptor *descriptor, pid_t process)
{
    const int handle = (int)syscall(SYS_pidfd_open, process, 0);
    if (handle < 0)
        return -1;
    const int fd = (int)syscall(SYS_pidfd_getfd, handle, descriptor->fd, 0);
    const int reason = errno;
    close(handle);
    errno = reason;
    if (fd < 0 || mez_descriptor_matches(descriptor, fd))
        return fd;
    close(fd);
    errno = EBADF; // its number means another file by now
    return -1;
}

// --- Sharing
//
// Sharing device memory between processes.

static mez_error cannot_share(const void *pointer, const char *reason)
{
    return mez_error_make(
        MEZ_ERRC_INVALID_PARAMETER, "memory at %p can't be shared: %s", pointer, reason);
}

// The caller holds the memory's lock. NULL: it may be shared.
static const char *why_not(const mez_slot *slot, const void *pointer)
{
    if (!slot || slot->state != MEZ_SLOT_LIVE || mez_slot_address(slot) != pointer)
        return "it is not the start of an allocation of this context";
    if (slot->span->imported)
        return "it belongs to another process, which is the one to share it";
    if (slot->span->kind != MEZ_MEMORY_DEVICE)
        return "only device memory can be";
    const mez_fences *fences = slot->span->fences;
    if (slot->span->pool || (fences && fences->before > 0))
        return "it lies in a pool with others; allocate it with mez_memory_params.dedicated";
    return NULL;
}

static mez_error find(struct mez_memory *memory, const void *pointer, mez_slot **slot)
{
    mez_lock_take(&memory->lock);
    *slot = mez_memory_find(memory, pointer);
    const char *reason = why_not(*slot, pointer);
    mez_lock_release(&memory->lock);
    return reason ? cannot_share(pointer, reason) : mez_ok();
}

// Asked once for each span, because some drivers open a new descriptor for each answer. The caller holds ipc_lock.
static mez_error ask_driver(mez_platform *platform, const mez_slot *slot)
{
    mez_ipc_message *message = mez_new(mez_ipc_message);
    if (!message)
        return mez_error_no_memory("a handle of shared memory");
    const mez_error error = ZE(zeMemGetIpcHandle, platform->ze, slot->span->base, &message->ze);
    if (mez_failed(error)) {
        mez_free_memory(message);
        return mez_error_headline(
            error, "the driver makes no handle for memory at %p", (void *)slot->span->base);
    }
    int fd;
    memcpy(&fd, message->ze.data, sizeof fd);
    mez_descriptor_read(fd, &message->descriptor);
    message->process = getpid();
    message->size = slot->size;
    mez_ipc_seal(message);
    slot->span->shared = message;
    return error;
}

mez_error mez_ipc_export(mez_platform *platform, const void *pointer, mez_ipc_message *message)
{
    mez_slot *slot;
    MEZ_TRY(find(platform->memory, pointer, &slot));
    pthread_mutex_lock(&platform->memory->ipc_lock);
    const mez_error error = slot->span->shared ? mez_ok() : ask_driver(platform, slot);
    if (!mez_failed(error))
        *message = *slot->span->shared;
    pthread_mutex_unlock(&platform->memory->ipc_lock);
    return error;
}

MEZ_TRACE_BODY mez_error get(
    const mez_location *where, mez_context *context, const void *pointer, mez_ipc_handle *handle)
{
    mez_ipc_message message;
    memset(handle, 0, sizeof *handle);
    const mez_error error = mez_ipc_export(mez_platform_of(context), pointer, &message);
    if (mez_failed(error))
        return mez_error_add_place(error, where);
    memcpy(handle, &message, sizeof message);
    return mez_ok();
}

MEZ_TRACED_CALL(mez_ipc_get_handle, get)

mez_error mez_ipc_get_handle_at(
    const mez_location *where, mez_context *context, const void *pointer, mez_ipc_handle *handle)
{
    MEZ_REQUIRE(context, where);
    MEZ_REQUIRE(pointer, where);
    MEZ_REQUIRE(handle, where);
    MEZ_TRACE_CALL(mez_ipc_get_handle, where, get, where, context, pointer, handle);
}

mez_error mez_ipc_check_foreign(const mez_ipc_message *message)
{
    MEZ_TRY(mez_ipc_check(message));
    if (message->process == getpid())
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "the handle was made by this process: use the memory by its own address");
    return mez_ok();
}

static bool same_file(const mez_descriptor *a, const mez_descriptor *b)
{
    return a->known && b->known && a->device == b->device && a->inode == b->inode;
}

// Some drivers return the address that they returned before, and the first close would take it from both.
static mez_error check_not_open(struct mez_memory *memory, const mez_descriptor *descriptor)
{
    const mez_span *found = NULL;
    mez_lock_take(&memory->lock);
    for (size_t i = 0; i < memory->registry.spans.count && !found; i++) {
        const mez_span *span = memory->registry.spans.items[i].span;
        if (span->imported && same_file(&span->shared->descriptor, descriptor))
            found = span;
    }
    mez_lock_release(&memory->lock);
    if (!found)
        return mez_ok();
    return mez_error_make(MEZ_ERRC_WRONG_STATE,
        "the context has this memory open already, or has closed it while queues still use it");
}

// What lies behind the end of the memory would be taken for ours.
static mez_error check_size(const mez_device *device, const mez_ipc_message *message)
{
    const uint64_t most = message->descriptor.known
                              ? mez_descriptor_size(message->descriptor.fd, UINT64_MAX)
                              : device->info.memory_size;
    if (message->size <= most)
        return mez_ok();
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "the handle says %llu bytes, but there are %llu", (unsigned long long)message->size,
        (unsigned long long)most);
}

static mez_error ask_to_open(
    mez_platform *platform, mez_device *device, mez_ipc_message *message, void **base)
{
    if (message->descriptor.known)
        memcpy(message->ze.data, &message->descriptor.fd, sizeof message->descriptor.fd);
    const mez_error error = ZE(zeMemOpenIpcHandle, platform->ze, device->ze, message->ze, 0, base);
    return mez_failed(error)
               ? mez_error_headline(
                     error, "the driver does not open memory of process %d", (int)message->process)
               : error;
}

// The caller holds ipc_lock. `message` is given to the span, or stays the caller's on failure.
static mez_error open_shared(const mez_location *where, mez_platform *platform, mez_device *device,
    mez_ipc_message *message, void **pointer)
{
    void *base = NULL;
    MEZ_TRY(check_size(device, message));
    MEZ_TRY(check_not_open(platform->memory, &message->descriptor));
    MEZ_TRY(ask_to_open(platform, device, message, &base));
    const mez_span_request request = {.kind = MEZ_MEMORY_DEVICE,
        .device = device,
        .size = message->size,
        .slot_count = 1,
        .slot_shift = MEZ_DEDICATED_SHIFT};
    mez_span *span;
    const mez_error error = mez_span_import(platform, &request, base, &span);
    if (mez_failed(error)) {
        ZE_LOGGED(zeMemCloseIpcHandle, platform->ze, base);
        return error;
    }
    MEZ_TRY(mez_memory_adopt(platform, span, where, message->size));
    span->shared = message;
    *pointer = base;
    return error;
}

mez_error mez_ipc_import(const mez_location *where, mez_platform *platform, mez_device *device,
    const mez_ipc_message *received, int fd, void **pointer)
{
    mez_ipc_message *message = mez_new(mez_ipc_message);
    if (!message) {
        if (fd >= 0)
            close(fd);
        return mez_error_no_memory("a handle of shared memory");
    }
    *message = *received;
    message->descriptor.fd = fd;
    pthread_mutex_lock(&platform->memory->ipc_lock);
    const mez_error error = open_shared(where, platform, device, message, pointer);
    pthread_mutex_unlock(&platform->memory->ipc_lock);
    if (mez_failed(error)) {
        mez_descriptor_finish(&message->descriptor);
        mez_free_memory(message);
    }
    return error;
}

static mez_error cannot_fetch(const mez_ipc_message *message, int reason)
{
    const bool gone = reason == ESRCH || reason == EBADF;
    const mez_error error = mez_error_make(gone ? MEZ_ERRC_INVALID_PARAMETER : MEZ_ERRC_PLATFORM,
        "descriptor %d of process %d is not available: %s", (int)message->descriptor.fd,
        (int)message->process, strerror(reason));
    return gone ? mez_error_add(
                      error, "reason", "the memory has been freed, or its process has ended")
                : mez_error_add(error, "what helps",
                      "pass it over a socket with mez_ipc_send, which needs no permission");
}

static mez_error open_handle(const mez_location *where, mez_platform *platform, mez_device *wanted,
    const mez_ipc_message *message, void **pointer)
{
    mez_device *device;
    int fd = -1;
    MEZ_TRY(mez_platform_device(platform, wanted, &device));
    MEZ_TRY(mez_ipc_check_foreign(message));
    if (message->descriptor.known) {
        fd = mez_descriptor_fetch(&message->descriptor, message->process);
        if (fd < 0)
            return cannot_fetch(message, errno);
    }
    return mez_ipc_import(where, platform, device, message, fd, pointer);
}

MEZ_TRACE_BODY mez_error open(const mez_location *where, mez_context *context, mez_device *device,
    const mez_ipc_handle *handle, void **pointer)
{
    mez_ipc_message message;
    memcpy(&message, handle, sizeof message);
    return mez_error_add_place(
        open_handle(where, mez_platform_of(context), device, &message, pointer), where);
}

MEZ_TRACED_CALL(mez_ipc_open, open)

mez_error mez_ipc_open_at(const mez_location *where, mez_context *context, mez_device *device,
    const mez_ipc_handle *handle, void **pointer)
{
    MEZ_REQUIRE(pointer, where);
    *pointer = NULL;
    MEZ_REQUIRE(context, where);
    MEZ_REQUIRE(handle, where);
    MEZ_TRACE_CALL(mez_ipc_open, where, open, where, context, device, handle, pointer);
}
