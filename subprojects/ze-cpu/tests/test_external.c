// SPDX-License-Identifier: MIT
//
// Device memory shared by file descriptor.
#include "harness.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE 10000 // not a whole number of pages

static ze_result_t allocate(void *chain, size_t size, char **memory)
{
    const ze_device_mem_alloc_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, .pNext = chain};
    *memory = NULL;
    return zeMemAllocDevice(fx.context, &desc, size, 0, fx.device, (void **)memory);
}

static ze_result_t allocate_for_export(uint32_t types, char **memory)
{
    ze_external_memory_export_desc_t export = {
        .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC, .flags = types};
    return allocate(&export, SIZE, memory);
}

static ze_result_t import(uint32_t types, int fd, size_t size, char **memory)
{
    ze_external_memory_import_fd_t import = {
        .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD, .flags = types, .fd = fd};
    return allocate(&import, size, memory);
}

static ze_result_t query(const void *memory, uint32_t types, int *fd)
{
    ze_external_memory_export_fd_t export = {
        .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD, .flags = types, .fd = -1};
    ze_memory_allocation_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES, .pNext = &export};
    const ze_result_t result = zeMemGetAllocProperties(fx.context, memory, &properties, NULL);
    *fd = export.fd;
    return result;
}

static int export_memory(const void *memory)
{
    int fd = -1;
    assert_ok(query(memory, ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF, &fd));
    assert_true(fd >= 0);
    return fd;
}

static void fill(char *memory, char value)
{
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeCommandListAppendMemoryFill(list, memory, &value, 1, SIZE, NULL, 0, NULL));
    assert_ok(zeCommandListDestroy(list));
}

static void expect_bytes(const char *memory, char value)
{
    for (size_t i = 0; i < SIZE; i++)
        assert_int_equal(memory[i], value);
}

static void test_properties(void **state)
{
    (void)state;
    const uint32_t both =
        ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD | ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF;
    ze_device_external_memory_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES};
    assert_ok(zeDeviceGetExternalMemoryProperties(fx.device, &properties));
    assert_int_equal(properties.memoryAllocationImportTypes, both);
    assert_int_equal(properties.memoryAllocationExportTypes, both);
    assert_int_equal(properties.imageImportTypes, 0);
    assert_int_equal(properties.imageExportTypes, 0);
}

static void test_mapped_by_the_program(void **state)
{
    (void)state;
    char *memory;
    assert_ok(allocate_for_export(ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF, &memory));
    fill(memory, 3);
    const int fd = export_memory(memory);
    char *view = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(view != MAP_FAILED);
    close(fd);
    expect_bytes(view, 3);
    fill(memory, 4);
    expect_bytes(view, 4);
    memset(view, 5, SIZE);
    expect_bytes(memory, 5);
    free_memory(memory);
    expect_bytes(view, 5);
    munmap(view, SIZE);
}

// A chain of imports shows the same bytes, whoever is freed first.
static void test_imports(void **state)
{
    (void)state;
    enum { COUNT = 17 };
    char *memory[COUNT];
    const unsigned open_before = count_descriptors();
    assert_ok(allocate_for_export(ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, &memory[0]));
    for (size_t i = 1; i < COUNT; i++) {
        const int fd = export_memory(memory[i - 1]);
        assert_ok(import(ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, fd, SIZE, &memory[i]));
        close(fd);
    }
    for (size_t i = 0; i < COUNT; i++) {
        fill(memory[i], (char)i);
        expect_bytes(memory[COUNT - 1], (char)i);
        if (i < COUNT - 1)
            free_memory(memory[i]);
    }
    free_memory(memory[COUNT - 1]);
    assert_int_equal(count_descriptors(), open_before);
}

