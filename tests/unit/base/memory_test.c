// SPDX-License-Identifier: MIT
//
// Host memory, and the texts that live in it.

#include "unit.h"

#include "base/alloc.h"
#include "base/text.h"

static void test_products_that_overflow_fail(void **state)
{
    (void)state;
    assert_null(mez_alloc_array(SIZE_MAX / 2, 3));
    assert_null(mez_realloc_array(NULL, SIZE_MAX / 2, 3));
    int *numbers = mez_alloc_array(4, sizeof *numbers);
    numbers[3] = 7;
    assert_null(mez_realloc_array(numbers, SIZE_MAX / 2, 3));
    assert_int_equal(numbers[3], 7);
    mez_free_memory(numbers);
}

static void test_new_memory_is_zero(void **state)
{
    (void)state;
    const unsigned char zero[512] = {0};
    unsigned char *bytes = mez_alloc_array(sizeof zero, 1);
    assert_memory_equal(bytes, zero, sizeof zero);
    mez_free_memory(bytes);
}

static void test_empty_arrays_are_no_failure(void **state)
{
    (void)state;
    void *memory = mez_realloc_array(NULL, 0, 8);
    assert_non_null(memory);
    mez_free_memory(memory);
    mez_free_memory(NULL);
}

static void test_strings_are_copied(void **state)
{
    (void)state;
    const char text[] = "text";
    char *copy = mez_copy_string(text);
    assert_string_equal(copy, text);
    assert_ptr_not_equal(copy, text);
    mez_free_memory(copy);
    assert_null(mez_copy_string(NULL));
}

static void test_the_nth_allocation_fails(void **state)
{
    (void)state;
    mez_alloc_fail_at(3);
    void *first = mez_alloc_array(1, 1);
    char *second = mez_copy_string("x");
    assert_non_null(first);
    assert_non_null(second);
    assert_null(mez_realloc_array(first, 2, 1)); // the old block stays
    void *fourth = mez_alloc_array(1, 1);
    assert_non_null(fourth);
    assert_int_equal(mez_alloc_fail_at(0), 4);
    assert_int_equal(mez_alloc_fail_at(0), 0);
    mez_free_memory(first);
    mez_free_memory(second);
    mez_free_memory(fourth);
}

static void test_texts_grow(void **state)
{
    (void)state;
    mez_text text = {0};
    assert_string_equal(mez_text_get(&text), "");
    for (int i = 0; i < 1000; i++)
        mez_text_add(&text, "%d,", i % 10);
    assert_int_equal(text.length, 2000);
    assert_int_equal(strlen(mez_text_get(&text)), 2000);
    assert_memory_equal(mez_text_get(&text) + 1990, "5,6,7,8,9,", 10);
    mez_text_finish(&text);
    assert_string_equal(mez_text_get(&text), "");
    mez_text_finish(&text);
}

static void test_texts_keep_what_they_have(void **state)
{
    (void)state;
    mez_text text = {0};
    mez_text_add(&text, "short");
    mez_alloc_fail_at(1);
    mez_text_add(&text, "%200d", 1);
    mez_alloc_fail_at(0);
    assert_string_equal(mez_text_get(&text), "short");
    mez_text_add(&text, "%s", "");
    mez_text_add(&text, " and more");
    assert_string_equal(mez_text_get(&text), "short and more");
    mez_text_finish(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products_that_overflow_fail),
        cmocka_unit_test(test_new_memory_is_zero),
        cmocka_unit_test(test_empty_arrays_are_no_failure),
        cmocka_unit_test(test_strings_are_copied),
        cmocka_unit_test(test_the_nth_allocation_fails),
        cmocka_unit_test(test_texts_grow),
        cmocka_unit_test(test_texts_keep_what_they_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
