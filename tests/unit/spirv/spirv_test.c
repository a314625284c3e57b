// SPDX-License-Identifier: MIT
//
// What lib/spirv reads from modules that compilers and assemblers make, and how it refuses broken
// ones.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "modules.h"
#include "spirv/reach.h"
#include "spirv/signature.h"
#include "use_all.h"

// Foreign bytes

static void test_recognises_what_is_not_spirv(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *word; // that the text must have
    } cases[] = {
#define CASE(bytes, word) {bytes, sizeof bytes - 1, word}
        CASE("", "empty"),
        CASE("BC\xC0\xDE\x35\x14\0\0", "llvm-spirv"),
        CASE("\xDE\xC0\x17\x0B\0\0\0\0", "llvm-spirv"),
        CASE("; ModuleID = 'x'\n", "LLVM assembly"),
        CASE("\x7F"
             "ELF\2\1\1\0",
            "ELF"),
        CASE("__CLANG_OFFLOAD_BUNDLE__\1\0", "clang-offload-bundler"),
        CASE("\x10\xFF\x10\xAD\1\0\0\0", "offload binary"),
        CASE("PK\3\4\0\0\0\0", "zip"),
        CASE("; SPIR-V\n; Version: 1.0\n", "spirv-as"),
        CASE("119734787 65536 393230", "text form"),
        CASE("kernel void f(global int *x) { }", "OpenCL C"),
        CASE("#include <stdio.h>", "a text file"),
        CASE("\x03\x02\x23", "magic"),
        CASE("\1\2\3\4\5\6\7\0", "magic"),
#undef CASE
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mez_spirv_problem problem = {0};
        struct mez_spirv_module *module;
        assert_int_equal(mez_spirv_module_create(cases[i].bytes, cases[i].size, &problem, &module),
            MEZ_SPIRV_NOT_SPIRV);
        assert_null(module);
        assert_int_equal(problem.status, MEZ_SPIRV_NOT_SPIRV);
        if (!strstr(problem.text, cases[i].word))
            fail_msg("case %zu: '%s' lacks '%s'", i, problem.text, cases[i].word);
    }
}

// Broken modules, built by hand

#define HEADER 0x07230203, 0x00010000, 0, 100, 0
#define OP_WORD(length, opcode) ((uint32_t)(length) << 16 | (opcode))
#define VOID_AND_FUNCTION_TYPE OP_WORD(2, 19), 1, OP_WORD(3, 33), 2, 1
#define FUNCTION_3 OP_WORD(5, 54), 1, 3, 0, 2
#define LABEL_4 OP_WORD(2, 248), 4
#define RETURN OP_WORD(1, 253)
#define FUNCTION_END OP_WORD(1, 56)

