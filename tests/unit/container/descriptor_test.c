// SPDX-License-Identifier: MIT
//
// Images that a program carries in itself.

#include "base/alloc.h"
#include "base/bytes.h"
#include "container/descriptor.h"
#include "container/device_requirements.h"
#include "container/offload.h"
#include "container/zstd.h"
#include "descriptors.h"
#include "unit.h"

static mez_bundle *read_descriptor(const mez_dpcpp_descriptor *descriptor)
{
    mez_bundle *bundle;
    assert_ok(mez_bundle_from_descriptor(descriptor, &bundle));
    assert_int_equal(bundle->container, MEZ_CONTAINER_REGISTERED);
    assert_int_equal(bundle->count, descriptor->count);
    return bundle;
}

static void version_1_has_properties_and_old_entries(void **state)
{
    (void)state;
    mez_bundle *bundle = read_descriptor(&descriptor_1);
    const mez_binary *ir = &bundle->binaries[0], *native = &bundle->binaries[1];
    assert_int_equal(ir->format, MEZ_CODE_SPIRV);
    assert_int_equal(ir->code_size, 20);
    assert_string_equal(ir->target, "spir64");
    assert_string_equal(ir->compile_options, "-ze-opt-disable");
    assert_int_equal(ir->kernel_count, 2);
    assert_true(mez_binary_has_kernel(ir, "scale"));
    assert_int_equal(native->format, MEZ_CODE_NATIVE);
    assert_string_equal(native->link_options, "");
    assert_false(native->lists_kernels);
    assert_string_equal(native->source, "registered image 1");

    mez_device_requirements requirements;
    assert_ok(mez_device_requirements_read(&ir->properties, NULL, &requirements));
    assert_int_equal(requirements.aspect_count, 3);
    assert_true(mez_aspects_has(&requirements.aspect_set, MEZ_ASPECT_atomic64));
    assert_int_equal(requirements.sub_group_sizes[0], 16);
    mez_device_requirements_finish(&requirements);
    mez_bundle_destroy(&bundle);
}

static void unknown_types_and_empty_sets_are_kept(void **state)
{
    (void)state;
    mez_bundle *bundle = read_descriptor(&descriptor_1);
    const mez_properties *properties = &bundle->binaries[0].properties;
    assert_int_equal(properties->count, 4);
    assert_int_equal(mez_properties_find(properties, "SYCL/kernel param opt", "saxpy")->bits, 11);
    assert_non_null(mez_properties_find_set(properties, "SYCL/empty"));
    const mez_property *text = mez_properties_find(properties, "others", "text");
    assert_int_equal(text->type, MEZ_PROPERTY_STRING);
    assert_string_equal((const char *)text->bytes, "a string");
    const mez_property *unknown = mez_properties_find(properties, "others", "of tomorrow");
    assert_int_equal(unknown->type, 77);
    assert_memory_equal(unknown->bytes, "\1\2", 2);
    assert_int_equal(mez_properties_find(properties, "others", "nothing")->size, 0);
    mez_bundle_destroy(&bundle);
}

static void version_2_may_be_packed_and_have_new_entries(void **state)
{
    (void)state;
    mez_bytes packed = {0};
    assert_ok(mez_zstd_pack("\3\2\x23\7 and so on", 14, &packed));
    set_packed_image(packed.data, packed.size);
    mez_bundle *bundle = read_descriptor(&descriptor_2);
    mez_binary *binary = &bundle->binaries[0];
    assert_true(binary->packed);
    assert_int_equal(binary->kernel_count, 8);
    assert_true(mez_binary_has_kernel(binary, "packed_kernel"));
    assert_ok(mez_binary_unpack(bundle, binary));
    assert_int_equal(binary->format, MEZ_CODE_SPIRV);
    assert_int_equal(binary->code_size, 14);
    mez_bundle_destroy(&bundle);
    mez_bytes_finish(&packed);
    set_packed_image(NULL, 0);
}

static void version_3_has_no_manifest_and_names_in_a_set(void **state)
{
    (void)state;
    mez_bundle *bundle = read_descriptor(&descriptor_3);
    const mez_binary *ir = &bundle->binaries[0];
    assert_int_equal(ir->format, MEZ_CODE_SPIRV);
    assert_int_equal(ir->kernel_count, 2);
    assert_string_equal(ir->kernels[0], "from_names");
    assert_int_equal(bundle->binaries[1].format, MEZ_CODE_LLVM);
    assert_string_equal(bundle->binaries[1].target, "llvm_nvptx64");
    mez_bundle_destroy(&bundle);
}

