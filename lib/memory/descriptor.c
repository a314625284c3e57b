// SPDX-License-Identifier: MIT

#include "memory/descriptor.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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