static void test_refuses_broken_modules(void **state)
{
    (void)state;
    static const struct {
        uint32_t words[32];
        uint32_t count;
        enum mez_spirv_status status;
        uint32_t word;
        const char *text;
    } cases[] = {
#define CASE(status, word, text, ...)                                                         \
    {{__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), MEZ_SPIRV_##status, \
        word, text}
        CASE(TRUNCATED, 0, "header", 0x07230203, 0x00010000, 0, 100),
        CASE(BAD_VERSION, 1, "1.7", 0x07230203, 0x00010700, 0, 100, 0),
        CASE(BAD_VERSION, 1, "2.0", 0x07230203, 0x00020000, 0, 100, 0),
        CASE(BAD_VERSION, 1, "0x00010001", 0x07230203, 0x00010001, 0, 100, 0),
        CASE(MALFORMED, 3, "bound", 0x07230203, 0x00010000, 0, 0, 0),
        CASE(MALFORMED, 3, "bound", 0x07230203, 0x00010000, 0, 4194304, 0),
        CASE(MALFORMED, 5, "zero words", HEADER, OP_WORD(0, 19), 1),
        CASE(TRUNCATED, 5, "OpTypeVoid", HEADER, OP_WORD(3, 19), 1),
        CASE(MALFORMED, 5, "at least 2", HEADER, OP_WORD(1, 19)),
        CASE(MALFORMED, 5, "outside the bound", HEADER, OP_WORD(2, 19), 100),
        CASE(MALFORMED, 5, "outside the bound", HEADER, OP_WORD(2, 19), 0),
        CASE(MALFORMED, 7, "defined at word 5", HEADER, OP_WORD(2, 19), 1, OP_WORD(2, 20), 1),
        CASE(MALFORMED, 7, "nothing defines", HEADER, OP_WORD(2, 19), 1, OP_WORD(3, 33), 2, 7),
        CASE(MALFORMED, 7, "outside the bound", HEADER, OP_WORD(2, 19), 1, OP_WORD(3, 5), 100, 'x'),
        CASE(MALFORMED, 5, "does not end", HEADER, OP_WORD(2, 10), 0x41414141),
        CASE(MALFORMED, 5, "required operand", HEADER, OP_WORD(7, 5610), 1, 2, 3, 4, 0x41414141, 0),
        CASE(MALFORMED, 5, "outside a function", HEADER, FUNCTION_END),
        CASE(MALFORMED, 5, "outside a function", HEADER, LABEL_4),
        CASE(MALFORMED, 5, "head of a function", HEADER, OP_WORD(3, 55), 1, 9),
        CASE(MALFORMED, 15, "another function", HEADER, VOID_AND_FUNCTION_TYPE, FUNCTION_3,
            FUNCTION_3),
        CASE(MALFORMED, 17, "type", HEADER, VOID_AND_FUNCTION_TYPE, FUNCTION_3, LABEL_4,
            OP_WORD(2, 20), 5, FUNCTION_END),
        CASE(TRUNCATED, 17, "inside a function", HEADER, VOID_AND_FUNCTION_TYPE, FUNCTION_3,
            LABEL_4),
        CASE(MALFORMED, 5, "not a function", HEADER, OP_WORD(4, 15), 6, 1, 'k', OP_WORD(2, 19), 1),
        CASE(MALFORMED, 5, "no body", HEADER, OP_WORD(4, 15), 6, 3, 'k', VOID_AND_FUNCTION_TYPE,
            FUNCTION_3, FUNCTION_END),
        CASE(MALFORMED, 5, "lacks operands", HEADER, OP_WORD(5, 16), 3, 17, 8, 8),
        CASE(MALFORMED, 5, "lacks operands", HEADER, OP_WORD(3, 16), 3, 35),
        CASE(MALFORMED, 5, "LinkageAttributes", HEADER, OP_WORD(4, 71), 3, 41, 'k'),
        CASE(MALFORMED, 5, "LinkageAttributes", HEADER, OP_WORD(3, 71), 3, 41),
#undef CASE
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mez_spirv_problem problem = {0};
        struct mez_spirv_module *module;
        const enum mez_spirv_status status = mez_spirv_module_create(
            cases[i].words, cases[i].count * sizeof(uint32_t), &problem, &module);
        mez_spirv_module_destroy(&module);
        if (status != cases[i].status || problem.word != cases[i].word ||
            !strstr(problem.text, cases[i].text))
            fail_msg(
                "case %zu: status %d at word %zu: '%s'", i, status, problem.word, problem.text);
    }
}

static void test_accepts_the_smallest_modules(void **state)
{
    (void)state;
    static const uint32_t header[] = {HEADER};
    static const uint32_t function[] = {HEADER, OP_WORD(4, 15), 6, 3, 'k', VOID_AND_FUNCTION_TYPE,
        FUNCTION_3, LABEL_4, RETURN, FUNCTION_END};

    assert_int_equal(use_all(header, sizeof header), MEZ_SPIRV_OK);
    assert_int_equal(use_all(function, sizeof function), MEZ_SPIRV_OK);
    assert_int_equal(use_all(function, sizeof function - 1), MEZ_SPIRV_TRUNCATED);
}

