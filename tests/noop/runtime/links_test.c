// SPDX-License-Identifier: MIT
//
// How images with asserts are linked: which variant of the device library, by which way, and where nothing may be linked. The
// driver here refuses what defines a symbol twice, as Intel's does.

#include "runtime.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "device/platform.h"
#include "image/asserts.h"
#include "kernel/use.h"

#define FAIL "__devicelib_assert_fail"
#define RENAMED "__mez_assert_fail"
#define FIRST "__SYCL_AssertHappenedMem"
#define LATER "SPIR_AssertHappenedMem"

// What the runtime is asked for; a context of its own each time, so that nothing is known of the device.
struct wish {
    bool cannot_link_programs, programs_stay_unlinked;
    bool resolves, lists; // the driver brings asserts
    bool recoverable, many;
};

struct built {
    mez_context *context;
    mez_kernel *kernel;
    const mez_module *module;
};

static struct noop_config config_of(const struct wish *wish)
{
    static const char *const linking[] = {"ZE_experimental_module_program", NULL};
    static const char *const both[] = {
        "ZE_experimental_module_program", "cl_intel_devicelib_assert", NULL};
    struct noop_config config = linking_config();
    config.extensions = wish->cannot_link_programs ? NULL : wish->lists ? both : linking;
    config.resolved_imports = wish->resolves || wish->lists ? FAIL : NULL;
    config.programs_stay_unlinked = wish->programs_stay_unlinked;
    return config;
}

static void start(const struct wish *wish, struct built *built)
{
    const struct noop_config config = config_of(wish);
    noop_reset();
    noop_count_exactly(true);
    noop_configure(&config);
    assert_ok(mez_context_create(NULL, &built->context));
    mez_platform *platform = mez_platform_of(built->context);
    platform->assert_needs->recoverable = wish->recoverable;
    platform->assert_needs->many = wish->many;
}

static void load(const char *file, struct built *built)
{
    built->kernel = load_kernel(built->context, file, "checked");
}

static struct built build(const char *file, const struct wish *wish)
{
    struct built built;
    start(wish, &built);
    load(file, &built);
    assert_ok(mez_kernel_build(built.kernel, NULL));
    built.module = built.kernel->spare_uses->module;
    return built;
}

static void finish(struct built *built)
{
    mez_kernel_destroy(&built->kernel);
    mez_context_destroy(&built->context);
    assert_int_equal(noop_live_total(), 0);
}

// The kernel of the driver, as the loader knows it.
static ze_kernel_indirect_access_flags_t indirect_access(const struct built *built)
{
    ze_kernel_indirect_access_flags_t flags = 0;
    assert_int_equal(
        zeKernelGetIndirectAccess(built->kernel->spare_uses->ze, &flags), ZE_RESULT_SUCCESS);
    return flags;
}

static void assert_reads(const struct built *built, const char *variable)
{
    assert_non_null(built->module->assert_record);
    assert_ptr_equal(built->module->assert_record, noop_global(variable));
    assert_true(built->module->assert_record_size >= 704);
    assert_false(built->module->native_asserts);
    assert_non_null(built->kernel->spare_uses->asserting_module);
}

static void assert_reads_nothing(const struct built *built)
{
    assert_null(built->module->assert_record);
    assert_null(built->module->assert_log);
    assert_int_equal(
        built->kernel->spare_uses->asserting_module != NULL, built->module->native_asserts);
}

// --- Which library

static void test_names_follow_the_image(void **state)
{
    (void)state;
    static const struct {
        const char *file, *variable;
        uint32_t c_asserts;
    } cases[] = {
        {"asserts.spv", FIRST, 0}, {"links_0.spv", FIRST, 0}, {"links_1.spv", FIRST, 1}, // its own
        {"links_2.spv", LATER, 0}, {"links_3.spv", LATER, 0}, {"links_9.spv", FIRST, 1}, // ours
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct built built = build(cases[i].file, &(struct wish){0});
        assert_reads(&built, cases[i].variable);
        assert_int_equal(noop_exporters(FIRST) + noop_exporters(LATER), 1);
        assert_int_equal(noop_exporters(FAIL), 1);
        assert_int_equal(noop_exporters("__assert_fail"), cases[i].c_asserts);
        assert_true(mez_kernel_uses_assert(built.kernel));
        assert_null(built.module->assert_log);
        assert_false(built.module->reaches_others);
        finish(&built);
    }
}

