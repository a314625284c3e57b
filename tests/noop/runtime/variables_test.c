// SPDX-License-Identifier: MIT
//
// Variables that are not there, that a driver hides, and the flag that shows them.

#include "runtime.h"

static const char hides_all[] = "zeModuleGetGlobalPointer";

static mez_error ask(mez_kernel *kernel, const char *name)
{
    void *pointer = kernel;
    size_t size = 1;
    const mez_error error = mez_kernel_get_variable(kernel, NULL, name, &pointer, &size);
    if (!mez_failed(error))
        assert_non_null(pointer);
    assert_int_equal(pointer == NULL, mez_failed(error));
    assert_int_equal(size == 0, mez_failed(error));
    return error;
}

static void test_null(void **state)
{
    runtime *r = *state;
    void *pointer = r;
    size_t size = 1;
    assert_story(mez_kernel_get_variable(NULL, NULL, "x", &pointer, &size),
        MEZ_ERRC_INVALID_PARAMETER, "mez_kernel_get_variable needs \"kernel\"");
    assert_null(pointer);
    assert_int_equal(size, 0);
    assert_story(mez_kernel_get_variable(r->nothing, NULL, NULL, &pointer, NULL),
        MEZ_ERRC_INVALID_PARAMETER, "needs \"name\"");
    assert_story(mez_kernel_get_variable(r->nothing, NULL, "x", NULL, NULL),
        MEZ_ERRC_INVALID_PARAMETER, "needs \"pointer\"");
}

static void test_devices_of_other_contexts(void **state)
{
    runtime *r = *state;
    mez_context *other;
    void *pointer;
    assert_ok(mez_context_create(NULL, &other));
    assert_condition(
        mez_kernel_get_variable(r->nothing, mez_context_get_device(other, 0), "x", &pointer, NULL),
        MEZ_ERRC_INVALID_PARAMETER);
    mez_context_destroy(&other);
}

static void test_names_that_no_code_has(void **state)
{
    runtime *r = *state;
    assert_story_of(mez_kernel_get_variable, ask(r->nothing, "x"), MEZ_ERRC_INVALID_PARAMETER,
        "its variables: none that is exported");
    mez_kernel *plain = load_kernel(r->context, "variables.spv", "plain");
    assert_story_of(mez_kernel_get_variable, ask(plain, "shwon"), MEZ_ERRC_INVALID_PARAMETER,
        "perhaps meant: shown");
    assert_story_of(mez_kernel_get_variable, ask(plain, "x"), MEZ_ERRC_INVALID_PARAMETER,
        "its variables: shown, squares");
    assert_story_of(mez_kernel_get_variable, ask(plain, "hidden"), MEZ_ERRC_INVALID_PARAMETER,
        "remove \"static\"");
    assert_ok(ask(plain, "shown"));
    mez_kernel_destroy(&plain);
}

// Each driver has an answer of its own.
static void test_drivers_that_hide_variables(void **state)
{
    static const ze_result_t answers[] = {ZE_RESULT_ERROR_INVALID_GLOBAL_NAME,
        ZE_RESULT_ERROR_INVALID_ARGUMENT, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE};
    runtime *r = *state;
    mez_kernel *plain = load_kernel(r->context, "variables.spv", "plain");
    for (size_t i = 0; i < 3; i++) {
        noop_fail(hides_all, 1, answers[i]);
        assert_story_of(mez_kernel_get_variable, ask(plain, "shown"),
            MEZ_ERRC_FEATURE_NOT_SUPPORTED, "no address for variable \"shown\"");
    }
    noop_fail(hides_all, 1, ZE_RESULT_ERROR_UNKNOWN);
    assert_story_of(
        mez_kernel_get_variable, ask(plain, "shown"), MEZ_ERRC_UNKNOWN, "zeModuleGetGlobalPointer");
    mez_kernel_destroy(&plain);
}

// `plain` is built without the variable, because others of its module need doubles.
static void test_kernels_that_are_built_apart(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    mez_context *context;
    config.module_flags &= ~(ze_device_module_flags_t)ZE_DEVICE_MODULE_FLAG_FP64;
    noop_reset();
    noop_configure(&config);
    assert_ok(mez_context_create(NULL, &context));
    mez_kernel *plain = load_kernel(context, "variables.spv", "plain");
    noop_fail_every(hides_all, ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);
    assert_story_of(mez_kernel_get_variable, ask(plain, "shown"), MEZ_ERRC_FEATURE_NOT_SUPPORTED,
        "\"plain\" does not use the variable");
    mez_kernel_destroy(&plain);
    mez_context_destroy(&context);
}