// What an unknown instruction defines can't be known, so its users are not blamed.
static void test_keeps_unknown_instructions(void **state)
{
    (void)state;
    static const uint32_t words[] = {HEADER, OP_WORD(3, 60000), 1, 2, OP_WORD(3, 33), 4, 3,
        OP_WORD(4, 15), 6, 8, 'k', OP_WORD(5, 54), 3, 8, 0, 4, OP_WORD(2, 248), 9,
        OP_WORD(2, 60001), 8, RETURN, FUNCTION_END};
    struct mez_spirv_module *module;
    assert_int_equal(mez_spirv_module_create(words, sizeof words, NULL, &module), MEZ_SPIRV_OK);
    assert_true(module->has_unknown_opcodes);
    assert_int_equal(module->word_count, sizeof words / sizeof words[0]);
    assert_memory_equal(module->words, words, sizeof words);

    char room[MEZ_SPIRV_OPCODE_ROOM];
    assert_string_equal(mez_spirv_opcode_name(60000, room), "opcode 60000");
    assert_string_equal(mez_spirv_opcode_name(MEZ_OP_FMul, room), "OpFMul");
    mez_spirv_module_destroy(&module);
    mez_spirv_module_destroy(&module);
}

// The grammar of spirv-headers 1.3.239 gives these results and operands that no compiler writes.
static void test_reads_operands_as_compilers_write_them(void **state)
{
    (void)state;
    static const uint32_t words[] = {HEADER, OP_WORD(4, 5609), 5, 0x72697073, '6' | '4' << 8,
        VOID_AND_FUNCTION_TYPE, OP_WORD(4, 21), 6, 32, 0, OP_WORD(3, 1), 6, 7, FUNCTION_3, LABEL_4,
        OP_WORD(4, 5949), 6, 8, 7, OP_WORD(5, 5946), 7, 7, 7, 7, OP_WORD(5, 5947), 7, 7, 7, 7,
        RETURN, FUNCTION_END};
    struct mez_spirv_module *module;
    assert_int_equal(mez_spirv_module_create(words, sizeof words, NULL, &module), MEZ_SPIRV_OK);
    const struct mez_spirv_def *target = mez_spirv_find_def(module, 5);
    assert_non_null(target);
    assert_int_equal(target->type, 0);
    assert_non_null(mez_spirv_find_def(module, 8));
    mez_spirv_module_destroy(&module);
}

static void test_reads_either_byte_order_at_any_alignment(void **state)
{
    (void)state;
    size_t size;
    unsigned char *bytes = read_test_file("kernels.spv", &size);
    unsigned char *swapped = malloc(size + 1);
    for (size_t i = 0; i < size; i++)
        swapped[1 + i] = bytes[i ^ 3];

    struct mez_spirv_module *one, *two;
    assert_int_equal(mez_spirv_module_create(bytes, size, NULL, &one), MEZ_SPIRV_OK);
    assert_int_equal(mez_spirv_module_create(swapped + 1, size, NULL, &two), MEZ_SPIRV_OK);
    assert_memory_equal(one->words, two->words, size);
    assert_int_equal(one->entry_point_count, two->entry_point_count);
    assert_string_equal(two->entry_points[0].name, "plain");

    mez_spirv_module_destroy(&one);
    mez_spirv_module_destroy(&two);
    free(swapped);
    free(bytes);
}

// What a compiler makes

static void test_reads_a_compiled_module(void **state)
{
    (void)state;
    struct mez_spirv_module *module = open_module("kernels.spv");

    assert_int_equal(module->addressing_model, MEZ_ADDRESSING_PHYSICAL64);
    assert_int_equal(module->entry_point_count, 12);
    for (uint32_t i = 0; i < module->entry_point_count; i++) {
        const struct mez_spirv_entry_point *entry = &module->entry_points[i];
        assert_int_equal(entry->model, MEZ_MODEL_KERNEL);
        assert_string_equal(module->functions[entry->function].name, entry->name);
    }

    assert_int_equal(module->import_count, 1);
    assert_string_equal(module->imports[0].name, "__devicelib_assert_fail");
    assert_true(module->imports[0].is_function);

    assert_int_equal(module->export_count, 2);
    assert_string_equal(module->exports[0].name, "scale");
    assert_string_equal(module->exports[1].name, "twice");
    mez_spirv_module_destroy(&module);
}

