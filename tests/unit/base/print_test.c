// SPDX-License-Identifier: MIT

#include <inttypes.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/text.h"
#include "unit.h"

// Both ways of writing, which have to agree, and the room of the second one cut.
static const char *print(const char *format, ...) MEZ_PRINTF(1, 2);

static const char *print(const char *format, ...)
{
    static char room[1024];
    mez_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    mez_text_add_list(&text, format, arguments);
    va_end(arguments);
    snprintf(room, sizeof room, "%s", mez_text_get(&text));
    assert_int_equal(strlen(mez_text_get(&text)), text.length);
    mez_text_finish(&text);
    return room;
}

#define ASSERT_AS_PRINTF(...)                                     \
    do {                                                          \
        char expected[1024];                                      \
        snprintf(expected, sizeof expected, __VA_ARGS__);         \
        assert_string_equal(print(__VA_ARGS__), expected);        \
        mez_text whole = {0};                                     \
        mez_text_add(&whole, __VA_ARGS__);                        \
        assert_string_equal(mez_text_get(&whole), expected);      \
        mez_text_finish(&whole);                                  \
        char cut[8];                                              \
        mez_bounded bounded = mez_bounded_begin(cut, sizeof cut); \
        mez_bounded_print(&bounded, __VA_ARGS__);                 \
        assert_int_equal(bounded.length, strlen(expected));       \
        assert_int_equal(strncmp(cut, expected, 7), 0);           \
    } while (0)

// "%-s" says that a text has lines; a width of 0 that is computed does not.
static void a_width_of_zero_keeps_names_escaped(void **state)
{
    (void)state;
    assert_string_equal(print("%-s", "a\nb"), "a\nb");
    assert_string_equal(print("%-*s", 0, "a\nb"), "a\\nb");
    assert_string_equal(print("%*s", -3, "\n"), "\\n ");
}

static void numbers_are_written_as_printf_does(void **state)
{
    (void)state;
    ASSERT_AS_PRINTF("%d %i %u %x %X %o", -1, 2, 3u, 0xabcu, 0xABCu, 8u);
    ASSERT_AS_PRINTF("%ld %lu %lld %llu", -1L, ~0UL, -2LL, ~0ULL);
    ASSERT_AS_PRINTF(
        "%zu %zx %td %jd %ju", (size_t)-1, (size_t)77, (ptrdiff_t)-5, INTMAX_MIN, UINTMAX_MAX);
    ASSERT_AS_PRINTF(
        "%hhd %hhu %hd %hu", (signed char)-3, (unsigned char)250, (short)-4, (unsigned short)65535);
    ASSERT_AS_PRINTF("%" PRIu64 " %" PRId32 " %" PRIx64, UINT64_MAX, INT32_MIN, UINT64_MAX);
    ASSERT_AS_PRINTF("[%5d] [%-5d] [%05d] [%+d] [%#x] [% d]", 42, 42, 42, 42, 42u, 42);
    ASSERT_AS_PRINTF("[%*d] [%-*d] [%.3d] [%.*d]", 6, 1, 6, 2, 7, 4, 8);
    ASSERT_AS_PRINTF(
        "%f %.3f %8.2f %.0f %g %.17g %e %a", 1.5, 2.0, 3.25, 0.5, 1e100, 0.1, 1e-9, 1.0);
    ASSERT_AS_PRINTF("%.1f", 1.7976931348623157e308);
    ASSERT_AS_PRINTF("%p %c%c 100%%", (void *)0x1234, 'a', 'b');
}

static void strings_are_written_as_printf_does(void **state)
{
    (void)state;
    ASSERT_AS_PRINTF("%s|%s", "a", "");
    ASSERT_AS_PRINTF("[%6s] [%-6s] [%*s] [%-*s]", "ab", "ab", 4, "x", 4, "y");
    ASSERT_AS_PRINTF("[%.2s] [%.*s] [%.0s]", "abcdef", 3, "abcdef", "gone");
    ASSERT_AS_PRINTF("[%6.2s] [%-6.2s] [%*s] [%-*s]", "abc", "abc", 0, "wide", 0, "wide");
    ASSERT_AS_PRINTF("%s %s", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "back\\slash \"quoted\"");
    assert_string_equal(print("%s", (const char *)(uintptr_t)strtoul("0", NULL, 10)), "(null)");
}

