// SPDX-License-Identifier: MIT
//
// The descriptor in a handle of memory, for programs that send it to another process themselves.
#include "check.h"
#include "ipc.h"
#include "own.h"

#include <string.h>
#include <sys/stat.h>

ze_result_t zc_mem_get_ipc_handle_with_properties(ze_context_handle_t context, const void *pointer,
    void *chain, ze_ipc_mem_handle_t *ipc_handle) ZC_ENTRY_POINT(zeMemGetIpcHandleWithProperties);

// Handles of all types are the same here.
ze_result_t zc_mem_get_ipc_handle_with_properties(
    ze_context_handle_t context, const void *pointer, void *chain, ze_ipc_mem_handle_t *ipc_handle)
{
    (void)chain;
    ZC_REQUIRE_NEWER();
    return zeMemGetIpcHandle(context, pointer, ipc_handle);
}

ze_result_t zc_mem_get_descriptor(ze_context_handle_t context, ze_ipc_mem_handle_t ipc_handle,
    uint64_t *descriptor) ZC_ENTRY_POINT(zeMemGetFileDescriptorFromIpcHandleExp);

// The maker's own descriptor, which stays its own; in another process one that is the caller's to close.
ze_result_t zc_mem_get_descriptor(
    ze_context_handle_t context, ze_ipc_mem_handle_t ipc_handle, uint64_t *descriptor)
{
    struct zc_ipc_file file;
    ZC_REQUIRE_NEWER();
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_POINTER(descriptor);
    memcpy(&file, ipc_handle.data, sizeof file);
    const int fd = zc_ipc_is_the_file(&file, file.fd) ? file.fd : zc_ipc_open_file(&file);
    ZC_REQUIRE(fd >= 0, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    *descriptor = (uint64_t)fd;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zc_mem_get_handle(ze_context_handle_t context, uint64_t descriptor,
    ze_ipc_mem_handle_t *ipc_handle) ZC_ENTRY_POINT(zeMemGetIpcHandleFromFileDescriptorExp);

ze_result_t zc_mem_get_handle(
    ze_context_handle_t context, uint64_t descriptor, ze_ipc_mem_handle_t *ipc_handle)
{
    struct zc_ipc_file file;
    struct stat status;
    ZC_REQUIRE_NEWER();
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_POINTER(ipc_handle);
    ZC_REQUIRE(descriptor <= INT32_MAX && !fstat((int)descriptor, &status) && status.st_size > 0,
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    zc_ipc_describe((int)descriptor, (uint64_t)status.st_size, &file);
    memset(ipc_handle, 0, sizeof *ipc_handle);
    memcpy(ipc_handle->data, &file, sizeof file);
    return ZE_RESULT_SUCCESS;
}