// As their author wrote them, except for signs; what pointers point to is not known of all compilers.
static void test_declares_arguments(void **state)
{
    (void)state;
    static const char *const expected[] = {NULL, "float", "float3", "struct", "struct", NULL, NULL,
        "image", "sampler", "char4", "long"};
    struct mez_spirv_module *module = open_module("kernels.spv");
    struct mez_spirv_signature signature;
    const struct mez_spirv_entry_point *kernel = mez_spirv_find_entry_point(module, "arguments");
    assert_int_equal(mez_spirv_signature_init(module, kernel, NULL, &signature), MEZ_SPIRV_OK);
    for (uint32_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct mez_spirv_argument argument = signature.arguments[i];
        char text[100], wanted[100];
        argument.name = NULL;
        mez_spirv_argument_declaration(&argument, text, sizeof text);
        if (expected[i])
            assert_string_equal(text, expected[i]);
        argument.name = "name";
        mez_spirv_argument_declaration(&argument, text, sizeof text);
        snprintf(wanted, sizeof wanted, "%s name", expected[i] ? expected[i] : "");
        if (expected[i])
            assert_string_equal(text, wanted);
        mez_spirv_argument_declaration(&argument, text, 4); // cut
        assert_int_equal(strlen(text), 3);
    }
    assert_int_equal(signature.arguments[1].number.kind, MEZ_NUMBER_FLOAT);
    assert_int_equal(signature.arguments[2].number.components, 3);
    assert_int_equal(signature.arguments[9].number.width, 8);
    const struct mez_spirv_argument pointer = {.kind = MEZ_ARGUMENT_CONSTANT_POINTER,
                                        .pointee_size = 4,
                                        .number = {MEZ_NUMBER_INT, 16, 2}},
                                    nothing = {.kind = MEZ_ARGUMENT_OTHER};
    char text[100];
    mez_spirv_argument_declaration(&pointer, text, sizeof text);
    assert_string_equal(text, "constant short2 *");
    mez_spirv_argument_declaration(&nothing, text, sizeof text);
    assert_string_equal(text, "");
    mez_spirv_signature_finish(&signature);
    mez_spirv_module_destroy(&module);
}

static void test_reads_signatures(void **state)
{
    (void)state;
    static const struct mez_spirv_argument expected[] = {
        {.kind = MEZ_ARGUMENT_GLOBAL_POINTER, .size = 8, .alignment = 8, .pointee_size = 4},
        {.kind = MEZ_ARGUMENT_VALUE, .size = 4, .alignment = 4},
        {.kind = MEZ_ARGUMENT_VALUE, .size = 16, .alignment = 16},
        {.kind = MEZ_ARGUMENT_STRUCT, .size = 48, .alignment = 16},
        {.kind = MEZ_ARGUMENT_STRUCT, .size = 5, .alignment = 1},
        {.kind = MEZ_ARGUMENT_LOCAL_POINTER, .size = 8, .alignment = 8, .pointee_size = 4},
        {.kind = MEZ_ARGUMENT_CONSTANT_POINTER, .size = 8, .alignment = 8, .pointee_size = 4},
        {.kind = MEZ_ARGUMENT_IMAGE},
        {.kind = MEZ_ARGUMENT_SAMPLER},
        {.kind = MEZ_ARGUMENT_VALUE, .size = 4, .alignment = 4},
        {.kind = MEZ_ARGUMENT_VALUE, .size = 8, .alignment = 8},
    };
    struct mez_spirv_module *module = open_module("kernels.spv");
    struct mez_spirv_signature signature;
    const struct mez_spirv_entry_point *kernel = mez_spirv_find_entry_point(module, "arguments");
    assert_int_equal(mez_spirv_signature_init(module, kernel, NULL, &signature), MEZ_SPIRV_OK);

    assert_int_equal(signature.count, sizeof expected / sizeof expected[0]);
    for (uint32_t i = 0; i < signature.count; i++) {
        assert_int_equal(signature.arguments[i].kind, expected[i].kind);
        assert_int_equal(signature.arguments[i].size, expected[i].size);
        assert_int_equal(signature.arguments[i].alignment, expected[i].alignment);
        if (signature.arguments[i].pointee_size !=
            1) // bytes are what compilers with opaque pointers write
            assert_int_equal(signature.arguments[i].pointee_size, expected[i].pointee_size);
    }
    mez_spirv_signature_finish(&signature);
    mez_spirv_module_destroy(&module);
}

