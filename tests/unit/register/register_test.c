// SPDX-License-Identifier: MIT
//
// A program that registers its images before main, as compilers make them do, and asks for them.

#include <mezzanine/register.h>

#include <pthread.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "container/offload.h"
#include "descriptors.h"
#include "unit.h"

// As each compiler declares it; the argument that one of them leaves out is whatever a register has.
void __sycl_register_lib(const void *start, uintptr_t size_or_end);
void __sycl_unregister_lib(const void *start, uintptr_t size_or_end);

static size_t registered_before_main;

__attribute__((constructor(101))) static void register_images(void)
{
    __sycl_register_lib(&descriptor_1, 0x1234);
    __sycl_register_lib(&descriptor_2, UINTPTR_MAX);
    __sycl_register_lib(&descriptor_3, 0);
    registered_before_main = mez_registered_list(NULL, 0);
}

__attribute__((destructor(101))) static void unregister_images(void)
{
    __sycl_unregister_lib(&descriptor_3, 0);
    __sycl_unregister_lib(&descriptor_2, 0);
    __sycl_unregister_lib(&descriptor_1, 0);
}

static void constructors_register_before_main(void **state)
{
    (void)state;
    assert_int_equal(registered_before_main, 3);
    mez_registered records[2];
    assert_int_equal(mez_registered_list(records, 2), 3);
    assert_int_equal(records[0].form, MEZ_REGISTERED_DESCRIPTOR);
    assert_ptr_equal(records[0].start, &descriptor_1);
    assert_int_equal(records[0].size, 0);
    assert_ptr_equal(records[1].start, &descriptor_2);
    assert_true(records[0].number < records[1].number);
}

static void expect_found(const char *kernel, const void *start)
{
    mez_registered record;
    assert_true(mez_registered_find(kernel, &record));
    assert_ptr_equal(record.start, start);
}

static void kernels_are_found_by_name_in_every_version(void **state)
{
    (void)state;
    expect_found("scale", &descriptor_1);
    expect_found("packed_kernel", &descriptor_2);
    expect_found("from_names", &descriptor_3);
    mez_registered record;
    assert_false(mez_registered_find("nobody's", &record));
}

static mez_bytes make_offload(const char *kernel)
{
    mez_offload_string symbols = {"symbols", kernel, strlen(kernel)};
    const mez_offload_entry entry = {
        .image_kind = MEZ_OFFLOAD_SPIRV,
        .offload_kind = MEZ_OFFLOAD_SYCL,
        .strings = &symbols,
        .string_count = 1,
        .image = (const uint8_t *)"\3\2\x23\7",
        .image_size = 4,
    };
    mez_bytes bytes = {0};
    assert_ok(mez_offload_write(&entry, 1, NULL, &bytes));
    return bytes;
}

static void offload_binaries_come_through_the_same_function(void **state)
{
    (void)state;
    mez_bytes by_size = make_offload("by_size"), by_end = make_offload("by_end");
    const uintptr_t end = (uintptr_t)by_end.data + by_end.size;
    __sycl_register_lib(by_size.data, by_size.size);
    __sycl_register_lib(by_end.data, end);
    mez_registered record;
    assert_true(mez_registered_find("by_end", &record));
    assert_int_equal(record.form, MEZ_REGISTERED_OFFLOAD);
    assert_int_equal(record.size, by_end.size);
    expect_found("by_size", by_size.data);

    __sycl_unregister_lib(by_size.data, by_size.size);
    assert_false(mez_registered_find("by_size", &record));
    expect_found("by_end", by_end.data);
    __sycl_unregister_lib(by_end.data, end);
    assert_int_equal(mez_registered_list(NULL, 0), 3);
    mez_bytes_finish(&by_size);
    mez_bytes_finish(&by_end);
}

static void what_is_neither_is_left_alone(void **state)
{
    (void)state;
    static const uint16_t unknown[16] = {2};
    __sycl_register_lib(NULL, 0);
    __sycl_register_lib(unknown, 0);
    __sycl_unregister_lib(unknown, 0);
    assert_int_equal(mez_registered_list(NULL, 0), 3);
}

enum { THREADS = 4, ROUNDS = 500 };

static void *come_and_go(void *unused)
{
    (void)unused;
    mez_bytes bytes = make_offload("of_a_thread");
    for (int i = 0; i < ROUNDS; i++) {
        mez_registered record;
        __sycl_register_lib(bytes.data, bytes.size);
        if (!mez_registered_find("of_a_thread", &record) || !mez_registered_find("saxpy", &record))
            abort();
        __sycl_unregister_lib(bytes.data, bytes.size);
    }
    mez_bytes_finish(&bytes);
    return NULL;
}

static void many_threads_come_and_go(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(mez_registered_list(NULL, 0), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constructors_register_before_main),
        cmocka_unit_test(kernels_are_found_by_name_in_every_version),
        cmocka_unit_test(offload_binaries_come_through_the_same_function),
        cmocka_unit_test(what_is_neither_is_left_alone),
        cmocka_unit_test(many_threads_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
