// SPDX-License-Identifier: MIT
//
// Several devices: what those of ZE_CPU_DEVICES are, and what each has.
//   test_devices            all of it but
//   test_devices compiled   what needs the engine
//   test_devices report     writes the last device's properties to the socket: seen through a mask, by another process
#include "devices.h"
#include "kernels.h"
#include "scripted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static char *program;

// ---- what they are ----

static uint32_t count_alike(uint32_t end, const char *persona)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < end; i++)
        count += !strcmp(all.personas[i], persona);
    return count;
}

static void test_names(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < all.count; i++) {
        char expected[ZE_MAX_DEVICE_NAME];
        const char *persona = all.personas[i];
        int length = snprintf(expected, sizeof expected, "ze-cpu (%s persona)", persona);
        if (count_alike(all.count, persona) > 1)
            snprintf(expected + length, sizeof expected - (size_t)length, " %u",
                count_alike(i, persona));
        assert_string_equal(all.properties[i].name, expected);
    }
}

static void test_identities(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < all.count; i++)
        for (uint32_t k = 0; k < i; k++) {
            assert_ptr_not_equal(all.devices[i], all.devices[k]);
            assert_memory_not_equal(
                &all.properties[i].uuid, &all.properties[k].uuid, sizeof(ze_device_uuid_t));
        }
}

// ---- in another process ----

static int report(void)
{
    char last[16];
    ze_device_handle_t device = NULL;
    uint32_t count = 2;
    read_expected();
    snprintf(last, sizeof last, "%u", all.count - 1);
    setenv("ZE_AFFINITY_MASK", last, 1);
    set_up(NULL);
    assert_ok(zeDeviceGet(fx.driver, &count, &device));
    assert_int_equal(count, 1);
    const ze_device_properties_t properties = properties_of(device);
    assert_int_equal(write(OTHERS_SOCKET, &properties, sizeof properties), sizeof properties);
    tear_down(NULL);
    return 0;
}

static void test_another_process_sees_the_same(void **state)
{
    (void)state;
    int sockets[2], status = -1;
    ze_device_properties_t theirs = {.pNext = NULL};
    const ze_device_properties_t *ours = &all.properties[all.count - 1];
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets), 0);
    const pid_t pid = start_other(program, "report", sockets[1]);
    close(sockets[1]);
    assert_int_equal(read(sockets[0], &theirs, sizeof theirs), sizeof theirs);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    close(sockets[0]);
    assert_memory_equal(&theirs.uuid, &ours->uuid, sizeof ours->uuid);
    assert_string_equal(theirs.name, ours->name);
    assert_int_equal(theirs.deviceId, ours->deviceId);
}

// ---- what each has ----

struct limits {
    const char *persona;
    uint32_t device_id, group_size, local_memory, queue_groups;
};

static const struct limits table[] = {
    {"host", 0, 1024, 65536, 1},
    {"skl", 0x1912, 256, 65536, 1},
    {"tgllp", 0x9a49, 512, 65536, 1},
    {"pvc", 0x0bd5, 1024, 131072, 3},
    {"bmg", 0xe202, 1024, 131072, 2},
};

static const struct limits *limits_of(uint32_t index)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].persona, all.personas[index]))
            return &table[i];
    fail_msg("no limits for %s", all.personas[index]);
    return NULL;
}

static void test_limits(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < all.count; i++) {
        const struct limits *limits = limits_of(i);
        ze_device_compute_properties_t compute = {
            .stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
        uint32_t groups = 0;
        assert_ok(zeDeviceGetComputeProperties(all.devices[i], &compute));
        assert_ok(zeDeviceGetCommandQueueGroupProperties(all.devices[i], &groups, NULL));
        assert_int_equal(all.properties[i].deviceId, limits->device_id);
        assert_int_equal(compute.maxTotalGroupSize, limits->group_size);
        assert_int_equal(compute.maxSharedLocalMemory, limits->local_memory);
        assert_int_equal(groups, limits->queue_groups);
    }
}

