// SPDX-License-Identifier: MIT
// Memory shared between processes, as far as handles and descriptors go: nobody sees another's bytes.
#include "internal.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC 0x6e6f6970u

struct handle {
    int fd; // -1: the handle does not stand for a descriptor
    uint32_t magic;
    uint64_t size;
};

static int make_descriptor(size_t size)
{
    const int fd = memfd_create("no-op device memory", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, (off_t)size) == 0)
        return fd;
    close(fd);
    return -1;
}

// Two threads may ask at the same time; the first one's stays.
static int get_descriptor(const struct noop_allocation *allocation)
{
    if (allocation->fd >= 0)
        return allocation->fd;
    const int fd = make_descriptor(allocation->size);
    const int has = fd >= 0 ? noop_memory_set_descriptor(allocation->base, fd) : -1;
    if (fd >= 0 && has != fd)
        close(fd);
    return has;
}

ze_result_t noop_zeMemGetIpcHandle(
    ze_context_handle_t context, const void *pointer, ze_ipc_mem_handle_t *ipc_handle)
{
    NOOP_ENTER(zeMemGetIpcHandle);
    (void)context;
    struct noop_allocation found;
    struct handle handle = {.fd = -1, .magic = MAGIC};
    if (!noop_memory_look_up(pointer, &found) || found.type != ZE_MEMORY_TYPE_DEVICE)
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    handle.size = found.size;
    if (!noop_config_get().ipc_without_descriptor && (handle.fd = get_descriptor(&found)) < 0)
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    memset(ipc_handle, 0, sizeof *ipc_handle);
    memcpy(ipc_handle->data, &handle, sizeof handle);
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeMemOpenIpcHandle(ze_context_handle_t context, ze_device_handle_t device,
    ze_ipc_mem_handle_t ipc_handle, ze_ipc_memory_flags_t flags, void **pointer)
{
    NOOP_ENTER(zeMemOpenIpcHandle);
    (void)context, (void)flags;
    struct handle handle;
    struct stat file;
    memcpy(&handle, ipc_handle.data, sizeof handle);
    const bool fits = handle.magic == MAGIC && handle.size > 0 &&
                      (handle.fd == -1 ||
                          (fstat(handle.fd, &file) == 0 && (uint64_t)file.st_size >= handle.size));
    if (!fits)
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    const struct noop_allocation wanted = {.size = handle.size,
        .type = ZE_MEMORY_TYPE_DEVICE,
        .device = device,
        .imported = true,
        .fd = -1};
    return noop_memory_create(&wanted, 4096, pointer);
}

ze_result_t noop_zeMemCloseIpcHandle(ze_context_handle_t context, const void *pointer)
{
    (void)context;
    const ze_result_t planned = noop_enter(NOOP_zeMemCloseIpcHandle);
    return noop_memory_destroy(pointer, true) ? planned : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}
