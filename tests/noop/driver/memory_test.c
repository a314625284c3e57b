// SPDX-License-Identifier: MIT
//
// Allocations, copies that really happen, what is free, and handles for other processes.

#include "fixture.h"

#include <fcntl.h>
#include <unistd.h>

static void test_knows_allocations(void **state)
{
    const struct fixture *f = *state;
    const ze_device_mem_alloc_desc_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *memory = NULL;
    assert_ok(ze.zeMemAllocShared(f->context, &device, &host, 100, 4096, f->device, &memory));
    assert_int_equal((uintptr_t)memory % 4096, 0);
    assert_int_equal(noop_live(NOOP_MEMORY), 1);

    ze_memory_allocation_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
    ze_device_handle_t owner = NULL;
    assert_ok(ze.zeMemGetAllocProperties(f->context, (char *)memory + 99, &properties, &owner));
    assert_int_equal(properties.type, ZE_MEMORY_TYPE_SHARED);
    assert_ptr_equal(owner, f->device);
    assert_ok(ze.zeMemGetAllocProperties(f->context, &properties, &properties, NULL));
    assert_int_equal(properties.type, ZE_MEMORY_TYPE_UNKNOWN);

    void *base = NULL;
    size_t size = 0;
    assert_ok(ze.zeMemGetAddressRange(f->context, (char *)memory + 50, &base, &size));
    assert_ptr_equal(base, memory);
    assert_int_equal(size, 100);
    assert_int_equal(
        ze.zeMemFree(f->context, (char *)memory + 1), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(ze.zeMemFree(f->context, memory));
    assert_int_equal(noop_live(NOOP_MEMORY), 0);
}

static void test_copies_if_asked(void **state)
{
    const struct fixture *f = *state;
    ze_command_list_handle_t immediate = create_immediate_list(f), list = create_list(f);
    ze_command_queue_handle_t queue = create_queue(f);
    char from[8] = "seven", to[8] = "";
    assert_ok(ze.zeCommandListAppendMemoryCopy(immediate, to, from, 8, NULL, 0, NULL));
    assert_string_equal(to, "");

    struct noop_config config = noop_config_default();
    config.execute_copies = true;
    noop_configure(&config);
    assert_ok(ze.zeCommandListAppendMemoryCopy(immediate, to, from, 8, NULL, 0, NULL));
    assert_string_equal(to, "seven");
    assert_ok(ze.zeCommandListAppendMemoryFill(list, to, "ab", 2, 5, NULL, 0, NULL));
    assert_ok(ze.zeCommandListClose(list));
    assert_string_equal(to, "seven");
    assert_ok(ze.zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    assert_string_equal(to, "ababa");
    assert_ok(ze.zeCommandListDestroy(list));
    assert_ok(ze.zeCommandListDestroy(immediate));
    assert_ok(ze.zeCommandQueueDestroy(queue));
}

// --- What is free

static void configure_modules(uint32_t modules, const char *const *extensions)
{
    struct noop_config config = noop_config_default();
    config.memory_modules = modules;
    config.sub_devices = 1;
    config.free_memory = 6000;
    config.memory_size = 8000;
    config.extensions = extensions;
    noop_configure(&config);
}

static void test_modules_share_the_memory(void **state)
{
    const struct fixture *f = *state;
    const zes_device_handle_t device = (zes_device_handle_t)f->device;
    zes_mem_handle_t modules[4];
    uint32_t count = 0;
    configure_modules(2, NULL);
    assert_ok(ze.zesDeviceEnumMemoryModules(device, &count, NULL));
    assert_int_equal(count, 2);
    count = 4;
    assert_ok(ze.zesDeviceEnumMemoryModules(device, &count, modules));
    assert_int_equal(count, 2);
    for (uint32_t i = 0; i < count; i++) {
        zes_mem_properties_t properties = {.stype = ZES_STRUCTURE_TYPE_MEM_PROPERTIES};
        zes_mem_state_t now = {.stype = ZES_STRUCTURE_TYPE_MEM_STATE};
        assert_ok(ze.zesMemoryGetProperties(modules[i], &properties));
        assert_int_equal(properties.onSubdevice, i == 0); // there is one sub-device
        assert_ok(ze.zesMemoryGetState(modules[i], &now));
        assert_int_equal(now.size, 4000);
        assert_int_equal(now.free, 3000);
    }
}

static uint64_t usable_memory(const struct fixture *f)
{
    struct {
        ze_structure_type_t stype;
        void *next;
        uint64_t bytes;
    } usable = {.stype = (ze_structure_type_t)0x00020041};
    ze_device_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES, .pNext = &usable};
    assert_ok(ze.zeDeviceGetProperties(f->device, &properties));
    return usable.bytes;
}

static void test_reports_usable_memory_where_listed(void **state)
{
    static const char *const extensions[] = {"ZE_extension_device_usablemem_size_properties", NULL};
    configure_modules(1, NULL);
    assert_int_equal(usable_memory(*state), 0);
    configure_modules(1, extensions);
    assert_int_equal(usable_memory(*state), 6000);
}

// --- Memory shared between processes

static void *allocate(const struct fixture *f)
{
    const ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    void *memory = NULL;
    assert_ok(ze.zeMemAllocDevice(f->context, &desc, 5000, 0, f->device, &memory));
    return memory;
}

static int descriptor_of(const ze_ipc_mem_handle_t *handle)
{
    int fd;
    memcpy(&fd, handle->data, sizeof fd);
    return fd;
}

static bool is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

static void test_handles_have_one_descriptor(void **state)
{
    const struct fixture *f = *state;
    void *memory = allocate(f);
    ze_ipc_mem_handle_t handle, again;
    assert_ok(ze.zeMemGetIpcHandle(f->context, memory, &handle));
    assert_ok(ze.zeMemGetIpcHandle(f->context, memory, &again));
    const int fd = descriptor_of(&handle);
    assert_int_equal(descriptor_of(&again), fd);
    assert_true(is_open(fd));
    assert_ok(ze.zeMemFree(f->context, memory));
    assert_false(is_open(fd));
}

static void test_descriptors_as_configured(void **state)
{
    const struct fixture *f = *state;
    ze_ipc_mem_handle_t handle;
    struct noop_config config = noop_config_default();
    config.ipc_leaves_descriptor = true;
    noop_configure(&config);
    void *memory = allocate(f);
    assert_ok(ze.zeMemGetIpcHandle(f->context, memory, &handle));
    assert_ok(ze.zeMemFree(f->context, memory));
    assert_int_equal(close(descriptor_of(&handle)), 0); // was ours to close
    config.ipc_without_descriptor = true;
    noop_configure(&config);
    memory = allocate(f);
    assert_ok(ze.zeMemGetIpcHandle(f->context, memory, &handle));
    assert_int_equal(descriptor_of(&handle), -1);
    assert_ok(ze.zeMemFree(f->context, memory));
}

static void test_opens_handles(void **state)
{
    const struct fixture *f = *state;
    void *memory = allocate(f), *opened = NULL;
    ze_ipc_mem_handle_t handle, wrong = {{0}};
    assert_ok(ze.zeMemGetIpcHandle(f->context, memory, &handle));
    assert_int_equal(ze.zeMemOpenIpcHandle(f->context, f->device, wrong, 0, &opened),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(ze.zeMemOpenIpcHandle(f->context, f->device, handle, 0, &opened));
    assert_int_equal(noop_live(NOOP_MEMORY), 2);
    assert_int_equal(ze.zeMemFree(f->context, opened), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(ze.zeMemCloseIpcHandle(f->context, memory), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(ze.zeMemCloseIpcHandle(f->context, opened));
    assert_ok(ze.zeMemFree(f->context, memory));
    assert_int_equal(noop_live(NOOP_MEMORY), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(knows_allocations),
        TEST(copies_if_asked),
        TEST(modules_share_the_memory),
        TEST(reports_usable_memory_where_listed),
        TEST(handles_have_one_descriptor),
        TEST(descriptors_as_configured),
        TEST(opens_handles),
    };
    return cmocka_run_group_tests(tests, create_fixture, destroy_fixture);
}
