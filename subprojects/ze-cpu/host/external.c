// SPDX-License-Identifier: MIT
#include "external.h"

#include "check.h"
#include "ipc.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static ze_result_t check_types(ze_external_memory_type_flags_t types)
{
    ZC_REQUIRE(!(types & ~(uint32_t)ZC_EXTERNAL_TYPES), ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zc_external_check(const void *chain, bool device)
{
    const ze_external_memory_export_desc_t *export =
        zc_find_next(chain, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC);
    const ze_external_memory_import_fd_t *import =
        zc_find_next(chain, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD);
    ZC_REQUIRE(!zc_find_next(chain, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_WIN32),
        ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
    ZC_REQUIRE(device || (!export && !import), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    ZC_REQUIRE(!import || import->fd >= 0, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    const ze_result_t result = export ? check_types(export->flags) : ZE_RESULT_SUCCESS;
    ZC_PASS(result);
    return import ? check_types(import->flags) : ZE_RESULT_SUCCESS;
}

int zc_external_import(const void *chain)
{
    const ze_external_memory_import_fd_t *import =
        zc_find_next(chain, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD);
    return import ? import->fd : -1;
}

// The file's pages are the allocation's as if it had been exported (ipc.h), and can be exported again.
static ze_result_t map(struct zc_allocation *allocation, int fd)
{
    const size_t size = zc_ipc_size(allocation->size);
    const off_t length = lseek(fd, 0, SEEK_END); // a dma-buf's is not in its status
    ZC_REQUIRE(length > 0 && (size_t)length >= allocation->size, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    ZC_REQUIRE(pages != MAP_FAILED, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    allocation->base = pages;
    allocation->block_size = size;
    allocation->foreign = allocation->exported = true;
    allocation->fd = fd;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zc_external_map(struct zc_allocation *allocation, int fd)
{
    const int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    ZC_REQUIRE(own >= 0, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    const ze_result_t result = map(allocation, own);
    if (result != ZE_RESULT_SUCCESS)
        close(own);
    return result;
}

ze_result_t zc_external_query(ze_context_handle_t context, const void *pointer, void *chain)
{
    ze_external_memory_export_fd_t *query =
        zc_find_properties(chain, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD);
    struct zc_allocation allocation;
    ZC_REQUIRE(!zc_find_next(chain, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_WIN32),
        ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
    if (!query)
        return ZE_RESULT_SUCCESS;
    ze_result_t result = check_types(query->flags);
    ZC_PASS(result);
    result = zc_ipc_export(context, pointer, &allocation);
    ZC_REQUIRE(result != ZE_RESULT_ERROR_INVALID_ARGUMENT, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    ZC_PASS(result);
    query->fd = fcntl(allocation.fd, F_DUPFD_CLOEXEC, 0);
    ZC_REQUIRE(query->fd >= 0, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    return ZE_RESULT_SUCCESS;
}
