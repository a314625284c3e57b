// SPDX-License-Identifier: MIT
//
// Arrays that grow: how, what moves, and what happens when memory runs out.

#include "unit.h"

#include <stdio.h>

#include "base/vector.h"

typedef MEZ_VECTOR(uint32_t) numbers;

typedef struct pair {
    int key, value;
} pair;

typedef struct pair_of_name {
    const char *name;
    int value;
} pair_of_name;

static void test_vectors_double(void **state)
{
    (void)state;
    numbers vector = {0};
    uint32_t moves = 0;
    for (uint32_t i = 0; i < 2000; i++) {
        const size_t before = vector.capacity;
        assert_true(mez_vector_push(&vector, i));
        assert_int_equal(vector.count, i + 1);
        assert_true(vector.capacity >= vector.count);
        assert_true(vector.capacity == before || before == 0 || vector.capacity == 2 * before);
        moves += vector.capacity != before;
    }
    for (uint32_t i = 0; i < 2000; i++)
        assert_int_equal(vector.items[i], i);
    assert_uint_in_range(moves, 1, 12);
    mez_vector_finish(&vector);
    assert_null(vector.items);
    assert_int_equal(vector.count, 0);
    assert_int_equal(vector.capacity, 0);
}

static void test_room_is_made_before_it_is_used(void **state)
{
    (void)state;
    numbers vector = {0};
    assert_true(mez_vector_reserve(&vector));
    assert_int_equal(vector.count, 0);
    assert_true(vector.capacity > 0);
    vector.items[vector.count++] = 7;
    const uint32_t *place = vector.items;
    while (vector.count < vector.capacity)
        assert_true(mez_vector_push(&vector, 1));
    assert_ptr_equal(vector.items, place);
    mez_vector_finish(&vector);
}

static void test_items_move_for_others(void **state)
{
    (void)state;
    MEZ_VECTOR(pair) vector = {0};
    for (int i = 1; i <= 9; i++)
        assert_true(mez_vector_insert(&vector, 0, (pair){.key = i, .value = -i}));
    assert_true(mez_vector_insert(&vector, 4, (pair){.key = 20}));
    assert_true(mez_vector_insert(&vector, vector.count, (pair){.key = 30}));
    mez_vector_remove(&vector, 0);
    mez_vector_remove(&vector, 9);
    const int expected[] = {8, 7, 6, 20, 5, 4, 3, 2, 1};
    assert_int_equal(vector.count, 9);
    for (size_t i = 0; i < vector.count; i++)
        assert_int_equal(vector.items[i].key, expected[i]);
    assert_int_equal(vector.items[8].value, -1);
    mez_vector_finish(&vector);
}

static void test_what_can_not_be_counted_is_refused(void **state)
{
    (void)state;
    MEZ_VECTOR(uint64_t) words = {.count = SIZE_MAX / 4, .capacity = SIZE_MAX / 4};
    assert_false(mez_vector_reserve(&words)); // the bytes do not fit into a size_t
    words.count = words.capacity = SIZE_MAX;
    assert_false(mez_vector_reserve(&words));
    assert_null(words.items);
    assert_true(words.capacity == SIZE_MAX);
}

static void test_without_memory_a_vector_stays(void **state)
{
    (void)state;
    numbers vector = {0};
    for (uint32_t i = 0; i < 8; i++)
        assert_true(mez_vector_push(&vector, i));
    mez_alloc_fail_at(1);
    assert_false(mez_vector_push(&vector, 8));
    mez_alloc_fail_at(1);
    assert_false(mez_vector_insert(&vector, 3, 8));
    mez_alloc_fail_at(0);
    assert_int_equal(vector.count, 8);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(vector.items[i], i);
    mez_vector_finish(&vector);
}

static void test_names_are_found_again(void **state)
{
    (void)state;
    enum { MANY = 100 };
    static char names[MANY][8];
    MEZ_NAMED(pair_of_name) vector = {0};
    for (int i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "name%d", i);
        assert_int_equal(mez_named_find(&vector, names[i], strlen(names[i])), MEZ_NAME_NOT_FOUND);
        assert_true(mez_named_push(&vector, (pair_of_name){names[i], i}));
    }
    mez_named_remove(&vector, 50); // those behind it have other places now
    assert_true(mez_named_push(&vector, (pair_of_name){"last", -1}));
    assert_int_equal(mez_named_find(&vector, "name50", 6), MEZ_NAME_NOT_FOUND);
    assert_int_equal(mez_named_find(&vector, "name99", 6), 98);
    assert_int_equal(mez_named_find(&vector, "name4", 5), 4);
    assert_int_equal(vector.items[mez_named_find(&vector, "last of all", 4)].value, -1);
    mez_named_finish(&vector);
    assert_int_equal(vector.count, 0);
    assert_int_equal(mez_named_find(&vector, "name4", 5), MEZ_NAME_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors_double),
        cmocka_unit_test(test_room_is_made_before_it_is_used),
        cmocka_unit_test(test_items_move_for_others),
        cmocka_unit_test(test_what_can_not_be_counted_is_refused),
        cmocka_unit_test(test_without_memory_a_vector_stays),
        cmocka_unit_test(test_names_are_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