// Corners that no compiler at hand makes

static void test_follows_function_pointers_by_type(void **state)
{
    (void)state;
    struct mez_spirv_module *module = open_module("pointers.spv");
    const struct mez_spirv_entry_point *entry = mez_spirv_find_entry_point(module, "calls");
    struct mez_spirv_reach *reach;
    assert_int_equal(
        mez_spirv_reach_create(module, &entry->function, 1, NULL, &reach), MEZ_SPIRV_OK);

    static const char *const reached[] = {"doubles", "calls"};
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct mez_spirv_function *function = &module->functions[i];
        const bool expected =
            !strcmp(function->name, reached[0]) || !strcmp(function->name, reached[1]);
        assert_int_equal(mez_spirv_reaches(reach, function->id), expected);
    }
    mez_spirv_reach_destroy(&reach);
    mez_spirv_reach_destroy(&reach);
    mez_spirv_module_destroy(&module);
}

static void test_reads_sizes_given_by_constants(void **state)
{
    (void)state;
    struct mez_spirv_module *module = open_module("modes.spv");
    const struct mez_spirv_entry_point *main = mez_spirv_find_entry_point(module, "main");
    const struct mez_spirv_modes *required = &module->functions[main->function].modes;
    assert_true(required->has_local_size);
    assert_int_equal(required->local_size[0], 4);
    assert_int_equal(required->local_size[1], 2);
    assert_int_equal(required->local_size[2], 1);
    assert_int_equal(module->minor_version, 4);

    const struct mez_spirv_entry_point *other = mez_spirv_find_entry_point(module, "other");
    const struct mez_spirv_modes *modes = &module->functions[other->function].modes;
    assert_false(modes->has_local_size);
    assert_true(modes->has_local_size_hint);
    assert_int_equal(modes->local_size_hint[0], 64);
    mez_spirv_module_destroy(&module);
}

static void test_unfolds_decoration_groups(void **state)
{
    (void)state;
    struct mez_spirv_module *module = open_module("modes.spv");
    struct mez_spirv_signature signature;
    const struct mez_spirv_entry_point *kernel = mez_spirv_find_entry_point(module, "main");
    assert_int_equal(mez_spirv_signature_init(module, kernel, NULL, &signature), MEZ_SPIRV_OK);

    assert_int_equal(signature.count, 3);
    assert_int_equal(signature.arguments[0].kind, MEZ_ARGUMENT_STRUCT);
    assert_int_equal(signature.arguments[0].size, 24);
    assert_int_equal(signature.arguments[0].alignment, 16); // decorated; the type alone has 8
    assert_string_equal(signature.arguments[0].name, "p");
    assert_int_equal(signature.arguments[1].kind, MEZ_ARGUMENT_STRUCT);
    assert_int_equal(signature.arguments[1].size, 0); // does not fit 64 bits
    assert_null(signature.arguments[1].name);
    assert_int_equal(signature.arguments[2].kind, MEZ_ARGUMENT_GLOBAL_POINTER);
    assert_int_equal(signature.arguments[2].pointee_size, 8);

    mez_spirv_signature_finish(&signature);
    mez_spirv_module_destroy(&module);
}

