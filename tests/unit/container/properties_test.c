// SPDX-License-Identifier: MIT
//
// Property sets, and their text form.

#include "base/alloc.h"
#include "container/properties.h"
#include "same.h"
#include "unit.h"

static mez_error read_text(const char *text, mez_properties *properties)
{
    return mez_prop_read(text, strlen(text), "a.prop", properties);
}

// The text of what was read, to be freed with mez_bytes_finish.
static void assert_writes(const mez_properties *properties, const char *expected)
{
    mez_bytes bytes = {0};
    assert_ok(mez_prop_write(properties, &bytes));
    mez_bytes_add(&bytes, "", 1);
    assert_string_equal((const char *)bytes.data, expected);
    mez_bytes_finish(&bytes);
}

static void expect_refused(const char *text, const char *words)
{
    mez_properties properties = {0};
    assert_story(read_text(text, &properties), MEZ_ERRC_INVALID_IMAGE, words);
    mez_properties_finish(&properties);
}

// --- Reading and writing

static void a_property_file_reads_and_writes_the_same(void **state)
{
    (void)state;
    static const char text[] = "[SYCL/device requirements]\n"
                               "aspects=2|gBAAAAAAAAAAAAAAJAAAAwAAAAA\n"
                               "reqd_sub_group_size=1|32\n"
                               "[SYCL/misc properties]\n"
                               "[nobody [knows] this]\n"
                               "z=1|4294967295\n"
                               " a b =9|what|ever=\n"
                               "empty=2|AAAAAAAAAAA\n";
    mez_properties properties = {0};
    assert_ok(read_text(text, &properties));
    assert_int_equal(properties.count, 3);
    assert_string_equal(properties.items[2].name, "nobody [knows] this");
    assert_writes(&properties, text);
    mez_properties_finish(&properties);
}

static void numbers_begin_at_their_lowest_bits(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_ok(read_text("[s]\na=2|gBAAAAAAAAAAAAAAJAAAAwAAAAA\n", &properties));
    const mez_property *array = mez_properties_find(&properties, "s", "a");
    assert_non_null(array);
    assert_int_equal(array->bits, 96);
    assert_int_equal(array->size, 12);
    static const uint8_t aspects[] = {0, 0, 0, 0, 9, 0, 0, 0, 12, 0, 0, 0};
    assert_memory_equal(array->bytes, aspects, sizeof aspects);
    mez_properties_finish(&properties);
}

static void arrays_keep_their_size_in_bits(void **state)
{
    (void)state;
    mez_properties properties = {0}, again = {0};
    static const uint8_t used[] = {0xAD, 0x03};
    assert_ok(mez_properties_add_bits(&properties, "SYCL/kernel param opt", "k", used, 11));
    mez_bytes text = {0};
    assert_ok(mez_prop_write(&properties, &text));
    assert_ok(mez_prop_read((const char *)text.data, text.size, "again", &again));
    assert_true(same_properties(&properties, &again));
    const mez_property *k = mez_properties_find(&again, "SYCL/kernel param opt", "k");
    assert_int_equal(k->bits, 11);
    assert_int_equal(k->size, 2);
    mez_bytes_finish(&text);
    mez_properties_finish(&properties);
    mez_properties_finish(&again);
}

static void every_byte_survives_the_base64(void **state)
{
    (void)state;
    uint8_t bytes[256];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7);
    for (size_t size = 0; size < sizeof bytes; size++) {
        mez_properties properties = {0}, again = {0};
        mez_bytes text = {0};
        assert_ok(mez_properties_add_bytes(&properties, "s", "p", bytes, size));
        assert_ok(mez_prop_write(&properties, &text));
        // "[s]\np=2|", a letter for each six bits of the size and the bytes, "\n".
        assert_int_equal(text.size, 8 + (8 * (8 + size) + 5) / 6 + 1);
        assert_ok(mez_prop_read((const char *)text.data, text.size, "again", &again));
        assert_true(same_properties(&properties, &again));
        mez_bytes_finish(&text);
        mez_properties_finish(&properties);
        mez_properties_finish(&again);
    }
}

static void lines_may_end_as_on_windows(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_ok(read_text("\r\n[s]\r\n\r\na=1|5\r\n", &properties));
    assert_int_equal(mez_properties_get_number(&properties, "s", "a", 0), 5);
    mez_properties_finish(&properties);
}