// A kernel has the limits of its module's device, a list the queue groups of its own.
static void test_limits_are_kept(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < all.count; i++) {
        const struct limits *limits = limits_of(i);
        ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
            .commandQueueGroupOrdinal = limits->queue_groups};
        ze_command_list_handle_t list = NULL;
        ze_module_handle_t module = NULL;
        fx.device = all.devices[i];
        assert_ok(scripted_build("kernel:increment", NULL, &module, NULL));
        ze_kernel_handle_t kernel = scripted_kernel(module, "increment");
        assert_ok(zeKernelSetGroupSize(kernel, limits->group_size, 1, 1));
        assert_result(zeKernelSetGroupSize(kernel, limits->group_size + 1, 1, 1),
            ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
        assert_result(zeCommandListCreate(fx.context, fx.device, &desc, &list),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
        desc.commandQueueGroupOrdinal--;
        assert_ok(zeCommandListCreate(fx.context, fx.device, &desc, &list));
        assert_ok(zeCommandListDestroy(list));
        assert_ok(zeKernelDestroy(kernel));
        assert_ok(zeModuleDestroy(module));
    }
}

static ze_device_memory_properties_t memory_of(ze_device_handle_t device)
{
    ze_device_memory_properties_t memory = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES};
    uint32_t one = 1;
    assert_ok(zeDeviceGetMemoryProperties(device, &one, &memory));
    assert_int_equal(one, 1);
    return memory;
}

// Together they promise no more than the machine has.
static void test_shares_of_memory(void **state)
{
    (void)state;
    const uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < all.count; i++) {
        const uint64_t size = memory_of(all.devices[i]).totalSize;
        const ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
        void *memory = NULL;
        assert_true(all.properties[i].maxMemAllocSize <= size);
        assert_result(zeMemAllocDevice(fx.context, &desc, size + 1, 0, all.devices[i], &memory),
            ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
        sum += size;
    }
    assert_true(sum <= machine && sum > machine - 4096);
}

static void test_memory_has_an_owner(void **state)
{
    (void)state;
    void *memory[MAX_DEVICES];
    for (uint32_t i = 0; i < all.count; i++)
        memory[i] = alloc_on(i, 64);
    for (uint32_t i = 0; i < all.count; i++) {
        ze_memory_allocation_properties_t properties = {
            .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
        ze_device_handle_t owner = NULL;
        assert_ok(zeMemGetAllocProperties(fx.context, memory[i], &properties, &owner));
        assert_ptr_equal(owner, all.devices[i]);
        free_memory(memory[i]);
    }
}

static void test_peers(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < all.count; i++)
        for (uint32_t k = 0; k < all.count; k++) {
            ze_bool_t access = 0;
            ze_device_p2p_properties_t p2p = {.stype = ZE_STRUCTURE_TYPE_DEVICE_P2P_PROPERTIES};
            assert_ok(zeDeviceCanAccessPeer(all.devices[i], all.devices[k], &access));
            assert_true(access);
            assert_ok(zeDeviceGetP2PProperties(all.devices[i], all.devices[k], &p2p));
            assert_int_equal(p2p.flags,
                ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS | ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS);
        }
}

// ---- with a compiler ----

static void test_modules_keep_to_their_device(void **state)
{
    (void)state;
    const struct file file = read_spirv("doubles");
    const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .format = ZE_MODULE_FORMAT_IL_SPIRV,
        .inputSize = file.size,
        .pInputModule = file.bytes};
    for (uint32_t i = 0; i < all.count; i++) {
        ze_module_handle_t module = NULL;
        const bool has_doubles = strcmp(all.personas[i], "tgllp") != 0;
        assert_result(zeModuleCreate(fx.context, all.devices[i], &desc, &module, NULL),
            has_doubles ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
        if (has_doubles)
            assert_ok(zeModuleDestroy(module));
    }
    free(file.bytes);
}

static int run_compiled(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modules_keep_to_their_device),
    };
    return cmocka_run_group_tests(tests, set_up_all, tear_down);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_identities),
        cmocka_unit_test(test_another_process_sees_the_same),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_limits_are_kept),
        cmocka_unit_test(test_shares_of_memory),
        cmocka_unit_test(test_memory_has_an_owner),
        cmocka_unit_test(test_peers),
    };
    program = argv[0];
    if (argc == 2 && !strcmp(argv[1], "report"))
        return report();
    if (argc == 2 && !strcmp(argv[1], "compiled"))
        return run_compiled();
    return cmocka_run_group_tests(tests, set_up_all, tear_down);
}
