// SPDX-License-Identifier: MIT
//
// Built binaries are kept on disk: what was compiled once is not compiled again, and what is there and wrong does no harm.

#include "runtime.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cache/cache.h"

static char folder[64];

static void each_entry(void (*visit)(const char *path))
{
    char path[512];
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.')
            visit(path);
    }
    closedir(directory);
}

static void remove_file(const char *path)
{
    unlink(path);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/mez-cached-XXXXXX");
    assert_non_null(mkdtemp(folder));
    setenv("MEZ_CACHE", folder, 1);
    noop_reset();
    return 0;
}

static int remove_folder(void **state)
{
    each_entry(remove_file);
    rmdir(folder);
    unsetenv("MEZ_CACHE");
    return driver_teardown(state);
}

// A start of a program: a context, a kernel, and what that cost.
struct start {
    struct noop_config config;
    const char *file, *kernel, *flags;
    const mez_spec_constant *constants;
    uint32_t constant_count;
};

static struct start saxpy(void)
{
    return (struct start){
        .config = noop_config_default(), .file = "kernels.spv", .kernel = "saxpy"};
}

static mez_error build(mez_context *context, const struct start *start)
{
    static unsigned char code[1 << 20];
    FILE *stream = fopen(file_of(start->file), "rb");
    assert_non_null(stream);
    const mez_image_params params = {.code = code,
        .size = fread(code, 1, sizeof code, stream),
        .build_flags = start->flags,
        .constants = start->constants,
        .constant_count = start->constant_count};
    fclose(stream);
    mez_image *image = NULL;
    mez_kernel *kernel = NULL;
    mez_error error = mez_image_create(context, &params, &image);
    if (!mez_failed(error))
        error = mez_kernel_create(image, start->kernel, &kernel);
    if (!mez_failed(error))
        error = mez_kernel_build(kernel, NULL);
    mez_kernel_destroy(&kernel);
    mez_image_destroy(&image);
    return error;
}

static void expect(const struct start *start, uint64_t compilations, uint64_t loads)
{
    mez_context *context;
    noop_reset();
    noop_configure(&start->config);
    assert_ok(mez_context_create(NULL, &context));
    assert_ok(build(context, start));
    assert_int_equal(noop_compilations(), compilations);
    assert_int_equal(noop_native_loads(), loads);
    mez_context_destroy(&context);
}

static void test_a_second_start_compiles_nothing(void **state)
{
    (void)state;
    const struct start start = saxpy();
    expect(&start, 1, 0);
    expect(&start, 0, 1);
    expect(&start, 0, 1);
    setenv("MEZ_CACHE", "off", 1);
    expect(&start, 1, 0);
    setenv("MEZ_CACHE", folder, 1);
}

static void test_whatever_differs_is_compiled(void **state)
{
    (void)state;
    const uint8_t six = 6, seven = 7;
    const mez_spec_constant small = {12, 1, &six}, large = {12, 1, &seven};
    struct start first = saxpy(), other = first;
    expect(&first, 1, 0);
    other.flags = "-ze-opt-level=1";
    expect(&other, 1, 0);
    expect(&other, 0, 1);
    other = first;
    other.config.driver_version++;
    expect(&other, 1, 0);
    other = first;
    other.config.device_id++;
    expect(&other, 1, 0);
    other = first;
    other.config.name = "another device";
    expect(&other, 1, 0);
    setenv("IGC_EnableDPEmulation", "1", 1);
    expect(&first, 1, 0);
    unsetenv("IGC_EnableDPEmulation");

    other = first;
    other.file = "constants.spv";
    other.kernel = "constants";
    expect(&other, 1, 0);
    other.constants = &large;
    other.constant_count = 1;
    expect(&other, 1, 0);
    other.constants = &small;
    expect(&other, 0, 1); // the code's own value
    expect(&first, 0, 1);
}

static void cut(const char *path)
{
    assert_int_equal(truncate(path, 100), 0);
}

static void test_damaged_entries_are_built_anew(void **state)
{
    (void)state;
    const struct start start = saxpy();
    expect(&start, 1, 0);
    each_entry(cut);
    expect(&start, 1, 0);
    expect(&start, 0, 1);
}

static void test_refused_entries_are_built_anew(void **state)
{
    (void)state;
    const struct start start = saxpy();
    mez_context *context;
    expect(&start, 1, 0);
    noop_reset();
    noop_fail("zeModuleCreate", 1, ZE_RESULT_ERROR_INVALID_NATIVE_BINARY);
    assert_ok(mez_context_create(NULL, &context));
    assert_ok(build(context, &start));
    assert_int_equal(noop_native_loads(), 1);
    assert_int_equal(noop_compilations(), 1);
    mez_context_destroy(&context);
    expect(&start, 0, 1);
}

