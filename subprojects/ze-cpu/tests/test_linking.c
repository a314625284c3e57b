// SPDX-License-Identifier: MIT
//
// zeModuleDynamicLink with OpenCL C kernels. What the modules have to do with each other stands in
// their files, spirv/link_*.cl.
#include "harness.h"
#include "kernels.h"

#include <stdlib.h>
#include <string.h>

#define GLOBALS "-ze-take-global-address"

// Returns the log; free it.
static char *link_modules(const ze_module_handle_t *modules, uint32_t count, ze_result_t expected)
{
    ze_module_handle_t list[4];
    ze_module_build_log_handle_t log = NULL;
    size_t size = 0;
    memcpy(list, modules, count * sizeof *list);
    assert_result(zeModuleDynamicLink(count, list, &log), expected);
    assert_ok(zeModuleBuildLogGetString(log, &size, NULL));
    char *text = malloc(size);
    assert_non_null(text);
    assert_ok(zeModuleBuildLogGetString(log, &size, text));
    assert_ok(zeModuleBuildLogDestroy(log));
    return text;
}

static void link_well(const ze_module_handle_t *modules, uint32_t count)
{
    char *text = link_modules(modules, count, ZE_RESULT_SUCCESS);
    assert_string_equal(text, "");
    free(text);
}

static ze_module_property_flags_t flags_of(ze_module_handle_t module)
{
    ze_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES};
    assert_ok(zeModuleGetProperties(module, &properties));
    return properties.flags;
}

static uint32_t *variable(ze_module_handle_t module, const char *name)
{
    uint32_t *address = NULL;
    size_t size = 0;
    assert_ok(zeModuleGetGlobalPointer(module, name, &size, (void **)&address));
    assert_int_equal(size, sizeof *address);
    return address;
}

static void expect_unlinked(ze_module_handle_t module, const char *name)
{
    const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
    ze_kernel_handle_t kernel = NULL;
    assert_result(zeKernelCreate(module, &desc, &kernel), ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);
}

static void run_helper(ze_module_handle_t module)
{
    uint32_t *numbers = alloc_shared(16 * sizeof *numbers);
    ze_kernel_handle_t kernel = create_kernel(module, "use_helper");
    for (uint32_t i = 0; i < 16; i++)
        numbers[i] = i;
    set_pointer(kernel, 0, numbers);
    run_kernel(kernel, 4, 4);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(numbers[i], 3 * i);
    assert_ok(zeKernelDestroy(kernel));
    free_memory(numbers);
}

static void the_library_keeps_its_variables(void **state)
{
    (void)state;
    void *address = NULL;
    const ze_module_handle_t modules[] = {
        load_module("user", GLOBALS), load_module("library", "-library-compilation")};
    assert_int_equal(flags_of(modules[0]), ZE_MODULE_PROPERTY_FLAG_IMPORTS);
    assert_int_equal(flags_of(modules[1]), 0);
    expect_unlinked(modules[0], "use_helper");
    link_well(modules, 2);
    assert_int_equal(flags_of(modules[0]), ZE_MODULE_PROPERTY_FLAG_IMPORTS);
    run_helper(modules[0]);
    assert_int_equal(*variable(modules[1], "calls"), 16);
    assert_result(zeModuleGetGlobalPointer(modules[0], "calls", NULL, &address),
        ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);
    *variable(modules[1], "calls") = 100;
    run_helper(modules[0]);
    assert_int_equal(*variable(modules[1], "calls"), 116);
    for (int i = 0; i < 2; i++)
        assert_ok(zeModuleDestroy(modules[i]));
}

static void linking_again_changes_nothing(void **state)
{
    (void)state;
    const ze_module_handle_t modules[] = {
        load_module("user", NULL), load_module("library", GLOBALS)};
    ze_module_handle_t same[] = {modules[1], modules[0]};
    link_well(modules, 2);
    run_helper(modules[0]);
    ze_kernel_handle_t kernel = create_kernel(modules[0], "use_helper");
    link_well(same, 2);
    link_well(modules, 1);
    assert_ok(zeModuleDynamicLink(2, same, NULL));
    assert_ok(zeKernelDestroy(kernel));
    run_helper(modules[0]);
    assert_int_equal(*variable(modules[1], "calls"), 32);
    for (int i = 0; i < 2; i++)
        assert_ok(zeModuleDestroy(modules[i]));
}

