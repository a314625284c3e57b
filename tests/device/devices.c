// SPDX-License-Identifier: MIT
//
// Several devices, and devices with parts, in one context.

#include "harness.h"

enum { COUNT = 5000, BYTES = COUNT * sizeof(int32_t) };

static void tree_is_consistent(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < mez_context_get_device_count(mez_test_context()); i++) {
        mez_device *root = mez_context_get_device(mez_test_context(), i);
        assert_null(mez_device_get_parent(root));
        for (uint32_t j = 0; j < mez_device_get_sub_device_count(root); j++) {
            mez_device *part = mez_device_get_sub_device(root, j);
            assert_ptr_equal(mez_device_get_parent(part), root);
            assert_true(mez_device_get_info(part)->is_sub_device);
            assert_int_equal(mez_device_get_info(part)->sub_device_number, j);
            assert_uint_in_range(mez_device_get_info(part)->compute_units, 1,
                mez_device_get_info(root)->compute_units);
        }
    }
}

// What it says of itself agrees with what is known from elsewhere.
static void check_details(mez_device *device)
{
    const mez_device_details *details;
    const mez_device_info *info = mez_device_get_info(device);
    uint64_t size = 0;
    uint32_t computing = 0;
    mez_test_ok(mez_device_get_details(device, &details));
    for (uint32_t i = 0; i < details->memory_count; i++)
        size += details->memories[i]->size;
    assert_int_equal(size, info->memory_size);
    for (uint32_t i = 0; i < details->queue_group_count; i++)
        computing += details->queue_groups[i]->computes;
    assert_in_range(computing, 1, details->queue_group_count);
    assert_true(details->cache_count > 0);
    for (uint32_t i = 0; i < details->aspect_count; i++)
        assert_true(mez_device_has_aspect(device, details->aspects[i]));
    assert_true(details->aspect_count > 5);
    print_message("%u MHz, %u caches, %u queue groups, %u aspects, PCI %s\n", details->core_clock,
        details->cache_count, details->queue_group_count, details->aspect_count,
        details->has_pci_address ? "yes" : "no");
}

static void devices_are_distinguished(void **state)
{
    (void)state;
    static const uint8_t none[16];
    const mez_device_details *details[16];
    const uint32_t count = mez_context_get_device_count(mez_test_context());
    for (uint32_t i = 0; i < count && i < 16; i++) {
        mez_device *device = mez_context_get_device(mez_test_context(), i);
        check_details(device);
        for (uint32_t j = 0; j < mez_device_get_sub_device_count(device); j++)
            check_details(mez_device_get_sub_device(device, j));
        mez_test_ok(mez_device_get_details(device, &details[i]));
        assert_true(memcmp(details[i]->uuid, none, sizeof none) != 0);
        for (uint32_t j = 0; j < i; j++)
            assert_true(memcmp(details[i]->uuid, details[j]->uuid, sizeof none) != 0);
    }
}

static int32_t *on_device(mez_device *device)
{
    mez_error error;
    int32_t *memory =
        mez_alloc(mez_test_context(), &(mez_memory_params){.device = device}, BYTES, &error);
    mez_test_ok(error);
    return memory;
}

static mez_queue *queue_on(mez_device *device)
{
    mez_queue *queue;
    mez_test_ok(
        mez_queue_create(mez_test_context(), &(mez_queue_params){.device = device}, &queue));
    return queue;
}

static void check_multiples(const int32_t *values, int32_t factor)
{
    for (int32_t i = 0; i < COUNT && mez_test_has("results"); i++)
        assert_int_equal(values[i], i * factor);
}

