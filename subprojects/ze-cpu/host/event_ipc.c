// SPDX-License-Identifier: MIT
//
// Event pools shared between processes: their events lie in a file in memory, which another process maps.
#include "event.h"

#include "check.h"
#include "context.h"
#include "ipc.h"
#include "own.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct handle {
    struct zc_ipc_file file;
    uint32_t event_size; // a driver whose events are others can't use them
    uint32_t count;
    ze_event_pool_flags_t flags;
    uint8_t timestamps;
};
_Static_assert(sizeof(struct handle) <= ZE_MAX_IPC_HANDLE_SIZE, "a handle holds what we need");

static size_t bytes_of(uint32_t count)
{
    return zc_ipc_size(count * sizeof(struct _ze_event_handle_t));
}

// Nobody who has the file can take the events away from those who look at them.
static void *create_file(size_t size, int *fd)
{
    const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    *fd = memfd_create("ze-cpu events", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*fd < 0)
        return NULL;
    void *view = ftruncate(*fd, (off_t)size) || fcntl(*fd, F_ADD_SEALS, seals)
                     ? MAP_FAILED
                     : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    if (view != MAP_FAILED)
        return view;
    close(*fd);
    return NULL;
}

bool zc_event_pool_share(ze_event_pool_handle_t pool)
{
    pool->events = create_file(bytes_of(pool->count), &pool->fd);
    for (uint32_t i = 0; pool->events && i < pool->count; i++) {
        pool->events[i].shared = true;
        zc_completion_share(&pool->events[i].completion);
    }
    return pool->events != NULL;
}

void zc_event_pool_finish(ze_event_pool_handle_t pool)
{
    if (pool->fd >= 0)
        close(pool->fd);
    if (pool->fd >= 0 || pool->imported)
        munmap(pool->events, bytes_of(pool->count));
    else
        free(pool->events);
}

ze_result_t zeEventPoolGetIpcHandle(
    ze_event_pool_handle_t pool, ze_ipc_event_pool_handle_t *ipc_handle)
{
    ZC_REQUIRE_HANDLE(pool);
    ZC_REQUIRE_POINTER(ipc_handle);
    ZC_REQUIRE(pool->fd >= 0, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    struct handle handle = {.event_size = sizeof *pool->events,
        .count = pool->count,
        .flags = pool->flags,
        .timestamps = pool->timestamps};
    ZC_REQUIRE(zc_ipc_describe(pool->fd, bytes_of(pool->count), &handle.file),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    memset(ipc_handle, 0, sizeof *ipc_handle);
    memcpy(ipc_handle->data, &handle, sizeof handle);
    return ZE_RESULT_SUCCESS;
}

static bool is_ours(const struct handle *handle)
{
    return handle->event_size == sizeof(struct _ze_event_handle_t) && handle->count &&
           handle->file.size == bytes_of(handle->count);
}

ze_result_t zeEventPoolOpenIpcHandle(ze_context_handle_t context,
    ze_ipc_event_pool_handle_t ipc_handle, ze_event_pool_handle_t *pool)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_POINTER(pool);
    struct handle handle;
    memcpy(&handle, ipc_handle.data, sizeof handle);
    ZC_REQUIRE(is_ours(&handle), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ze_event_pool_handle_t new = calloc(1, sizeof *new);
    ZC_REQUIRE(new, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    *new = (struct _ze_event_pool_handle_t){.context = context,
        .flags = handle.flags,
        .count = handle.count,
        .timestamps = handle.timestamps,
        .devices = context->devices,
        .fd = -1,
        .imported = true};
    new->events = zc_ipc_map(&handle.file);
    if (!new->events) {
        free(new);
        return zc_refuse(
            __func__, "the events' file is available", ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    zc_event_pool_add(new);
    *pool = new;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventPoolCloseIpcHandle(ze_event_pool_handle_t pool)
{
    ZC_REQUIRE_HANDLE(pool);
    ZC_REQUIRE(pool->imported, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    return zeEventPoolDestroy(pool);
}

ze_result_t zc_event_pool_put_ipc_handle(ze_context_handle_t context,
    ze_ipc_event_pool_handle_t handle) ZC_ENTRY_POINT(zeEventPoolPutIpcHandle);

// A handle holds nothing: the file is the pool's.
ze_result_t zc_event_pool_put_ipc_handle(
    ze_context_handle_t context, ze_ipc_event_pool_handle_t handle)
{
    (void)handle;
    ZC_REQUIRE_NEWER();
    ZC_REQUIRE_HANDLE(context);
    return ZE_RESULT_SUCCESS;
}