static mez_kernel *load_native(mez_context *context, const char *file, const char *name)
{
    static const char mark[] = "ZECPUBIN";
    static char bytes[1 << 16];
    const size_t before = sizeof mark - 1;
    size_t size;
    const void *code = bytes_of(file, &size);
    memcpy(bytes, mark, before);
    memcpy(bytes + before, code, size);
    const mez_image_params params = {.code = bytes, .size = before + size};
    mez_image *image;
    mez_kernel *kernel;
    assert_ok(mez_image_create(context, &params, &image));
    assert_ok(mez_kernel_create(image, name, &kernel));
    mez_image_destroy(&image);
    return kernel;
}

// The driver plain knows what is in it.
static void test_native_code(void **state)
{
    runtime *r = *state;
    mez_kernel *plain = load_native(r->context, "variables.spv", "plain");
    assert_ok(ask(plain, "shown"));
    noop_fail_every(hides_all, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_story_of(mez_kernel_get_variable, ask(plain, "shown"), MEZ_ERRC_FEATURE_NOT_SUPPORTED,
        "compiled without \"-ze-take-global-address\"");
    mez_kernel_destroy(&plain);
}

static bool is_shown(runtime *r, const char *file, const char *name)
{
    char flags[256];
    mez_kernel *kernel = load_kernel(r->context, file, name);
    assert_ok(mez_kernel_build(kernel, NULL));
    noop_build_flags(flags, sizeof flags);
    mez_kernel_destroy(&kernel);
    return strstr(flags, "-ze-take-global-address") != NULL;
}

// --- Variables of libraries

static mez_image *load_linked(mez_context *context)
{
    mez_image *libraries[2], *image;
    assert_ok(mez_image_load(context, file_of("linked_1.spv"), &libraries[0]));
    assert_ok(mez_image_load(context, file_of("linked_2.spv"), &libraries[1]));
    assert_ok(mez_image_create(context,
        &(mez_image_params){
            .path = file_of("linked.spv"), .libraries = libraries, .library_count = 2},
        &image));
    mez_image_destroy(&libraries[0]);
    mez_image_destroy(&libraries[1]);
    return image;
}

// As modules of their own both may have it: each kernel means that of the library which it uses.
static void test_libraries_with_the_same_name(void **state)
{
    runtime *r = *state;
    mez_image *image = load_linked(r->context);
    mez_kernel *kernels[2];
    void *pointers[2];
    size_t size;
    assert_ok(mez_kernel_create(image, "uses_first", &kernels[0]));
    assert_ok(mez_kernel_create(image, "uses_second", &kernels[1]));
    for (int i = 0; i < 2; i++)
        assert_ok(mez_kernel_get_variable(kernels[i], NULL, "level", &pointers[i], &size));
    assert_ptr_not_equal(pointers[0], pointers[1]);
    mez_kernel_destroy(&kernels[0]);
    mez_kernel_destroy(&kernels[1]);
    mez_image_destroy(&image);
}

// Messages name the image whose variable it is.
static void test_hidden_variables_of_libraries(void **state)
{
    runtime *r = *state;
    mez_image *image = load_linked(r->context);
    mez_kernel *kernel;
    assert_ok(mez_kernel_create(image, "uses_second", &kernel));
    assert_story_of(mez_kernel_get_variable, ask(kernel, "buried"), MEZ_ERRC_INVALID_PARAMETER,
        "linked_2.spv\" is not exported");
    noop_fail_every(hides_all, ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);
    assert_story_of(mez_kernel_get_variable, ask(kernel, "spare"), MEZ_ERRC_FEATURE_NOT_SUPPORTED,
        "none of them uses the variable");
    mez_kernel_destroy(&kernel);
    mez_image_destroy(&image);
}

// Code without variables is built as it would be without any of this.
static void test_the_flag_goes_with_variables(void **state)
{
    assert_true(is_shown(*state, "variables.spv", "plain"));
    assert_false(is_shown(*state, "kernels.spv", "nothing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(test_null),
        RUNTIME_TEST(test_devices_of_other_contexts),
        RUNTIME_TEST(test_names_that_no_code_has),
        RUNTIME_TEST(test_drivers_that_hide_variables),
        cmocka_unit_test_teardown(test_kernels_that_are_built_apart, driver_teardown),
        RUNTIME_TEST(test_native_code),
        RUNTIME_TEST(test_libraries_with_the_same_name),
        RUNTIME_TEST(test_hidden_variables_of_libraries),
        RUNTIME_TEST(test_the_flag_goes_with_variables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
