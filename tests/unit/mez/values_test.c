// SPDX-License-Identifier: MIT
//
// Numbers, vectors, buffers and arguments of the mez command: what is read, and what is refused with which words.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "argument.h"
#include "half.h"

static struct argument good(const char *text)
{
    struct argument argument;
    struct problem problem = {""};
    if (!argument_parse(text, &argument, &problem))
        fail_msg("%s: %s", text, problem.text);
    return argument;
}

static void refused(const char *text, const char *words)
{
    struct argument argument;
    struct problem problem = {""};
    if (argument_parse(text, &argument, &problem))
        fail_msg("%s was accepted", text);
    if (!strstr(problem.text, words))
        fail_msg("%s: \"%s\" does not say \"%s\"", text, problem.text, words);
}

static void value_is(const char *text, const void *bytes, size_t size)
{
    const struct argument argument = good(text);
    assert_int_equal(argument.kind, ARGUMENT_VALUE);
    assert_int_equal(value_type_size(&argument.value.type), size);
    assert_memory_equal(argument.value.bytes, bytes, size);
}

#define VALUE_IS(text, type, ...) value_is(text, &(const type){__VA_ARGS__}, sizeof(type))

static void integers_keep_their_value(void **state)
{
    (void)state;
    VALUE_IS("i8:-128", int8_t, INT8_MIN);
    VALUE_IS("i8:127", int8_t, INT8_MAX);
    VALUE_IS("u8:255", uint8_t, 255);
    VALUE_IS("short:-32768", int16_t, INT16_MIN);
    VALUE_IS("u16:0xFFff", uint16_t, 0xffff);
    VALUE_IS("i32:-3", int32_t, -3);
    VALUE_IS("int:+7", int32_t, 7);
    VALUE_IS("uint:010", uint32_t, 10); // never octal
    VALUE_IS("i64:-9223372036854775808", int64_t, INT64_MIN);
    VALUE_IS("u64:18446744073709551615", uint64_t, UINT64_MAX);
    VALUE_IS("u64:0x10", uint64_t, 16);
    VALUE_IS("i32:-0x80000000", int32_t, INT32_MIN);
}

static void integers_that_do_not_fit(void **state)
{
    (void)state;
    refused("i8:300", "i8:300 is out of range");
    refused("i8:128", "is out of range");
    refused("i8:-129", "is out of range");
    refused("u8:256", "is out of range");
    refused("u32:-1", "u32:-1 is out of range");
    refused("int:2147483648", "i32:2147483648 is out of range");
    refused("i32:0xffffffff", "is out of range");
    refused("u64:18446744073709551616", "is out of range");
    refused("i64:9223372036854775808", "is out of range");
    refused("u64:99999999999999999999999999", "is out of range");
}