static void test_imported_memory(void **state)
{
    (void)state;
    char *memory, *imported;
    ze_ipc_mem_handle_t handle;
    void *base, *opened, *owner_base = NULL;
    size_t size;
    assert_ok(allocate_for_export(0, &memory));
    const int fd = export_memory(memory);
    assert_ok(import(0, fd, SIZE - 100, &imported));
    assert_ok(zeMemGetAddressRange(fx.context, imported + 9, &base, &size));
    assert_ptr_equal(base, imported);
    assert_int_equal(size, SIZE - 100);
    assert_ok(zeMemGetIpcHandle(fx.context, imported, &handle));
    assert_ok(zeMemOpenIpcHandle(fx.context, fx.device, handle, 0, &opened));
    memory[7] = 42;
    assert_int_equal(((char *)opened)[7], 42);
    assert_ok(zeMemGetAddressRange(fx.context, opened, &owner_base, NULL));
    assert_ok(zeMemCloseIpcHandle(fx.context, opened));
    free_memory(imported);
    free_memory(memory);
    close(fd);
}

static void test_a_file_of_the_program(void **state)
{
    (void)state;
    char *memory;
    const int fd = memfd_create("test", MFD_CLOEXEC);
    assert_int_equal(ftruncate(fd, SIZE), 0);
    assert_int_equal(pwrite(fd, "xyz", 3, SIZE - 3), 3);
    assert_ok(import(ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF, fd, SIZE, &memory));
    assert_memory_equal(memory + SIZE - 3, "xyz", 3);
    free_memory(memory);
    assert_result(import(ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF, fd, SIZE + 1, &memory),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    close(fd);
}

// Files lie where a page begins, and are as long as they are.
static void test_sizes_and_alignments(void **state)
{
    (void)state;
    char *memory;
    void *base;
    size_t size;
    const int fd = memfd_create("test", MFD_CLOEXEC);
    assert_int_equal(ftruncate(fd, SIZE), 0);
    ze_external_memory_import_fd_t import = {
        .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD, .fd = fd};
    const ze_device_mem_alloc_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, .pNext = &import};
    assert_ok(zeMemAllocDevice(fx.context, &desc, SIZE, 4096, fx.device, (void **)&memory));
    free_memory(memory);
    assert_result(zeMemAllocDevice(fx.context, &desc, SIZE, 1 << 21, fx.device, (void **)&memory),
        ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
    if (!is_validated()) {
        assert_ok(zeMemAllocDevice(fx.context, &desc, 0, 0, fx.device, (void **)&memory));
        assert_ok(zeMemGetAddressRange(fx.context, memory, &base, &size));
        assert_int_equal(size, SIZE);
        free_memory(memory);
    }
    close(fd);
}

static void test_refusals(void **state)
{
    (void)state;
    char *memory, *shared = alloc_shared(SIZE), *host = alloc_host(SIZE);
    int fd = 0, pipes[2];
    assert_int_equal(pipe(pipes), 0);
    assert_result(import(0, -7, SIZE, &memory), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(import(0, 1000000, SIZE, &memory), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(import(0, pipes[0], SIZE, &memory), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(import(ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_WIN32, pipes[0], SIZE, &memory),
        ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
    assert_result(allocate_for_export(ZE_EXTERNAL_MEMORY_TYPE_FLAG_D3D11_TEXTURE, &memory),
        ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
    assert_result(query(shared, 0, &fd), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    assert_result(query(host, 0, &fd), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    assert_ok(query(&memory, 0, &fd)); // no memory of ours: of unknown type, which is no error
    assert_int_equal(fd, -1);
    ze_external_memory_export_desc_t export = {
        .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC};
    const ze_host_mem_alloc_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, .pNext = &export};
    assert_result(zeMemAllocHost(fx.context, &desc, SIZE, 0, (void **)&memory),
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    close(pipes[0]);
    close(pipes[1]);
    free_memory(shared);
    free_memory(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_properties),
        cmocka_unit_test(test_mapped_by_the_program),
        cmocka_unit_test(test_imports),
        cmocka_unit_test(test_imported_memory),
        cmocka_unit_test(test_a_file_of_the_program),
        cmocka_unit_test(test_sizes_and_alignments),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