static void test_no_library_has_both_names(void **state)
{
    (void)state;
    struct built built;
    start(&(struct wish){0}, &built);
    load("links_4.spv", &built);
    const mez_error error = mez_kernel_build(built.kernel, NULL);
    assert_story(error, MEZ_ERRC_LINK_PROGRAM, "unresolved: " FIRST);
    assert_null(strstr(story_of(error), LATER));
    finish(&built);
}

static void test_many_are_collected_where_asked_for(void **state)
{
    (void)state;
    static const struct wish wishes[] = {
        {.many = true},
        {.many = true, .cannot_link_programs = true},
        {.many = true, .recoverable = true, .resolves = true},
    };
    for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++)
        for (int image = 0; image < 3; image += 2) {
            struct built built = build(image ? "links_2.spv" : "links_0.spv", &wishes[i]);
            assert_reads(&built, image ? LATER : FIRST);
            assert_non_null(built.module->assert_log);
            assert_ptr_equal(built.module->assert_log, noop_global("__mez_assert_log"));
            assert_int_equal(noop_exporters("__mez_assert_log"), 1);
            finish(&built);
        }
}

// --- By which way

static void test_links_dynamically_where_programs_are_unknown(void **state)
{
    (void)state;
    struct built built = build("links_0.spv", &(struct wish){.cannot_link_programs = true});
    assert_reads(&built, FIRST);
    assert_true(built.module->reaches_others);
    assert_int_equal(noop_calls("zeModuleDynamicLink"), 1);
    assert_int_equal(noop_live(NOOP_MODULE), 2); // the library lives as long as the module
    char flags[256];
    noop_build_flags(flags, sizeof flags);
    assert_contains(flags, "-library-compilation");
    finish(&built);
}

// Nothing but the driver, which forgets it, knows that the variable lies in another module.
static void test_libraries_of_their_own_are_kept_reachable(void **state)
{
    (void)state;
    struct built built = build("links_10.spv", &(struct wish){0});
    assert_int_equal(indirect_access(&built), 0);
    finish(&built);
    built = build("links_10.spv", &(struct wish){.cannot_link_programs = true});
    assert_int_equal(indirect_access(&built), ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE);
    finish(&built);
}

// Intel's compiler crashes on a library that asks for ids, as this function does.
static void test_c_assert_needs_programs(void **state)
{
    (void)state;
    struct built built;
    start(&(struct wish){.cannot_link_programs = true}, &built);
    load("links_9.spv", &built);
    assert_story(
        mez_kernel_build(built.kernel, NULL), MEZ_ERRC_LINK_PROGRAM, "<mezzanine/assert.h>");
    assert_int_equal(noop_live(NOOP_MODULE), 0);
    finish(&built);
}

static void test_links_again_what_the_driver_left_unlinked(void **state)
{
    (void)state;
    struct built built = build("links_0.spv", &(struct wish){.programs_stay_unlinked = true});
    assert_reads(&built, FIRST);
    assert_true(built.module->reaches_others);
    assert_int_equal(noop_calls("zeModuleDynamicLink"), 1);
    finish(&built);
}

static void test_the_way_can_be_chosen(void **state)
{
    (void)state;
    setenv("MEZ_ASSERT_LINK", "dynamic", 1);
    struct built built = build("links_0.spv", &(struct wish){0});
    assert_true(built.module->reaches_others);
    finish(&built);
    setenv("MEZ_ASSERT_LINK", "program", 1);
    built = build("links_0.spv", &(struct wish){0});
    assert_false(built.module->reaches_others);
    finish(&built);
    setenv("MEZ_ASSERT_LINK", "static", 1);
    assert_story(mez_context_create(NULL, &built.context), MEZ_ERRC_INVALID_PARAMETER,
        "use program or dynamic");
    unsetenv("MEZ_ASSERT_LINK");
}

