// SPDX-License-Identifier: MIT
//
// What a mez_ipc_handle consists of: the bytes, and the descriptor in them.
//
// The bytes come from another process by ways we do not know, so nothing in them is believed: a checksum finds what was damaged or
// made up by accident, and what is left is checked against what can be.

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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
