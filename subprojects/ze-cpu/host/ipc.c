// SPDX-License-Identifier: MIT
//
// Device memory shared between processes. An allocation is ordinary memory until somebody asks for
// its handle; then its pages move into a file in memory (memfd), which another process may map.
//
// The handle begins with the file's descriptor, as that of Intel's driver does. Libraries that send
// the descriptor to the other process themselves (SCM_RIGHTS, pidfd_getfd) and put what they
// received into the handle find it accepted. Where nobody did, it is fetched from /proc, which
// needs the same user and the same PID namespace.
#include "ipc.h"

#include "check.h"
#include "context.h"
#include "own.h"
#include "unwritten.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(sizeof(struct zc_ipc_file) <= ZE_MAX_IPC_HANDLE_SIZE, "a handle holds what we need");

size_t zc_ipc_alignment(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

size_t zc_ipc_size(size_t size)
{
    const size_t page = zc_ipc_alignment();
    return (size + page - 1) / page * page;
}

static void *map_file(int fd, size_t size)
{
    void *view = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return view == MAP_FAILED ? NULL : view;
}

// The file takes over the pages: a copy is made, then put in their place at once. What is written
// in between is lost, so nobody may write meanwhile.
static bool move_into_file(char *base, size_t size, int fd)
{
    void *view = ftruncate(fd, (off_t)size) ? NULL : map_file(fd, size);
    if (!view)
        return false;
    memcpy(view, base, size);
    if (mremap(view, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, base) == base)
        return true;
    munmap(view, size);
    return false;
}

static ze_result_t export(struct zc_allocation *allocation)
{
    const bool possible = allocation->type == ZE_MEMORY_TYPE_DEVICE && !allocation->owner;
    ZC_REQUIRE(possible && !allocation->imported, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    if (allocation->exported)
        return ZE_RESULT_SUCCESS;
    const int fd = memfd_create("ze-cpu device memory", MFD_CLOEXEC);
    ZC_REQUIRE(fd >= 0, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    if (!move_into_file(allocation->base, zc_ipc_size(allocation->size), fd)) {
        close(fd);
        return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    allocation->exported = true;
    allocation->fd = fd;
    zc_note_freed(allocation); // by this process's kernels alone it is not known
    return ZE_RESULT_SUCCESS;
}

ze_result_t zc_ipc_export(
    ze_context_handle_t context, const void *pointer, struct zc_allocation *allocation)
{
    return zc_memory_map_change(context, pointer, export, allocation);
}

bool zc_ipc_withdraw(const struct zc_allocation *allocation)
{
    if (!allocation->exported)
        return true;
    close(allocation->fd);
    const void *fresh = mmap(allocation->base, zc_ipc_size(allocation->size),
        PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    return fresh == allocation->base;
}

bool zc_ipc_describe(int fd, uint64_t size, struct zc_ipc_file *file)
{
    struct stat status;
    if (fstat(fd, &status))
        return false;
    *file = (struct zc_ipc_file){
        .fd = fd,
        .pid = getpid(),
        .size = size,
        .device = status.st_dev,
        .inode = status.st_ino,
    };
    return true;
}

ze_result_t zeMemGetIpcHandle(
    ze_context_handle_t context, const void *pointer, ze_ipc_mem_handle_t *ipc_handle)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_POINTER(pointer);
    ZC_REQUIRE_POINTER(ipc_handle);
    struct zc_allocation allocation;
    struct zc_ipc_file handle;
    const ze_result_t result = zc_ipc_export(context, pointer, &allocation);
    ZC_PASS(result);
    ZC_REQUIRE(
        zc_ipc_describe(allocation.fd, allocation.size, &handle), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    memset(ipc_handle, 0, sizeof *ipc_handle);
    memcpy(ipc_handle->data, &handle, sizeof handle);
    return ZE_RESULT_SUCCESS;
}

bool zc_ipc_is_the_file(const struct zc_ipc_file *handle, int fd)
{
    struct stat file;
    return !fstat(fd, &file) && file.st_dev == handle->device && file.st_ino == handle->inode &&
           (uint64_t)file.st_size >= handle->size;
}

int zc_ipc_open_file(const struct zc_ipc_file *handle)
{
    char path[64];
    if (zc_ipc_is_the_file(handle, handle->fd))
        return fcntl(handle->fd, F_DUPFD_CLOEXEC, 0);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)handle->pid, handle->fd);
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0 || zc_ipc_is_the_file(handle, fd))
        return fd;
    close(fd);
    return -1;
}

// The mapping needs no descriptor once it is made.
void *zc_ipc_map(const struct zc_ipc_file *handle)
{
    const int fd = zc_ipc_open_file(handle);
    if (fd < 0)
        return NULL;
    void *view = map_file(fd, zc_ipc_size(handle->size));
    close(fd);
    return view;
}

ze_result_t zeMemOpenIpcHandle(ze_context_handle_t context, ze_device_handle_t device,
    ze_ipc_mem_handle_t ipc_handle, ze_ipc_memory_flags_t flags, void **pointer)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_FLAGS(flags, ZE_IPC_MEMORY_FLAG_BIAS_CACHED | ZE_IPC_MEMORY_FLAG_BIAS_UNCACHED);
    ZC_REQUIRE_POINTER(pointer);
    struct zc_ipc_file handle;
    memcpy(&handle, ipc_handle.data, sizeof handle);
    ZC_REQUIRE(handle.size, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    void *view = zc_ipc_map(&handle);
    ZC_REQUIRE(view, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    const struct zc_allocation allocation = {.base = view,
        .size = handle.size,
        .type = ZE_MEMORY_TYPE_DEVICE,
        .device = device,
        .context = context,
        .imported = true};
    if (!zc_memory_map_add(context->memory, allocation)) {
        munmap(view, zc_ipc_size(handle.size));
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    }
    *pointer = view;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemCloseIpcHandle(ze_context_handle_t context, const void *pointer)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_POINTER(pointer);
    struct zc_allocation allocation;
    ZC_REQUIRE(
        zc_memory_map_take(context, pointer, true, &allocation), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    munmap(allocation.base, zc_ipc_size(allocation.size));
    return ZE_RESULT_SUCCESS;
}

ze_result_t zc_mem_put_ipc_handle(ze_context_handle_t context, ze_ipc_mem_handle_t handle)
    ZC_ENTRY_POINT(zeMemPutIpcHandle);

// A handle holds nothing: the file is the allocation's.
ze_result_t zc_mem_put_ipc_handle(ze_context_handle_t context, ze_ipc_mem_handle_t handle)
{
    (void)handle;
    ZC_REQUIRE_NEWER();
    ZC_REQUIRE_HANDLE(context);
    return ZE_RESULT_SUCCESS;
}