static void test_a_failed_link_leaves_nothing(void **state)
{
    (void)state;
    struct built built;
    start(&(struct wish){.cannot_link_programs = true}, &built);
    load("links_0.spv", &built);
    for (int i = 1; i <= 2; i++) // of all kernels, and of this one alone
        noop_fail("zeModuleDynamicLink", i, ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
    assert_story(
        mez_kernel_build(built.kernel, NULL), MEZ_ERRC_LINK_PROGRAM, "zeModuleDynamicLink");
    assert_int_equal(noop_live(NOOP_MODULE), 0);
    assert_int_equal(noop_live(NOOP_BUILD_LOG), 0);
    assert_ok(mez_kernel_build(built.kernel, NULL)); // not remembered
    finish(&built);
}

// --- Where nothing may be linked

static void test_own_libraries_are_not_linked_again(void **state)
{
    (void)state;
    static const struct {
        const char *file, *variable;
    } cases[] = {
        {"links_5.spv", FIRST},
        {"links_6.spv", LATER},
        {"links_7.spv", NULL},
        {"links_8.spv", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct built built = build(cases[i].file, &(struct wish){.many = true});
        assert_true(mez_kernel_uses_assert(built.kernel));
        if (cases[i].variable)
            assert_reads(&built, cases[i].variable);
        else
            assert_reads_nothing(&built);
        assert_int_equal(noop_exporters(FAIL), 1);
        char flags[256];
        noop_build_flags(flags, sizeof flags);
        if (cases[i].variable)
            assert_contains(flags, "-ze-take-global-address");
        finish(&built);
    }
}

// --- Native asserts

static void test_native_asserts_are_left_to_the_driver(void **state)
{
    (void)state;
    static const struct wish wishes[] = {{.resolves = true}, {.lists = true}};
    for (size_t i = 0; i < 2; i++) {
        struct built built = build("links_0.spv", &wishes[i]);
        assert_true(built.module->native_asserts);
        assert_reads_nothing(&built);
        assert_int_equal(noop_exporters(FAIL), 0);
        assert_int_equal(noop_importers(FAIL), 1);
        finish(&built);

        // The driver knows nothing of what C's assert calls.
        built = build("links_9.spv", &wishes[i]);
        assert_true(built.module->native_asserts);
        assert_reads_nothing(&built);
        assert_int_equal(noop_exporters("__assert_fail"), 1);
        assert_int_equal(noop_exporters(FAIL), 0);
        finish(&built);
    }
}

static void test_recoverable_asserts_hide_from_the_compiler(void **state)
{
    (void)state;
    static const struct wish wishes[] = {{.resolves = true, .recoverable = true},
        {.lists = true, .recoverable = true},
        {.resolves = true, .recoverable = true, .cannot_link_programs = true}};
    static const char *const files[] = {"links_0.spv", "links_1.spv", "links_9.spv"};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) {
            if (j == 2 && wishes[i].cannot_link_programs)
                continue;
            struct built built = build(files[j], &wishes[i]);
            assert_reads(&built, FIRST);
            assert_int_equal(noop_importers(FAIL) + noop_exporters(FAIL), 0);
            assert_int_equal(noop_exporters(RENAMED), 1);
            assert_int_equal(noop_importers(RENAMED), 1);
            finish(&built);
        }
}

static void test_recoverable_needs_no_renaming_elsewhere(void **state)
{
    (void)state;
    struct built built = build("links_0.spv", &(struct wish){.recoverable = true});
    assert_reads(&built, FIRST);
    assert_int_equal(noop_exporters(FAIL), 1);
    assert_int_equal(noop_exporters(RENAMED), 0);
    finish(&built);
}

static void test_own_libraries_on_native_drivers(void **state)
{
    (void)state;
    // The compiler replaces the body.
    struct built built = build("links_5.spv", &(struct wish){.resolves = true});
    assert_true(built.module->native_asserts);
    assert_reads_nothing(&built);
    finish(&built);

    // Not one that it does not know.
    built = build("links_5.spv", &(struct wish){.resolves = true, .recoverable = true});
    assert_reads(&built, FIRST);
    assert_int_equal(noop_exporters(RENAMED), 1);
    assert_int_equal(noop_exporters(FAIL), 0);
    finish(&built);

    // What is only listed is for those who bring nothing.
    built = build("links_5.spv", &(struct wish){.lists = true});
    assert_reads(&built, FIRST);
    finish(&built);
}

static void assert_refused(
    const char *file, const struct wish *wish, mez_condition condition, const char *words)
{
    struct built built;
    start(wish, &built);
    load(file, &built);
    const mez_error error = mez_kernel_build(built.kernel, NULL);
    assert_story(error, condition, words);
    assert_contains(story_of(error), "it has 2 parameters, not 10");
    finish(&built);
}

// Where a compiler would put another function in its place.
static void test_own_functions_of_another_signature(void **state)
{
    (void)state;
    assert_refused("links_11.spv", &(struct wish){.resolves = true}, MEZ_ERRC_LINK_PROGRAM,
        "the device's compiler replaces it by its own function");
    static const struct wish wishes[] = {
        {0}, {.lists = true}, {.resolves = true, .recoverable = true}};
    for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++) {
        struct built built = build("links_11.spv", &wishes[i]);
        assert_false(built.module->native_asserts);
        finish(&built);
    }
}