static void one_library_serves_several_users(void **state)
{
    (void)state;
    const ze_module_handle_t library = load_module("library", GLOBALS);
    const ze_module_handle_t first[] = {load_module("user", NULL), library};
    const ze_module_handle_t second[] = {load_module("user", NULL), library};
    link_well(first, 2);
    link_well(second, 2);
    run_helper(first[0]);
    run_helper(second[0]);
    assert_int_equal(*variable(library, "calls"), 32);
    assert_ok(zeModuleDestroy(first[0]));
    assert_ok(zeModuleDestroy(library));
    run_helper(second[0]);
    assert_ok(zeModuleDestroy(second[0]));
}

static void missing_symbols_are_named(void **state)
{
    (void)state;
    const ze_module_handle_t modules[] = {load_module("user", NULL),
        load_module("link_kernel", NULL), load_module("link_leaf", NULL),
        load_module("library", NULL)};
    char *log = link_modules(modules, 3, ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
    assert_non_null(strstr(log, "Unresolved Symbol <helper>\n"));
    assert_non_null(strstr(log, "Unresolved Symbol <scale>\n"));
    assert_non_null(strstr(log, "Unresolved Symbol <sum_of_group>\n"));
    assert_non_null(strstr(log, "Unresolved Symbol <scaled>\n"));
    assert_null(strstr(log, "tag"));
    free(log);
    expect_unlinked(modules[0], "use_helper");
    // A module that can be linked is, even if another can't.
    log = link_modules(modules, 4, ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
    assert_null(strstr(log, "helper"));
    free(log);
    run_helper(modules[0]);
    expect_unlinked(modules[1], "use_middle");
    for (int i = 0; i < 4; i++)
        assert_ok(zeModuleDestroy(modules[i]));
}

static void set_number(ze_module_handle_t module, const char *name, uint32_t number)
{
    const uint64_t value = number;
    ze_kernel_handle_t kernel = create_kernel(module, name);
    assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof number, &value));
    run_kernel(kernel, 1, 1);
    assert_ok(zeKernelDestroy(kernel));
}

// `own` and `leaf` are what the hidden variables of link_kernel.cl and link_leaf.cl hold.
static void run_middle(ze_module_handle_t module, uint32_t own, uint32_t leaf)
{
    enum { GROUPS = 2, SIZE = 8, COUNT = GROUPS * SIZE };
    uint32_t *numbers = alloc_shared(COUNT * sizeof *numbers);
    uint32_t *sums = alloc_shared(GROUPS * sizeof *sums);
    ze_kernel_handle_t kernel = create_kernel(module, "use_middle");
    for (uint32_t i = 0; i < COUNT; i++)
        numbers[i] = i;
    set_pointer(kernel, 0, numbers);
    set_pointer(kernel, 1, sums);
    assert_ok(zeKernelSetArgumentValue(kernel, 2, SIZE * sizeof *numbers, NULL));
    run_kernel(kernel, SIZE, GROUPS);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(numbers[i], i * i + 2 + leaf + 3 + i % 4 + 4 + own + 1);
    for (uint32_t i = 0; i < GROUPS; i++)
        assert_int_equal(sums[i], SIZE * SIZE * i + SIZE * (SIZE - 1) / 2);
    assert_ok(zeKernelDestroy(kernel));
    free_memory(numbers);
    free_memory(sums);
}

static void three_modules_link_at_once(void **state)
{
    (void)state;
    const ze_module_handle_t modules[] = {load_module("link_leaf", GLOBALS),
        load_module("link_kernel", GLOBALS), load_module("link_middle", GLOBALS)};
    link_well(modules, 3);
    run_middle(modules[1], 100, 1000);
    assert_int_equal(*variable(modules[2], "scaled"), 16);
    set_number(modules[0], "change_leaf", 5000);
    set_number(modules[1], "change_hidden", 1);
    run_middle(modules[1], 1, 5000);
    assert_int_equal(*variable(modules[0], "hidden_seen"), 5000);
    assert_int_equal(*variable(modules[2], "scaled"), 32);
    for (int i = 0; i < 3; i++)
        assert_ok(zeModuleDestroy(modules[i]));
}