static unsigned from_hex(const char *digits)
{
    char byte[3] = {digits[0], digits[1], '\0'};
    return (unsigned)strtoul(byte, NULL, 16);
}

// Another kernel's code in the entry's place, with the right checksum.
static void replace(const char *path)
{
    static unsigned char code[1 << 20];
    const mez_cache_params params = {.folder = folder};
    mez_cache_key key;
    mez_cache *cache;
    FILE *stream = fopen(file_of("constants.spv"), "rb");
    assert_non_null(stream);
    const size_t size = fread(code, 1, sizeof code, stream);
    fclose(stream);
    for (size_t i = 0; i < sizeof key.digest; i++)
        key.digest[i] = (uint8_t)from_hex(strrchr(path, '/') + 1 + 2 * i);
    assert_ok(mez_cache_open(&params, &cache));
    assert_true(mez_cache_put(cache, &key, code, size));
    mez_cache_close(&cache);
}

static void test_entries_without_the_kernels_are_built_anew(void **state)
{
    (void)state;
    const struct start start = saxpy();
    expect(&start, 1, 0);
    each_entry(replace);
    expect(&start, 1, 1);
    expect(&start, 0, 1);
}

// The kernel by itself is; a compiler that has learned better is asked for the whole again.
static void test_modules_without_the_kernels_are_not_kept(void **state)
{
    (void)state;
    struct start start = saxpy();
    start.config.left_out = "saxpy";
    expect(&start, 2, 0);
    expect(&start, 1, 1);
    start.config.left_out = NULL;
    expect(&start, 1, 0);
    expect(&start, 0, 1);
}

// By two calls of the driver: how many there are, and which.
static void test_kernels_are_listed_once_for_each_build(void **state)
{
    (void)state;
    const struct start start = saxpy();
    expect(&start, 1, 0);
    assert_int_equal(noop_calls("zeModuleGetKernelNames"), 2);
    expect(&start, 0, 1);
    assert_int_equal(noop_calls("zeModuleGetKernelNames"), 2);
}

static void test_a_debugger_gets_what_is_compiled_for_it(void **state)
{
    (void)state;
    const struct start start = saxpy();
    expect(&start, 1, 0);
    setenv("ZET_ENABLE_PROGRAM_DEBUGGING", "1", 1);
    expect(&start, 1, 0);
    unsetenv("ZET_ENABLE_PROGRAM_DEBUGGING");
}

// Two modules, and the question whether the driver knows asserts.
static void test_images_with_asserts(void **state)
{
    (void)state;
    struct start start = saxpy();
    start.file = "asserts.spv";
    start.kernel = "checked";
    start.config = linking_config();
    start.config.extensions = NULL;
    expect(&start, 3, 0);
    expect(&start, 0, 2);
}

static void test_asserts_of_the_driver_are_compiled_each_time(void **state)
{
    (void)state;
    struct start start = saxpy();
    start.file = "asserts.spv";
    start.kernel = "checked";
    start.config.resolved_imports = "__devicelib_assert_fail";
    expect(&start, 2, 0);
    expect(&start, 1, 0); // the answer is known, the module is made
}

static void test_a_driver_that_gives_out_nothing(void **state)
{
    (void)state;
    const struct start start = saxpy();
    mez_context *context;
    noop_fail("zeModuleGetNativeBinary", 1, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    assert_ok(mez_context_create(NULL, &context));
    assert_ok(build(context, &start));
    mez_context_destroy(&context);
    expect(&start, 1, 0);
}

static void test_no_host_memory(void **state)
{
    (void)state;
    const struct start start = saxpy();
    mez_context *context;
    for (int warm = 0; warm < 2; warm++) {
        bool failed = true; // was there an allocation that failed?
        for (uint64_t n = 1; failed; n++) {
            assert_ok(mez_context_create(NULL, &context));
            mez_alloc_fail_at(n);
            const mez_error error = build(context, &start);
            failed = mez_alloc_fail_at(0) >= n;
            if (mez_failed(error))
                assert_condition(error, MEZ_ERRC_OUT_OF_HOST_MEMORY);
            mez_context_destroy(&context);
            assert_int_equal(noop_live_total(), 0);
        }
        expect(&start, 0, 1); // nothing wrong was kept
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_second_start_compiles_nothing),
        TEST(test_whatever_differs_is_compiled),
        TEST(test_damaged_entries_are_built_anew),
        TEST(test_refused_entries_are_built_anew),
        TEST(test_entries_without_the_kernels_are_built_anew),
        TEST(test_modules_without_the_kernels_are_not_kept),
        TEST(test_kernels_are_listed_once_for_each_build),
        TEST(test_a_debugger_gets_what_is_compiled_for_it),
        TEST(test_images_with_asserts),
        TEST(test_asserts_of_the_driver_are_compiled_each_time),
        TEST(test_a_driver_that_gives_out_nothing),
        TEST(test_no_host_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