// One device computes, its result is copied into the other's memory, which computes on.
static void pass_on(mez_device *from, mez_device *to)
{
    mez_kernel *kernel = mez_test_kernel("devices", "add_multiples");
    mez_queue *first = queue_on(from), *second = queue_on(to);
    int32_t *there = on_device(from), *here = on_device(to);
    int32_t *values = mez_test_alloc(MEZ_MEMORY_HOST, BYTES);
    const int32_t zero = 0, two = 2, three = 3;
    mez_event *computed;
    mez_test_ok(mez_fill(first, there, &zero, sizeof zero, BYTES, NULL));
    mez_test_ok(mez_submit(first, kernel, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_VAL(two), MEZ_PTR(there), MEZ_PTR(there)), MEZ_TASK(.event = &computed)));
    mez_test_ok(
        mez_copy(second, here, there, BYTES, MEZ_TASK(.wait_for = &computed, .wait_count = 1)));
    mez_test_ok(mez_submit(second, kernel, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_VAL(three), MEZ_PTR(here), MEZ_PTR(here)), NULL));
    mez_test_ok(mez_copy(second, values, here, BYTES, NULL));
    mez_test_ok(mez_queue_wait(second));
    check_multiples(values, 5);
    mez_event_destroy(&computed);
    mez_queue_destroy(&second);
    mez_queue_destroy(&first);
    mez_test_free(values);
    mez_test_free(here);
    mez_test_free(there);
    mez_kernel_destroy(&kernel);
}

static void one_device_to_itself(void **state)
{
    (void)state;
    pass_on(mez_test_device(), mez_test_device());
}

static void between_devices(void **state)
{
    (void)state;
    mez_test_needs("devices");
    pass_on(mez_context_get_device(mez_test_context(), 0),
        mez_context_get_device(mez_test_context(), 1));
    pass_on(mez_context_get_device(mez_test_context(), 1),
        mez_context_get_device(mez_test_context(), 0));
}

static void between_parts(void **state)
{
    (void)state;
    mez_test_needs("sub_devices");
    mez_device *one = mez_device_get_sub_device(mez_test_device(), 0);
    mez_device *other = mez_device_get_sub_device(mez_test_device(), 1);
    pass_on(one, other);
    pass_on(other, one);
}

static void between_a_device_and_its_part(void **state)
{
    (void)state;
    mez_test_needs("sub_devices");
    mez_device *part = mez_device_get_sub_device(mez_test_device(), 1);
    pass_on(mez_test_device(), part);
    pass_on(part, mez_test_device());
}

static void memory_of_a_part_is_known(void **state)
{
    (void)state;
    mez_test_needs("sub_devices");
    mez_device *part = mez_device_get_sub_device(mez_test_device(), 1);
    int32_t *memory = on_device(part);
    mez_memory_info info;
    mez_test_ok(mez_memory_get_info(mez_test_context(), memory + 1, &info));
    assert_ptr_equal(info.device, part);
    assert_ptr_equal(info.base, memory);
    mez_test_free(memory);
}

// Unless the environment says so, nothing of the above is tested for real.
static void environment_is_obeyed(void **state)
{
    (void)state;
    const char *devices = getenv("ZE_CPU_DEVICES"), *parts = getenv("ZE_CPU_SUB_DEVICES"),
               *hierarchy = getenv("ZE_FLAT_DEVICE_HIERARCHY");
    if (!devices && !parts)
        return;
    const uint32_t device_count = devices ? (uint32_t)atoi(devices) : 1;
    const uint32_t part_count = parts ? (uint32_t)atoi(parts) : 0;
    const bool flat = part_count && hierarchy && strcmp(hierarchy, "FLAT") == 0;
    assert_int_equal(mez_context_get_device_count(mez_test_context()),
        flat ? device_count * part_count : device_count);
    assert_int_equal(mez_device_get_sub_device_count(mez_test_device()), flat ? 0 : part_count);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(tree_is_consistent),
        MEZ_DEVICE_TEST(devices_are_distinguished),
        MEZ_DEVICE_TEST(one_device_to_itself),
        MEZ_DEVICE_TEST(between_devices),
        MEZ_DEVICE_TEST(between_parts),
        MEZ_DEVICE_TEST(between_a_device_and_its_part),
        MEZ_DEVICE_TEST(memory_of_a_part_is_known),
        MEZ_DEVICE_TEST(environment_is_obeyed),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