static void expect_table(ze_module_handle_t module, const uint32_t expected[4])
{
    uint32_t *table = NULL;
    size_t size = 0;
    assert_ok(zeModuleGetGlobalPointer(module, "table", &size, (void **)&table));
    assert_int_equal(size, 4 * sizeof *table);
    assert_memory_equal(table, expected, size);
}

static void use_table(ze_module_handle_t module)
{
    uint32_t *out = alloc_shared(2 * sizeof *out);
    ze_kernel_handle_t kernel = create_kernel(module, "use_table");
    set_pointer(kernel, 0, out);
    run_kernel(kernel, 2, 1);
    assert_int_equal(out[0], 3);
    assert_int_equal(out[1], 5);
    assert_ok(zeKernelDestroy(kernel));
    free_memory(out);
}

// Also in a module that was linked, one that was not optimised, and a native binary.
static void constants_have_addresses(void **state)
{
    static const uint32_t expected[4] = {3, 4, 5, 6}, other[4] = {7, 7, 7, 7};
    static const char *const flags[] = {GLOBALS, "-cl-opt-disable"};
    (void)state;
    void *table = NULL;
    for (int i = 0; i < 2; i++) {
        const ze_module_handle_t modules[] = {load_module("link_leaf", flags[i]),
            load_module("link_kernel", GLOBALS), load_module("link_middle", GLOBALS)};
        expect_table(modules[0], expected);
        use_table(modules[0]);
        link_well(modules, 3);
        run_middle(modules[1], 100, 1000);
        expect_table(modules[0], expected);
        ze_module_handle_t again = reload_module(load_module("link_leaf", flags[i]));
        // What was written is not what kernels have to read, but it may be written.
        assert_ok(zeModuleGetGlobalPointer(modules[0], "table", NULL, &table));
        memcpy(table, other, sizeof other);
        expect_table(modules[0], other);
        expect_table(again, expected);
        use_table(again);
        assert_ok(zeModuleDestroy(again));
        for (int j = 0; j < 3; j++)
            assert_ok(zeModuleDestroy(modules[j]));
    }
}

static void three_modules_link_in_pairs(void **state)
{
    (void)state;
    const ze_module_handle_t kernel = load_module("link_kernel", NULL);
    const ze_module_handle_t middle = load_module("link_middle", NULL);
    const ze_module_handle_t leaf = load_module("link_leaf", NULL);
    const ze_module_handle_t lower[] = {middle, leaf}, upper[] = {kernel, middle};
    link_well(lower, 2);
    link_well(upper, 2);
    set_number(leaf, "change_leaf", 77);
    assert_ok(zeModuleDestroy(middle));
    assert_ok(zeModuleDestroy(leaf));
    run_middle(kernel, 100, 77);
    assert_ok(zeModuleDestroy(kernel));
}

static void two_modules_may_need_each_other(void **state)
{
    (void)state;
    uint32_t *out = alloc_shared(sizeof *out);
    const ze_module_handle_t modules[] = {
        load_module("link_ping", GLOBALS), load_module("link_pong", GLOBALS)};
    link_well(modules, 2);
    ze_kernel_handle_t start_ping = create_kernel(modules[0], "start_ping");
    ze_kernel_handle_t start_pong = create_kernel(modules[1], "start_pong");
    set_pointer(start_ping, 0, out);
    set_pointer(start_pong, 0, out);
    run_kernel(start_ping, 1, 1);
    assert_int_equal(*out, 2 * (1 + 5) + 7);
    run_kernel(start_pong, 1, 1);
    assert_int_equal(*out, 3 + 5);
    run_kernel(start_ping, 1, 1);
    assert_int_equal(*out, 2 * (1 + 6) + 8);
    assert_int_equal(*variable(modules[0], "pings"), 6);
    assert_int_equal(*variable(modules[1], "pongs"), 9);
    assert_ok(zeKernelDestroy(start_ping));
    assert_ok(zeKernelDestroy(start_pong));
    for (int i = 0; i < 2; i++)
        assert_ok(zeModuleDestroy(modules[i]));
    free_memory(out);
}