static void test_imports_of_another_signature(void **state)
{
    (void)state;
    static const struct wish wishes[] = {
        {0}, {.lists = true}, {.resolves = true}, {.resolves = true, .recoverable = true}};
    for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++)
        assert_refused("links_12.spv", &wishes[i], MEZ_ERRC_KERNEL_NOT_SUPPORTED,
            "with a signature other than the published one");
}

static void test_debuggers_keep_native_asserts(void **state)
{
    (void)state;
    setenv("ZET_ENABLE_PROGRAM_DEBUGGING", "1", 1);
    struct built built =
        build("links_0.spv", &(struct wish){.resolves = true, .recoverable = true});
    assert_true(built.module->native_asserts);
    assert_reads_nothing(&built);
    finish(&built);
    built = build("links_0.spv", &(struct wish){.recoverable = true});
    assert_reads(&built, FIRST);
    finish(&built);
    unsetenv("ZET_ENABLE_PROGRAM_DEBUGGING");
}

static void test_the_driver_is_asked_once(void **state)
{
    (void)state;
    mez_native_asserts how;
    struct built built;
    start(&(struct wish){.resolves = true}, &built);
    mez_device *device = &mez_platform_of(built.context)->devices[0];

    // Not for images without asserts.
    built.kernel = load_kernel(built.context, "kernels.spv", "nothing");
    assert_ok(mez_kernel_build(built.kernel, NULL));
    assert_int_equal(noop_calls("zeModuleCreate"), 1);

    // A failure does not count as an answer.
    noop_fail("zeModuleCreate", 1, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    assert_condition(mez_native_assert(device, &how), MEZ_ERRC_OUT_OF_HOST_MEMORY);
    noop_fail("zeModuleGetProperties", 1, ZE_RESULT_ERROR_DEVICE_LOST);
    assert_condition(mez_native_assert(device, &how), MEZ_ERRC_DEVICE_LOST);

    const uint64_t before = noop_calls("zeModuleCreate");
    for (int i = 0; i < 3; i++) {
        assert_ok(mez_native_assert(device, &how));
        assert_int_equal(how, MEZ_NATIVE_ASSERTS_COMPILED);
    }
    assert_int_equal(noop_calls("zeModuleCreate"), before + 1);
    finish(&built);
}

static void test_what_drivers_answer(void **state)
{
    (void)state;
    static const struct {
        struct wish wish;
        ze_result_t refusal;
        mez_native_asserts how;
        uint64_t builds;
    } cases[] = {
        {{0}, ZE_RESULT_SUCCESS, MEZ_NATIVE_ASSERTS_NONE, 1},
        {{.resolves = true}, ZE_RESULT_SUCCESS, MEZ_NATIVE_ASSERTS_COMPILED, 1},
        {{.lists = true}, ZE_RESULT_SUCCESS, MEZ_NATIVE_ASSERTS_LISTED, 0},
        {{0}, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, MEZ_NATIVE_ASSERTS_NONE, 1},
        {{0}, ZE_RESULT_ERROR_MODULE_LINK_FAILURE, MEZ_NATIVE_ASSERTS_NONE, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct built built = {NULL, NULL, NULL};
        mez_native_asserts how;
        start(&cases[i].wish, &built);
        if (cases[i].refusal)
            noop_fail("zeModuleCreate", 1, cases[i].refusal);
        assert_ok(mez_native_assert(&mez_platform_of(built.context)->devices[0], &how));
        assert_int_equal(how, cases[i].how);
        assert_int_equal(noop_calls("zeModuleCreate"), cases[i].builds);
        finish(&built);
    }
}

static void test_parts_answer_as_their_device(void **state)
{
    (void)state;
    struct built built = {NULL, NULL, NULL};
    start(&(struct wish){.resolves = true}, &built);
    mez_context_destroy(&built.context);
    struct noop_config config = config_of(&(struct wish){.resolves = true});
    config.sub_devices = 2;
    noop_configure(&config);
    assert_ok(mez_context_create(NULL, &built.context));
    mez_platform *platform = mez_platform_of(built.context);
    assert_int_equal(platform->device_total, 3);
    for (uint32_t i = 0; i < 3; i++) {
        mez_native_asserts how;
        assert_ok(mez_native_assert(&platform->devices[2 - i], &how));
        assert_int_equal(how, MEZ_NATIVE_ASSERTS_COMPILED);
    }
    assert_int_equal(noop_calls("zeModuleCreate"), 1);
    finish(&built);
}

// --- Whatever fails

static const struct wish walked[] = {
    {0},
    {.cannot_link_programs = true},
    {.programs_stay_unlinked = true},
    {.resolves = true},
    {.resolves = true, .recoverable = true, .many = true},
};
static const char *const walked_files[] = {"links_0.spv", "links_3.spv", "links_5.spv"};

// The first build may fail, the second does not, and nothing is left of either.
static void build_twice(struct built *built)
{
    mez_error_ignore(mez_kernel_build(built->kernel, NULL));
    mez_alloc_fail_at(0);
    assert_ok(mez_kernel_build(built->kernel, NULL));
    finish(built);
}

static void walk_calls_of(const struct wish *wish, const char *file)
{
    for (uint64_t n = 1;; n++) {
        struct built built;
        start(wish, &built);
        load(file, &built);
        noop_fail(NULL, n, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
        const uint64_t before = noop_fired();
        build_twice(&built);
        if (noop_fired() > before && n < 100)
            continue;
        assert_uint_in_range(n, 4, 99);
        return;
    }
}

static void test_survives_every_failed_call(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof walked / sizeof walked[0]; i++)
        for (size_t j = 0; j < sizeof walked_files / sizeof walked_files[0]; j++)
            walk_calls_of(&walked[i], walked_files[j]);
}

static void test_survives_every_failed_allocation(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof walked / sizeof walked[0]; i++)
        for (uint64_t n = 1; n < 40; n++) {
            struct built built;
            start(&walked[i], &built);
            load("links_0.spv", &built);
            mez_alloc_fail_at(n);
            build_twice(&built);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_follow_the_image),
        cmocka_unit_test(test_no_library_has_both_names),
        cmocka_unit_test(test_many_are_collected_where_asked_for),
        cmocka_unit_test(test_links_dynamically_where_programs_are_unknown),
        cmocka_unit_test(test_libraries_of_their_own_are_kept_reachable),
        cmocka_unit_test(test_c_assert_needs_programs),
        cmocka_unit_test(test_links_again_what_the_driver_left_unlinked),
        cmocka_unit_test(test_the_way_can_be_chosen),
        cmocka_unit_test(test_a_failed_link_leaves_nothing),
        cmocka_unit_test(test_own_libraries_are_not_linked_again),
        cmocka_unit_test(test_native_asserts_are_left_to_the_driver),
        cmocka_unit_test(test_recoverable_asserts_hide_from_the_compiler),
        cmocka_unit_test(test_recoverable_needs_no_renaming_elsewhere),
        cmocka_unit_test(test_own_libraries_on_native_drivers),
        cmocka_unit_test(test_own_functions_of_another_signature),
        cmocka_unit_test(test_imports_of_another_signature),
        cmocka_unit_test(test_debuggers_keep_native_asserts),
        cmocka_unit_test(test_the_driver_is_asked_once),
        cmocka_unit_test(test_what_drivers_answer),
        cmocka_unit_test(test_parts_answer_as_their_device),
        cmocka_unit_test(test_survives_every_failed_call),
        cmocka_unit_test(test_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
