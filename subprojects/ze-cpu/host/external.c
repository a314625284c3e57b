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

// The length of a dma-buf is not in its status.
static size_t length_of(int fd)
{
    const off_t length = lseek(fd, 0, SEEK_END);
    return length > 0 ? (size_t)length : 0;
}

size_t zc_external_size(const void *chain)
{
    const int fd = zc_external_import(chain);
    return fd >= 0 ? length_of(fd) : 0;
}

ze_result_t zc_external_open(int fd, size_t size, int *own)
{
    const size_t length = length_of(fd);
    ZC_REQUIRE(length > 0 && length >= size, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    *own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    ZC_REQUIRE(*own >= 0, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    return ZE_RESULT_SUCCESS;
}

// The file's pages are the allocation's as if it had been exported (ipc.h), and can be exported again.
ze_result_t zc_external_map(struct zc_allocation *allocation, size_t alignment, int fd)
{
    ZC_REQUIRE(alignment <= zc_ipc_alignment(), ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
    const size_t size = zc_ipc_size(allocation->size);
    const ze_result_t opened = zc_external_open(fd, allocation->size, &allocation->fd);
    ZC_PASS(opened);
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (pages == MAP_FAILED) {
        close(allocation->fd);
        return zc_refuse(__func__, "the file can be mapped", ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    allocation->base = pages;
    allocation->block_size = size;
    allocation->foreign = allocation->exported = true;
    return ZE_RESULT_SUCCESS;
}

static ze_external_memory_export_fd_t *find_query(void *chain)
{
    return zc_find_properties(chain, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD);
}

static ze_result_t check_query(const void *chain)
{
    const ze_external_memory_export_fd_t *query =
        zc_find_next(chain, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD);
    ZC_REQUIRE(!zc_find_next(chain, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_WIN32),
        ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
    return query ? check_types(query->flags) : ZE_RESULT_SUCCESS;
}

ze_result_t zc_external_answer(void *chain, int fd)
{
    ze_external_memory_export_fd_t *query = find_query(chain);
    const ze_result_t checked = check_query(chain);
    ZC_PASS(checked);
    if (!query)
        return ZE_RESULT_SUCCESS;
    query->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    ZC_REQUIRE(query->fd >= 0, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zc_external_query(ze_context_handle_t context, const void *pointer, void *chain)
{
    struct zc_allocation allocation;
    ze_result_t result = check_query(chain);
    ZC_PASS(result);
    if (!find_query(chain))
        return ZE_RESULT_SUCCESS;
    result = zc_ipc_export(context, pointer, &allocation);
    ZC_REQUIRE(result != ZE_RESULT_ERROR_INVALID_ARGUMENT, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    ZC_PASS(result);
    return zc_external_answer(chain, allocation.fd);
}