// What clang exports of a kernel is the kernel's own, and bears its name.
static void test_kernel_code_is_no_export(void **state)
{
    (void)state;
    struct mez_spirv_module *module = open_module("kernel_code.spv");
    assert_int_equal(module->export_count, 1);
    assert_string_equal(module->exports[0].name, "__clang_ocl_kern_imp_nobody");
    static const char *const names[] = {
        "calls", "calls", "has", "has", "__clang_ocl_kern_imp_nobody"};
    assert_int_equal(module->function_count, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_string_equal(module->functions[i].name, names[i]);
    mez_spirv_module_destroy(&module);
}

static void test_lists_symbols(void **state)
{
    (void)state;
    struct mez_spirv_module *module = open_module("modes.spv");
    assert_int_equal(module->import_count, 1); // "builtin" is none
    assert_string_equal(module->imports[0].name, "outside");
    assert_false(module->imports[0].is_function);

    assert_int_equal(module->export_count, 2); // "main" is an entry point
    assert_string_equal(module->exports[0].name, "shared");
    assert_int_equal(module->exports[0].linkage, MEZ_LINKAGE_LINK_ONCE_ODR);
    assert_string_equal(module->exports[1].name, "helper");
    assert_true(module->exports[1].is_function);
    assert_true(
        mez_spirv_is_decorated(module, module->exports[1].id, MEZ_DECORATION_USER_SEMANTIC));
    assert_false(
        mez_spirv_is_decorated(module, module->exports[0].id, MEZ_DECORATION_USER_SEMANTIC));
    mez_spirv_module_destroy(&module);
}

// Damage

static void test_survives_every_truncation(void **state)
{
    (void)state;
    size_t size;
    void *bytes = read_test_file("kernels.spv", &size);
    assert_int_equal(use_all(bytes, size), MEZ_SPIRV_OK);
    for (size_t kept = 0; kept < size; kept++) {
        void *part =
            malloc(kept ? kept : 1); // its own block, so that a sanitizer sees reads behind it
        memcpy(part, bytes, kept);
        const enum mez_spirv_status status = use_all(part, kept);
        if (kept % 4 != 0)
            assert_int_not_equal(status, MEZ_SPIRV_OK);
        free(part);
    }
    free(bytes);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

static void test_survives_flipped_bits(void **state)
{
    (void)state;
    static const char *const files[] = {
        "kernels.spv", "declares_g.spv", "modes.spv", "pointers.spv", "aspects.spv"};
    uint32_t seed = 2463534242u, refused = 0;
    for (uint32_t round = 0; round < 6000; round++) {
        size_t size;
        unsigned char *bytes = read_test_file(files[round % 5], &size);
        for (uint32_t flips = 1 + next_random(&seed) % 3; flips > 0; flips--)
            bytes[next_random(&seed) % size] ^= (unsigned char)(1u << next_random(&seed) % 8);
        refused += use_all(bytes, size) != MEZ_SPIRV_OK;
        free(bytes);
    }
    // Most flips hit something that is checked; the others (a constant, a name) leave a module.
    assert_uint_in_range(refused, 1000, 5999);
}

static void test_survives_every_failed_allocation(void **state)
{
    (void)state;
    static const char *const files[] = {"kernels.spv", "pointers.spv", "declares_O1.spv"};
    for (size_t i = 0; i < 3; i++) {
        size_t size;
        void *bytes = read_test_file(files[i], &size);
        uint64_t n = 0;
        enum mez_spirv_status status;
        do {
            mez_alloc_fail_at(++n);
            status = use_all(bytes, size);
            mez_alloc_fail_at(0);
            if (status != MEZ_SPIRV_OK)
                assert_int_equal(status, MEZ_SPIRV_NO_MEMORY);
        } while (status != MEZ_SPIRV_OK);
        assert_true(n > 20);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recognises_what_is_not_spirv),
        cmocka_unit_test(test_refuses_broken_modules),
        cmocka_unit_test(test_accepts_the_smallest_modules),
        cmocka_unit_test(test_keeps_unknown_instructions),
        cmocka_unit_test(test_reads_operands_as_compilers_write_them),
        cmocka_unit_test(test_reads_either_byte_order_at_any_alignment),
        cmocka_unit_test(test_reads_a_compiled_module),
        cmocka_unit_test(test_reads_signatures),
        cmocka_unit_test(test_declares_arguments),
        cmocka_unit_test(test_follows_function_pointers_by_type),
        cmocka_unit_test(test_reads_sizes_given_by_constants),
        cmocka_unit_test(test_unfolds_decoration_groups),
        cmocka_unit_test(test_kernel_code_is_no_export),
        cmocka_unit_test(test_lists_symbols),
        cmocka_unit_test(test_survives_every_truncation),
        cmocka_unit_test(test_survives_flipped_bits),
        cmocka_unit_test(test_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