static void garbage_is_no_number(void **state)
{
    (void)state;
    static const char *const bad[] = {"i32:", "i32:x", "i32:1x", "i32: 1", "i32:1 ", "i32:--1",
        "i32:0x", "i32:0xg", "i32:1.5", "i32:1e3", "f32:", "f32: 1", "f32:1.0f", "f32:1.0 ",
        "f64:one", "u8:-"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refused(bad[i], "is not a number");
    char long_text[400] = "i32:";
    memset(long_text + 4, '1', sizeof long_text - 5);
    refused(long_text, "is not a number");
}

static void floating_point_keeps_its_value(void **state)
{
    (void)state;
    VALUE_IS("f32:2.0", float, 2.0f);
    VALUE_IS("float:-0", float, -0.0f);
    VALUE_IS("f32:0x1p-149", float, 0x1p-149f);
    VALUE_IS("f64:1.5", double, 1.5);
    VALUE_IS("f64:0.1", double, 0.1);
    VALUE_IS("f32:inf", float, __builtin_inff());
    VALUE_IS("f16:1", uint16_t, 0x3c00);
    VALUE_IS("half:65504", uint16_t, 0x7bff);
    VALUE_IS("half:-Infinity", uint16_t, 0xfc00);
    // Half way between two floats except for a digit that a double does not keep.
    VALUE_IS("f32:1.00000005960464477539062500000001", float, 0x1.000002p0f);
}

static void floating_point_that_does_not_fit(void **state)
{
    (void)state;
    refused("f32:1e39", "f32:1e39 is out of range");
    refused("f32:-1e39", "is out of range");
    refused("f64:1e309", "is out of range");
    refused("f16:65520", "is out of range");
}

static void halves_survive_the_way_through_double(void **state)
{
    (void)state;
    for (unsigned half = 0; half <= 0xffff; half++) {
        const bool is_nan = (half & 0x7fff) > 0x7c00;
        const double number = half_to_double((uint16_t)half);
        assert_int_equal(is_nan, number != number);
        if (!is_nan)
            assert_int_equal(half_from_double(number), half);
    }
}

static void halves_round_to_even(void **state)
{
    (void)state;
    assert_int_equal(half_from_double(0x1.002p0), 0x3c00);     // a tie, down to even
    assert_int_equal(half_from_double(0x1.006p0), 0x3c02);     // a tie, up to even
    assert_int_equal(half_from_double(0x1.0020001p0), 0x3c01); // above the tie
    assert_int_equal(half_from_double(0x1.ffep0), 0x4000);     // carries into the exponent
    assert_int_equal(half_from_double(0x1p-25), 0x0000);       // half of the smallest: to even
    assert_int_equal(half_from_double(0x1.8p-24), 0x0002);
    assert_int_equal(half_from_double(0x1.ffep-15), 0x0400); // up to the smallest normal
    assert_int_equal(half_from_double(65519.0), 0x7bff);
    assert_int_equal(half_from_double(65520.0), 0x7c00);
}

static void vectors_have_all_components(void **state)
{
    (void)state;
    const float four[] = {1, 2, 3, 4};
    const float three[] = {1, 2, 3, 0};
    const int32_t eight[] = {-1, 2, -3, 4, -5, 6, -7, 8};
    value_is("f32x4:1,2,3,4", four, sizeof four);
    value_is("float4:1,2,3,4", four, sizeof four);
    value_is("float3:1,2,3", three, sizeof three);
    value_is("int8:-1,2,-3,4,-5,6,-7,8", eight, sizeof eight);
    VALUE_IS("i8:-1", int8_t, -1);
    refused("f32x4:1,2,3", "3 numbers, but its type has 4");
    refused("f32x4:1,2,3,4,5", "5 numbers, but its type has 4");
    refused("f32x2:1,", "is not a number");
    refused("u8x2:1,256", "u8:256 is out of range");
    refused("f32:1,2", "2 numbers, but its type has 1");
}

static void types_are_spelled_right(void **state)
{
    (void)state;
    static const char *const bad[] = {"f31:1", "f32x5:1", "f32x:1", "f324:1", "float32:1",
        "int64:1", "Float:1", "x:1", ":1", "f32x0x10:1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refused(bad[i], "is not a type");
    refused("3", "the type is missing");
    refused("", "the type is missing");
}

static void buffers_are_read(void **state)
{
    (void)state;
    struct argument argument = good("buf:float:1024=iota");
    assert_int_equal(argument.kind, ARGUMENT_BUFFER);
    assert_int_equal(argument.buffer.count, 1024);
    assert_int_equal(argument.buffer.start, BUFFER_IOTA);
    assert_int_equal(buffer_size(&argument.buffer), 4096);
    assert_false(argument.printed);
    argument = good("out:u8:0x10");
    assert_true(argument.printed);
    assert_int_equal(argument.buffer.start, BUFFER_ZERO);
    assert_int_equal(buffer_size(&argument.buffer), 16);
    argument = good("buf:float3:10=@some=file:name");
    assert_string_equal(argument.buffer.file, "some=file:name");
    assert_int_equal(buffer_size(&argument.buffer), 160);
    argument = good("buf:i32:1=random:7");
    assert_int_equal(argument.buffer.seed, 7);
}

static void buffers_are_refused(void **state)
{
    (void)state;
    refused("buf:float", "number of elements is missing");
    refused("buf:float:", "is not a whole number");
    refused("buf:float:-1", "is not a whole number");
    refused("buf:float:0", "at least one element");
    refused("buf:float:4611686018427387904", "more bytes than the address space");
    refused("buf:float:18446744073709551616", "too large");
    refused("buf:float:4=", "START must be");
    refused("buf:float:4=iotas", "START must be");
    refused("buf:float:4=randomly", "START must be");
    refused("buf:float:4=random:", "is not a whole number");
    refused("buf:u8:4=256", "is out of range");
    refused("buf:float:4=@", "file is missing after @");
    refused("out:flaot:4", "is not a type");
}

static void local_memory_and_null(void **state)
{
    (void)state;
    assert_int_equal(good("local:1024").local_size, 1024);
    assert_int_equal(good("local:float4:16").local_size, 256);
    assert_int_equal(good("null").kind, ARGUMENT_NULL);
    refused("local:0", "at least one byte");
    refused("local:", "is not a whole number");
    refused("local:float:4=iota", "initial contents");
    refused("nulls", "the type is missing");
}

static void filled(const char *text, void *bytes)
{
    const struct argument argument = good(text);
    struct problem problem = {""};
    if (!buffer_fill(&argument.buffer, bytes, &problem))
        fail_msg("%s: %s", text, problem.text);
}

static void buffers_are_filled(void **state)
{
    (void)state;
    float floats[8];
    filled("buf:float3:2=iota", floats);
    const float with_room[8] = {0, 1, 2, 0, 3, 4, 5, 0};
    assert_memory_equal(floats, with_room, sizeof floats);
    uint8_t small[300];
    filled("buf:u8:300=iota", small);
    assert_int_equal(small[255], 255);
    assert_int_equal(small[256], 0);
    filled("buf:float:8=-1.5", floats);
    assert_true(floats[0] == -1.5f && floats[7] == -1.5f);
    filled("buf:float:8", floats);
    assert_true(floats[0] == 0 && floats[7] == 0);
}

// How many elements of a buffer that holds `text` differ from `start`.
static uint64_t differing(const char *text, const char *start, double tolerance)
{
    uint64_t bytes[64], wanted[64];
    struct argument argument;
    struct problem problem;
    filled(text, bytes);
    assert_true(argument_parse(text, &argument, &problem));
    assert_true(buffer_start_parse(start, &argument.buffer, &problem));
    assert_true(buffer_fill(&argument.buffer, wanted, &problem));
    const struct buffer_difference difference =
        buffer_compare(&argument.buffer, bytes, wanted, tolerance);
    if (difference.elements && strcmp(start, "iota") != 0)
        assert_int_equal(difference.first, 0);
    return difference.elements;
}

static void buffers_are_compared(void **state)
{
    (void)state;
    assert_int_equal(differing("buf:float:8=random:3", "random:3", 0), 0);
    assert_int_equal(differing("buf:float:8=random:3", "random", 1e-3), 8);
    assert_int_equal(differing("buf:float:8=1", "iota", 0), 7);
    assert_int_equal(differing("buf:float:8=0.5", "0.501", 0), 8);
    assert_int_equal(differing("buf:float:8=0.5", "0.501", 0.0011), 0);
    assert_int_equal(differing("buf:double:8=1e9", "1.001e9", 0.0011), 0); // relative
    assert_int_equal(differing("buf:double:8=0.001", "0", 0.0011), 0);     // absolute
    assert_int_equal(differing("buf:double:8=0", "-0", 0), 0);
    assert_int_equal(differing("buf:float:8=nan", "nan", 0), 0);
    assert_int_equal(differing("buf:float:8=nan", "1", 1e9), 8);
    assert_int_equal(differing("buf:float:8=inf", "inf", 0), 0);
    assert_int_equal(differing("buf:float:8=inf", "3e38", 1e9), 8);
    assert_int_equal(differing("buf:float:8=inf", "-inf", 1e9), 8);
    assert_int_equal(differing("buf:i8:8=-1", "1", 1), 8);
    assert_int_equal(differing("buf:i8:8=-1", "1", 2), 0);
    assert_int_equal(differing("buf:u64:8=18446744073709551615", "18446744073709551614", 0), 8);
    assert_int_equal(differing("buf:float3:8=2", "2", 0), 0);
    assert_int_equal(differing("buf:short4:8=iota", "iota", 0), 0);
}

static void random_numbers_stay_the_same(void **state)
{
    (void)state;
    uint64_t words[2];
    filled("buf:u64:2=random", words); // SplitMix64's published first numbers for seed 0
    assert_int_equal(words[0], UINT64_C(0xe220a8397b1dcdaf));
    assert_int_equal(words[1], UINT64_C(0x6e789e6aa1b965f4));
    float floats[512];
    filled("buf:float:512=random:3", floats);
    for (size_t i = 0; i < 512; i++)
        assert_true(floats[i] >= 0 && floats[i] < 1);
    assert_true(floats[0] != floats[1]);
}

static void not_filled(const char *text, const char *words)
{
    unsigned char bytes[64];
    struct problem problem = {""};
    const struct argument argument = good(text);
    assert_true(buffer_size(&argument.buffer) <= sizeof bytes);
    assert_false(buffer_fill(&argument.buffer, bytes, &problem));
    assert_non_null(strstr(problem.text, words));
}

static void files_must_have_the_size(void **state)
{
    (void)state;
    char path[] = "/tmp/mez_values_XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0 && write(file, "abcd", 4) == 4);
    close(file);
    char text[64], bytes[4];
    snprintf(text, sizeof text, "buf:u8:4=@%s", path);
    filled(text, bytes);
    assert_memory_equal(bytes, "abcd", 4);
    snprintf(text, sizeof text, "buf:u8:3=@%s", path);
    not_filled(text, "more bytes than the buffer, which has 3");
    snprintf(text, sizeof text, "buf:u8:5=@%s", path);
    not_filled(text, "fewer bytes than the buffer, which has 5");
    unlink(path);
    not_filled(text, "No such file");
}

static void prints(const char *text, uint64_t first, uint64_t count, const char *wanted)
{
    unsigned char bytes[1024];
    char *printed = NULL;
    size_t size = 0;
    const struct argument argument = good(text);
    assert_true(buffer_size(&argument.buffer) <= sizeof bytes);
    filled(text, bytes);
    FILE *stream = open_memstream(&printed, &size);
    buffer_print(stream, &argument.buffer, bytes, first, count);
    fclose(stream);
    assert_string_equal(printed, wanted);
    free(printed);
}

static void buffers_print_with_ranges(void **state)
{
    (void)state;
    prints("buf:int:10=iota", 0, 10,
        "  [0..7] 0 1 2 3 4 5 6 7\n"
        "  [8..9] 8 9\n");
    prints("buf:int:9=iota", 0, 9,
        "  [0..7] 0 1 2 3 4 5 6 7\n"
        "  [8]    8\n");
    prints("buf:u8:20=iota", 5, 9,
        "  [5..12] 5 6 7 8 9 10 11 12\n"
        "  [13]    13\n");
    prints("buf:float2:3=iota", 0, 3, "  [0..2] (0, 1) (2, 3) (4, 5)\n");
    prints("buf:float:1=0.1", 0, 1, "  [0] 0.100000001\n");
    prints("buf:f64:1=0.1", 0, 1, "  [0] 0.10000000000000001\n");
    prints("buf:f16:1=0.1", 0, 1, "  [0] 0.099976\n");
    prints("buf:i8:1=-128", 0, 1, "  [0] -128\n");
    prints("buf:u64:1=0xffffffffffffffff", 0, 1, "  [0] 18446744073709551615\n");
    prints("buf:int:4", 0, 0, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_keep_their_value),
        cmocka_unit_test(integers_that_do_not_fit),
        cmocka_unit_test(garbage_is_no_number),
        cmocka_unit_test(floating_point_keeps_its_value),
        cmocka_unit_test(floating_point_that_does_not_fit),
        cmocka_unit_test(halves_survive_the_way_through_double),
        cmocka_unit_test(halves_round_to_even),
        cmocka_unit_test(vectors_have_all_components),
        cmocka_unit_test(types_are_spelled_right),
        cmocka_unit_test(buffers_are_read),
        cmocka_unit_test(buffers_are_refused),
        cmocka_unit_test(local_memory_and_null),
        cmocka_unit_test(buffers_are_filled),
        cmocka_unit_test(buffers_are_compared),
        cmocka_unit_test(random_numbers_stay_the_same),
        cmocka_unit_test(files_must_have_the_size),
        cmocka_unit_test(buffers_print_with_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