static void wrong_structs_are_refused(void **state)
{
    (void)state;
    mez_bundle *bundle;
    mez_dpcpp_descriptor descriptor = {.version = 2};
    assert_story(mez_bundle_from_descriptor(&descriptor, &bundle), MEZ_ERRC_INVALID_IMAGE,
        "a descriptor of version 2");
    mez_dpcpp_image_3 image = {.image = {.version = 4}};
    descriptor = (mez_dpcpp_descriptor){.version = 1, .count = 1, .images = &image};
    assert_story(mez_bundle_from_descriptor(&descriptor, &bundle), MEZ_ERRC_INVALID_IMAGE,
        "registered image 0: an image of version 4");
    image.image.version = 3;
    image.contents.code_begin = (const uint8_t *)&image + 1;
    image.contents.code_end = (const uint8_t *)&image;
    assert_story(
        mez_bundle_from_descriptor(&descriptor, &bundle), MEZ_ERRC_INVALID_IMAGE, "code from");

    const mez_dpcpp_property property = {.name = "p", .value = "12345678", .type = 2, .size = 7};
    const mez_dpcpp_set set = {.name = "s", .begin = &property, .end = &property + 1};
    image.contents = (mez_dpcpp_contents){.sets_begin = &set, .sets_end = &set + 1};
    assert_story(mez_bundle_from_descriptor(&descriptor, &bundle), MEZ_ERRC_INVALID_IMAGE,
        "property \"p\" in \"s\" has no size");
    assert_null(bundle);
}

static void the_two_callers_are_distinguished(void **state)
{
    (void)state;
    const mez_offload_entry entry = {.image_kind = MEZ_OFFLOAD_SPIRV};
    mez_bytes bytes = {0};
    assert_ok(mez_offload_write(&entry, 1, NULL, &bytes));
    assert_int_equal(mez_registration_recognise(bytes.data), MEZ_REGISTRATION_OFFLOAD);
    assert_int_equal(mez_registration_recognise(&descriptor_1), MEZ_REGISTRATION_DESCRIPTOR);
    assert_int_equal(mez_registration_recognise("\2\0\0"), MEZ_REGISTRATION_UNKNOWN);

    const uintptr_t end = (uintptr_t)bytes.data + bytes.size;
    assert_int_equal(mez_offload_registered_size(bytes.data, bytes.size), bytes.size);
    assert_int_equal(mez_offload_registered_size(bytes.data, end), bytes.size);
    assert_int_equal(mez_offload_registered_size(bytes.data, end - 1), 0);
    assert_int_equal(mez_offload_registered_size(bytes.data, 0), 0);
    assert_int_equal(mez_offload_registered_size(bytes.data, (uintptr_t)bytes.data - 1), 0);
    mez_bytes_finish(&bytes);
}

static void short_memory_is_an_error_everywhere(void **state)
{
    (void)state;
    const mez_dpcpp_descriptor *const descriptors[] = {&descriptor_1, &descriptor_2, &descriptor_3};
    for (size_t i = 0; i < 3; i++) {
        for (uint64_t n = 1;; n++) {
            mez_bundle *bundle;
            mez_alloc_fail_at(n);
            const mez_error error = mez_bundle_from_descriptor(descriptors[i], &bundle);
            const bool failed_one = mez_alloc_fail_at(0) >= n;
            mez_bundle_destroy(&bundle);
            if (!failed_one) {
                assert_ok(error);
                break;
            }
            assert_condition(error, MEZ_ERRC_OUT_OF_HOST_MEMORY);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_1_has_properties_and_old_entries),
        cmocka_unit_test(unknown_types_and_empty_sets_are_kept),
        cmocka_unit_test(version_2_may_be_packed_and_have_new_entries),
        cmocka_unit_test(version_3_has_no_manifest_and_names_in_a_set),
        cmocka_unit_test(wrong_structs_are_refused),
        cmocka_unit_test(the_two_callers_are_distinguished),
        cmocka_unit_test(short_memory_is_an_error_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
