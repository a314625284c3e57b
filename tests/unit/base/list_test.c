// SPDX-License-Identifier: MIT
//
// Lists whose items hold the links: order, and what leaves from the start, the middle and the end.

#include "unit.h"

#include "base/list.h"

typedef struct item {
    char name;
    struct item *next;
    struct item *next_of_other;
    MEZ_LINK(struct item) link;
} item;

static void expect(const item *list, const char *names)
{
    for (; list; list = list->next)
        assert_int_equal(list->name, *names++);
    assert_int_equal(*names, '\0');
}

static void test_the_last_pushed_is_first(void **state)
{
    (void)state;
    item a = {.name = 'a'}, b = {.name = 'b'}, *list = NULL, *taken;
    mez_list_push(&list, &a, next);
    mez_list_push(&list, &b, next);
    expect(list, "ba");
    assert_true(mez_list_pop(&list, taken, next));
    assert_ptr_equal(taken, &b);
    assert_true(mez_list_pop(&list, taken, next));
    assert_ptr_equal(taken, &a);
    assert_false(mez_list_pop(&list, taken, next));
    assert_null(taken);
    assert_null(list);
}

static void test_what_is_appended_is_last(void **state)
{
    (void)state;
    item a = {.name = 'a'}, b = {.name = 'b', .next = &a}, *list = NULL;
    mez_list_append(&list, &a, next);
    mez_list_append(&list, &b, next);
    expect(list, "ab");
}

static void test_the_first_in_is_the_first_out(void **state)
{
    (void)state;
    item a = {.name = 'a', .next = &a}, b = {.name = 'b', .next = &a};
    item *list = NULL, *last = NULL, *taken;
    assert_false(mez_fifo_pop(&list, &last, taken, next));
    assert_null(taken);
    mez_fifo_append(&list, &last, &a, next);
    mez_fifo_append(&list, &last, &b, next);
    expect(list, "ab");
    assert_ptr_equal(last, &b);
    assert_true(mez_fifo_pop(&list, &last, taken, next));
    assert_ptr_equal(taken, &a);
    assert_ptr_equal(last, &b);
    assert_true(mez_fifo_pop(&list, &last, taken, next));
    assert_ptr_equal(taken, &b);
    assert_null(last);
    mez_fifo_append(&list, &last, &a, next);
    expect(list, "a");
}

static void test_items_leave_from_anywhere(void **state)
{
    (void)state;
    item items[4], *list = NULL, stranger = {.name = 'x'};
    for (int i = 0; i < 4; i++) {
        items[i] = (item){.name = (char)('a' + i)};
        mez_list_append(&list, &items[i], next);
    }
    mez_list_remove(&list, &stranger, next);
    expect(list, "abcd");
    mez_list_remove(&list, &items[1], next);
    expect(list, "acd");
    mez_list_remove(&list, &items[3], next);
    expect(list, "ac");
    mez_list_remove(&list, &items[0], next);
    expect(list, "c");
    mez_list_remove(&list, &items[2], next);
    assert_null(list);
    mez_list_remove(&list, &items[2], next);
}

static void test_an_item_is_in_two_lists(void **state)
{
    (void)state;
    item a = {.name = 'a'}, b = {.name = 'b'}, *list = NULL, *other = NULL;
    mez_list_append(&list, &a, next);
    mez_list_append(&list, &b, next);
    mez_list_append(&other, &b, next_of_other);
    mez_list_append(&other, &a, next_of_other);
    mez_list_remove(&other, &b, next_of_other);
    expect(list, "ab");
    assert_ptr_equal(other, &a);
    assert_null(a.next_of_other);
}

static void expect_linked(const item *list, const char *names)
{
    for (const item *it = list; it; it = it->link.next) {
        assert_int_equal(it->name, *names++);
        assert_ptr_equal(*it->link.from, it);
    }
    assert_int_equal(*names, '\0');
}

static void test_linked_items_know_their_list(void **state)
{
    (void)state;
    item items[4], *list = NULL;
    for (int i = 0; i < 4; i++) {
        items[i] = (item){.name = (char)('a' + i)};
        mez_linked_push(&list, &items[i], link);
    }
    expect_linked(list, "dcba");
    mez_linked_remove(&items[1], link);
    expect_linked(list, "dca");
    mez_linked_remove(&items[3], link);
    expect_linked(list, "ca");
    mez_linked_remove(&items[0], link);
    expect_linked(list, "c");
    mez_linked_push(&list, &items[1], link);
    expect_linked(list, "bc");
    mez_linked_remove(&items[2], link);
    mez_linked_remove(&items[1], link);
    assert_null(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_last_pushed_is_first),
        cmocka_unit_test(test_what_is_appended_is_last),
        cmocka_unit_test(test_the_first_in_is_the_first_out),
        cmocka_unit_test(test_items_leave_from_anywhere),
        cmocka_unit_test(test_an_item_is_in_two_lists),
        cmocka_unit_test(test_linked_items_know_their_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