static void strings_are_written_as_bytes(void **state)
{
    (void)state;
    mez_properties properties = {0}, again = {0};
    assert_ok(mez_properties_add_other(&properties, "s", "a", MEZ_PROPERTY_STRING, "text", 4));
    mez_bytes text = {0};
    assert_ok(mez_prop_write(&properties, &text));
    assert_ok(mez_prop_read((const char *)text.data, text.size, "again", &again));
    const mez_property *a = mez_properties_find(&again, "s", "a");
    assert_int_equal(a->type, MEZ_PROPERTY_BYTES);
    assert_string_equal((const char *)a->bytes, "text");
    mez_bytes_finish(&text);
    mez_properties_finish(&properties);
    mez_properties_finish(&again);
}

static void strings_in_text_are_bytes_too(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_ok(read_text("[s]\na=3|text\n", &properties));
    const mez_property *a = mez_properties_find(&properties, "s", "a");
    assert_int_equal(a->type, MEZ_PROPERTY_BYTES);
    assert_int_equal(a->bits, 32);
    assert_string_equal((const char *)a->bytes, "text");
    mez_properties_finish(&properties);
}

static void damaged_files_are_refused_with_their_line(void **state)
{
    (void)state;
    expect_refused("", "a.prop: invalid property set registry");
    expect_refused("\n\n", "invalid property set registry");
    expect_refused("a=1|2\n", "a.prop:1: property category missing");
    expect_refused("\n[s\n", "a.prop:2: invalid line");
    expect_refused("[s]\na\n", "a.prop:2: invalid property line");
    expect_refused("[s]\na=\n", "invalid property line");
    expect_refused("[s]\n=1|2\n", "invalid property line");
    expect_refused("[s]\na=1\n", "invalid property value");
    expect_refused("[s]\na=1|\n", "invalid property value");
    expect_refused("[s]\na=|1\n", "invalid property value");
    expect_refused("[s]\na=0|1\n", "invalid property type");
    expect_refused("[s]\na=x|1\n", "invalid property type");
    expect_refused("[s]\na= 1|1\n", "invalid property type");
    expect_refused("[s]\na=1|4294967296\n", "invalid property value");
    expect_refused("[s]\na=1|-1\n", "invalid property value");
    expect_refused("[s]\na=2|A\n", "not the base64");
    expect_refused("[s]\na=2|AAAAAAAAAA=\n", "not the base64");
    expect_refused("[s]\na=2|AAAA\n", "without its size");
    expect_refused("[s]\na=2|gBAAAAAAAAAAAAAAJAAAAwAA\n", "announces 96 bits, but has 10 bytes");
    mez_properties properties = {0};
    assert_story(
        mez_prop_read("[s]\n\0=1|2\n", 10, "a.prop", &properties), MEZ_ERRC_INVALID_IMAGE, "a NUL");
    mez_properties_finish(&properties);
}

static void a_missing_file_is_named(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_story(mez_prop_load("/nowhere/a.prop", &properties), MEZ_ERRC_FILE, "/nowhere/a.prop");
}

static void expect_unwritable(const char *set, const char *name)
{
    mez_properties properties = {0};
    mez_bytes text = {0};
    assert_ok(mez_properties_add_number(&properties, set, name, 1));
    assert_condition(mez_prop_write(&properties, &text), MEZ_ERRC_INVALID_PARAMETER);
    mez_bytes_finish(&text);
    mez_properties_finish(&properties);
}

static void what_text_can_not_say_is_refused(void **state)
{
    (void)state;
    expect_unwritable("s", "a=b");
    expect_unwritable("s", "a\nb");
    expect_unwritable("s", "[a");
    expect_unwritable("s", "");
    expect_unwritable("a\nb", "p");
    mez_properties properties = {0};
    mez_bytes text = {0};
    assert_ok(mez_properties_add_other(&properties, "s", "a", 7, "two\nlines", 9));
    assert_condition(mez_prop_write(&properties, &text), MEZ_ERRC_INVALID_PARAMETER);
    mez_bytes_finish(&text);
    mez_properties_finish(&properties);
}

// --- The sets themselves