// Nothing behind a precision may be read.
static void slices_need_no_end(void **state)
{
    (void)state;
    char *slice = malloc(4);
    memcpy(slice, "a\xf0\x9f\x98", 4);
    assert_string_equal(print("%.*s", 4, slice), "a\\xf0\\x9f\\x98");
    assert_string_equal(print("%.*s", 1, slice), "a");
    free(slice);
}

static void strings_are_escaped(void **state)
{
    (void)state;
    assert_string_equal(print("%s", "\x1b[31mred"), "\\x1b[31mred");
    assert_string_equal(print("\"%s\"", "a\nb\tc\rd"), "\"a\\nb\\tc\\rd\"");
    assert_string_equal(print("%s", "\x01\x7f\xff\xc3"), "\\x01\\x7f\\xff\\xc3");
    assert_string_equal(print("%s", "\xc2\x9b"
                                    "1m"),
        "\\u009b1m"); // CSI
    assert_string_equal(print("%s", "\xe2\x80\xae"
                                    "txt"),
        "\\u202etxt"); // from right to left
    assert_string_equal(print("%s", "\xe2\x81\xa6\xd8\x9c\xe2\x80\xa8"), "\\u2066\\u061c\\u2028");
    assert_string_equal(print("%s", "\xf3\xa0\x80\x81"), "\\U000e0001"); // a tag
    assert_string_equal(print("%s", "\xed\xa0\x80"), "\\xed\\xa0\\x80"); // a surrogate
    assert_string_equal(print("%c%c", '\x1b', '\n'), "\\x1b\\n");
    assert_string_equal(print("[%-5s] [%5s]", "\n", "\n"), "[\\n   ] [   \\n]");
}

static void escaped_text_stays(void **state)
{
    (void)state;
    char once[64];
    snprintf(once, sizeof once, "%s", print("%s", "\x1b\n\\x1b \xe2\x80\xae"));
    assert_string_equal(print("%s", once), once);
}

static void text_of_lines_keeps_them(void **state)
{
    (void)state;
    assert_string_equal(print("%-s", "a\n\tb\r\nc\x1b\r"), "a\n\tb\nc\\x1b\\r");
    assert_string_equal(print("%-.*s", 3, "a\nbc"), "a\nb");
}

// A format is the library's own.
static void formats_are_not_escaped(void **state)
{
    (void)state;
    assert_string_equal(print("a\n\tb %s\n", "c"), "a\n\tb c\n");
}

static void a_stream_gets_the_same(void **state)
{
    (void)state;
    char *printed = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&printed, &size);
    assert_int_equal(mez_print(stream, "%s %d\n", "\x1b", 7), 7);
    fclose(stream);
    assert_string_equal(printed, "\\x1b 7\n");
    free(printed);
}

// For programs: nothing is lost but what JSON can't have.
static void json_keeps_what_was_there(void **state)
{
    (void)state;
    char room[256];
    mez_json json = {.text = mez_bounded_begin(room, sizeof room), .one_line = true};
    mez_json_open(&json, NULL, '[');
    mez_json_string(&json, NULL, "\x1b\n\x7f\xc2\x9b\xe2\x80\xae\xf3\xa0\x80\x81\xff\xc3\xa4\"\\");
    mez_json_close(&json, ']');
    assert_string_equal(
        room, "[\"\\u001b\\n\\u007f\\u009b\\u202e\\udb40\\udc01\\ufffd\xc3\xa4\\\"\\\\\"]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_width_of_zero_keeps_names_escaped),
        cmocka_unit_test(numbers_are_written_as_printf_does),
        cmocka_unit_test(strings_are_written_as_printf_does),
        cmocka_unit_test(slices_need_no_end),
        cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(escaped_text_stays),
        cmocka_unit_test(text_of_lines_keeps_them),
        cmocka_unit_test(formats_are_not_escaped),
        cmocka_unit_test(a_stream_gets_the_same),
        cmocka_unit_test(json_keeps_what_was_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