// The binary of a linked module is that of the module before.
static void native_binaries_link(void **state)
{
    (void)state;
    ze_module_handle_t user = load_module("user", NULL), library = load_module("library", GLOBALS);
    ze_module_handle_t modules[] = {reload_module(user), library};
    link_well(modules, 2);
    run_helper(modules[0]);
    modules[0] = reload_module(modules[0]);
    modules[1] = reload_module(modules[1]);
    expect_unlinked(modules[0], "use_helper");
    link_well(modules, 2);
    run_helper(modules[0]);
    assert_int_equal(*variable(modules[1], "calls"), 16);
    for (int i = 0; i < 2; i++)
        assert_ok(zeModuleDestroy(modules[i]));
}

static void link_and_run(void *argument)
{
    const ze_module_handle_t modules[] = {load_module("user", NULL), argument};
    link_well(modules, 2);
    run_helper(modules[0]);
    assert_ok(zeModuleDestroy(modules[0]));
}

static void threads_link_with_one_library(void **state)
{
    (void)state;
    unsigned long threads[4];
    ze_module_handle_t library = load_module("library", GLOBALS);
    for (int i = 0; i < 4; i++)
        threads[i] = start_later(0, link_and_run, library);
    for (int i = 0; i < 4; i++)
        join_later(threads[i]);
    assert_int_equal(*variable(library, "calls"), 64);
    assert_ok(zeModuleDestroy(library));
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    ze_module_handle_t modules[] = {load_module("library", NULL), NULL};
    assert_result(zeModuleDynamicLink(1, NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    assert_result(zeModuleDynamicLink(2, modules, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    assert_ok(zeModuleDestroy(modules[0]));
}

// Takes out the lines of functions that clang since 21 makes of kernels' bodies.
static void drop_kernel_bodies(char *text)
{
    for (char *line = text; *line != '\0';) {
        char *next = strchr(line, '\n') + 1;
        char *body = strstr(line, "<__clang_ocl_kern_imp_");
        if (body != NULL && body < next)
            memmove(line, next, strlen(next) + 1);
        else
            line = next;
    }
}

static void expect_inspection(
    ze_module_handle_t *modules, uint32_t count, uint32_t flags, const char *expected)
{
    ze_linkage_inspection_ext_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_LINKAGE_INSPECTION_EXT_DESC, .flags = flags};
    ze_module_build_log_handle_t log = NULL;
    char text[1024] = "";
    size_t size = sizeof text;
    assert_ok(zeModuleInspectLinkageExt(&desc, count, modules, &log));
    assert_ok(zeModuleBuildLogGetString(log, &size, text));
    assert_ok(zeModuleBuildLogDestroy(log));
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        assert_non_null(strstr(line, ">: "));
    drop_kernel_bodies(text);
    const char *said = strstr(text, ">: ");
    assert_string_equal(said ? said + 3 : "", expected);
}

static void linkage_can_be_inspected(void **state)
{
    (void)state;
    ze_module_handle_t modules[] = {load_module("user", NULL), load_module("link_pong", NULL)};
    expect_inspection(
        modules, 1, ZE_LINKAGE_INSPECTION_EXT_FLAG_IMPORTS, "Imported Symbol <helper>\n");
    expect_inspection(modules, 1, ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS,
        "Unresolvable Imported Symbol <helper>\n");
    expect_inspection(modules, 1, ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS, "");
    assert_ok(zeModuleDestroy(modules[1]));
    modules[1] = load_module("library", NULL);
    expect_inspection(modules, 2, ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS, "");
    for (int i = 0; i < 2; i++)
        assert_ok(zeModuleDestroy(modules[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_keeps_its_variables),
        cmocka_unit_test(linking_again_changes_nothing),
        cmocka_unit_test(one_library_serves_several_users),
        cmocka_unit_test(missing_symbols_are_named),
        cmocka_unit_test(three_modules_link_at_once),
        cmocka_unit_test(constants_have_addresses),
        cmocka_unit_test(three_modules_link_in_pairs),
        cmocka_unit_test(two_modules_may_need_each_other),
        cmocka_unit_test(native_binaries_link),
        cmocka_unit_test(threads_link_with_one_library),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(linkage_can_be_inspected),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