static void a_value_given_again_keeps_its_place(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_ok(read_text("[s]\na=1|1\nb=1|2\n[t]\nc=1|3\n[s]\na=1|9\nd=1|4\n", &properties));
    assert_writes(&properties, "[s]\na=1|9\nb=1|2\nd=1|4\n[t]\nc=1|3\n");
    mez_properties_finish(&properties);
}

static void thousands_of_names_are_found(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    mez_properties properties = {0};
    char name[32];
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "kernel_%u", i);
        assert_ok(mez_properties_add_number(&properties, "SYCL/kernel names", name, i));
    }
    for (uint32_t i = 0; i < MANY; i += 77) {
        snprintf(name, sizeof name, "kernel_%u", i);
        assert_int_equal(
            mez_properties_get_number(&properties, "SYCL/kernel names", name, MANY), i);
    }
    assert_null(mez_properties_find(&properties, "SYCL/kernel names", "kernel_"));
    assert_int_equal(
        mez_properties_get_number(&properties, "SYCL/kernel names", "kernel_19999", 0), 19999);
    mez_properties_finish(&properties);
}

static void sets_go_without_a_trace(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_ok(read_text("[s]\na=1|1\nb=1|2\n[t]\nc=1|3\n[u]\nd=1|4\n", &properties));
    assert_true(mez_properties_remove_set(&properties, "t"));
    assert_false(mez_properties_remove_set(&properties, "t"));
    assert_writes(&properties, "[s]\na=1|1\nb=1|2\n[u]\nd=1|4\n");
    assert_ok(mez_properties_add_number(&properties, "t", "c", 5)); // found again behind the others
    assert_int_equal(mez_properties_get_number(&properties, "t", "c", 0), 5);
    assert_int_equal(mez_properties_get_number(&properties, "u", "d", 0), 4);
    mez_properties_finish(&properties);
}

static void copies_are_chosen_by_prefix(void **state)
{
    (void)state;
    mez_properties properties = {0}, copy = {0};
    assert_ok(
        read_text("[SYCL/a]\na=1|1\n[other]\nb=1|2\n[SYCL/c]\nc=2|gBAAAAAAAAAAAAAAJAAAAwAAAAA\n",
            &properties));
    assert_ok(mez_properties_add_all(&copy, &properties, "SYCL/"));
    assert_writes(&copy, "[SYCL/a]\na=1|1\n[SYCL/c]\nc=2|gBAAAAAAAAAAAAAAJAAAAwAAAAA\n");
    assert_false(same_properties(&copy, &properties));
    mez_properties_finish(&copy);
    assert_ok(mez_properties_add_all(&copy, &properties, NULL));
    assert_true(same_properties(&copy, &properties));
    mez_properties_finish(&copy);
    mez_properties_finish(&properties);
}

// Every allocation fails once; nothing leaks and nothing is half there.
static void short_memory_is_an_error_everywhere(void **state)
{
    (void)state;
    static const char text[] = "[s]\na=1|1\nb=2|gBAAAAAAAAAAAAAAJAAAAwAAAAA\nc=3|x\n[t]\n";
    for (uint64_t n = 1;; n++) {
        mez_properties properties = {0};
        mez_alloc_fail_at(n);
        const mez_error error = read_text(text, &properties);
        const bool failed_one = mez_alloc_fail_at(0) >= n;
        mez_properties_finish(&properties);
        if (!failed_one) {
            assert_ok(error);
            assert_true(n > 5);
            break;
        }
        assert_condition(error, MEZ_ERRC_OUT_OF_HOST_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_property_file_reads_and_writes_the_same),
        cmocka_unit_test(numbers_begin_at_their_lowest_bits),
        cmocka_unit_test(arrays_keep_their_size_in_bits),
        cmocka_unit_test(every_byte_survives_the_base64),
        cmocka_unit_test(lines_may_end_as_on_windows),
        cmocka_unit_test(strings_are_written_as_bytes),
        cmocka_unit_test(strings_in_text_are_bytes_too),
        cmocka_unit_test(damaged_files_are_refused_with_their_line),
        cmocka_unit_test(a_missing_file_is_named),
        cmocka_unit_test(what_text_can_not_say_is_refused),
        cmocka_unit_test(a_value_given_again_keeps_its_place),
        cmocka_unit_test(thousands_of_names_are_found),
        cmocka_unit_test(sets_go_without_a_trace),
        cmocka_unit_test(copies_are_chosen_by_prefix),
        cmocka_unit_test(short_memory_is_an_error_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
