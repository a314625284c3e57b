// SPDX-License-Identifier: MIT
//
// Images and their kernels: where they come from, what they share, when they end.

#include <pthread.h>
#include <stdio.h>

#include "harness.h"

static mez_image *load_image(const char *file)
{
    mez_image *image;
    mez_test_ok(mez_image_load(mez_test_context(), mez_test_kernel_path(file), &image));
    return image;
}

static mez_kernel *take_kernel(mez_image *image, const char *name)
{
    mez_kernel *kernel;
    mez_test_ok(mez_kernel_create(image, name, &kernel));
    return kernel;
}

static void an_image_names_its_kernels(void **state)
{
    (void)state;
    mez_image *image = load_image("launch");
    unsigned found = 0;
    assert_int_equal(mez_image_get_kernel_count(image), 3);
    for (uint32_t i = 0; i < 3; i++) {
        const char *name = mez_image_get_kernel_name(image, i);
        found |= (strcmp(name, "saxpy") == 0) << 0 | (strcmp(name, "identify") == 0) << 1 |
                 (strcmp(name, "required") == 0) << 2;
    }
    assert_int_equal(found, 7);
    assert_null(mez_image_get_kernel_name(image, 3));
    mez_image_destroy(&image);
    assert_null(image);
}

// Intel's driver adds a kernel of its own to a module in which its compiler brings the asserts.
static void kernels_of_the_driver_are_not_named(void **state)
{
    (void)state;
    mez_image *with = load_image("asserts"), *without = load_image("asserts_ndebug");
    const uint32_t count = mez_image_get_kernel_count(without);
    assert_int_not_equal(count, 0);
    assert_int_equal(mez_image_get_kernel_count(with), count);
    for (uint32_t i = 0; i < count; i++)
        assert_null(strstr(mez_image_get_kernel_name(with, i), "Intel"));
    mez_image_destroy(&with);
    mez_image_destroy(&without);
}

static void what_is_not_there_is_named(void **state)
{
    (void)state;
    char story[4096];
    mez_kernel *kernel;
    mez_image *image = load_image("launch");
    const mez_error no_kernel = mez_kernel_create(image, "saxpi", &kernel);
    mez_test_fails(no_kernel, MEZ_ERRC_KERNEL);
    mez_error_get_story(no_kernel, story, sizeof story);
    assert_non_null(strstr(story, "saxpi"));
    assert_non_null(strstr(story, "identify"));
    mez_image_destroy(&image);

    const mez_error no_file = mez_image_load(mez_test_context(), "/no/such.spv", &image);
    mez_test_fails(no_file, MEZ_ERRC_FILE);
    mez_error_get_story(no_file, story, sizeof story);
    assert_non_null(strstr(story, "/no/such.spv"));
}

// The garbage that parsers meet is the unit tests' matter; here it must only not reach the driver.
static void garbage_is_refused(void **state)
{
    (void)state;
    const mez_image_params params = {.code = "this isn't SPIR-V at all", .size = 24};
    mez_image *image;
    mez_test_fails(mez_image_create(mez_test_context(), &params, &image), MEZ_ERRC_INVALID_IMAGE);
}

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    uint8_t *bytes = malloc(1 << 20);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    assert_uint_in_range(*size, 20, (1 << 20) - 1);
    return bytes;
}

static void swap_words(uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i + 4 <= size; i += 4) {
        const uint8_t word[4] = {bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]};
        for (size_t j = 0; j < 4; j++)
            bytes[i + j] = word[3 - j];
    }
}

static void run_saxpy(mez_queue *queue, mez_kernel *kernel)
{
    const float a = 3.0f;
    float *x = mez_test_shared(64 * sizeof *x), *y = mez_test_shared(64 * sizeof *y);
    for (int i = 0; i < 64; i++)
        x[i] = y[i] = (float)i;
    mez_test_ok(mez_submit(
        queue, kernel, MEZ_RANGE(64), MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(x), MEZ_PTR(y)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < 64 && mez_test_has("results"); i++)
        assert_true(y[i] == 4.0f * (float)i);
    mez_test_free(x);
    mez_test_free(y);
}

// The bytes are copied, in either byte order.
static void images_from_memory(void **state)
{
    for (int swapped = 0; swapped < 2; swapped++) {
        size_t size;
        uint8_t *bytes = read_file(mez_test_kernel_path("launch"), &size);
        if (swapped)
            swap_words(bytes, size);
        const mez_image_params params = {.code = bytes, .size = size, .debug_name = "from memory"};
        mez_image *image;
        mez_test_ok(mez_image_create(mez_test_context(), &params, &image));
        memset(bytes, 0xee, size);
        free(bytes);
        mez_kernel *kernel = take_kernel(image, "saxpy");
        mez_image_destroy(&image);
        run_saxpy(*state, kernel);
        mez_kernel_destroy(&kernel);
    }
}

static void run_constants(
    mez_queue *queue, const mez_image_params *given, const int64_t integers[3], float fraction)
{
    size_t size;
    uint8_t *bytes = read_file(mez_test_kernel_path("constants"), &size);
    const mez_image_params params = {.code = bytes,
        .size = size,
        .constants = given->constants,
        .constant_count = given->constant_count};
    mez_image *image;
    mez_test_ok(mez_image_create(mez_test_context(), &params, &image));
    free(bytes);
    mez_kernel *kernel = take_kernel(image, "constants");
    int64_t *out = mez_test_shared(3 * sizeof *out);
    float *real = mez_test_shared(sizeof *real);
    mez_test_ok(
        mez_submit(queue, kernel, MEZ_RANGE(1), MEZ_ARGS(MEZ_PTR(out), MEZ_PTR(real)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < 3 && mez_test_has("results"); i++)
        assert_int_equal(out[i], integers[i]);
    assert_true(*real == fraction || !mez_test_has("results"));
    mez_test_free(real);
    mez_test_free(out);
    mez_kernel_destroy(&kernel);
    mez_image_destroy(&image);
}

// Each image has its own values; what it does not name keeps the code's.
static void specialization_constants(void **state)
{
    const int32_t integer = -40;
    const uint8_t byte = 200;
    const int64_t large = 1ll << 40;
    const float fraction = 0.25f;
    const mez_spec_constant constants[] = {{.id = 14, .size = 4, .value = &fraction},
        {.id = 11, .size = 4, .value = &integer}, {.id = 12, .size = 1, .value = &byte},
        {.id = 13, .size = 8, .value = &large}};
    const mez_image_params none = {0}, all = {.constants = constants, .constant_count = 4},
                           one = {.constants = constants, .constant_count = 1};
    run_constants(*state, &none, (const int64_t[]){5, 6, 7}, 8.5f);
    run_constants(*state, &all, (const int64_t[]){integer, byte, large}, fraction);
    run_constants(*state, &one, (const int64_t[]){5, 6, 7}, fraction);
}

static void check_sized(mez_kernel *kernel, uint64_t width)
{
    const mez_kernel_info *info;
    const mez_kernel_argument *argument = mez_kernel_get_argument(kernel, 0);
    assert_string_equal(argument->name, "sizes");
    assert_string_equal(argument->type, "global long *");
    mez_test_ok(mez_kernel_get_info(kernel, NULL, &info));
    assert_int_equal(info->required_group_size[0], width);
    assert_int_equal(info->required_group_size[1], 2);
    assert_int_equal(info->required_group_size[2], 1);
    assert_int_equal(info->max_group_size, 2 * width);
}

static void run_sized(
    mez_queue *queue, const mez_spec_constant *constants, uint32_t count, uint64_t width)
{
    size_t size;
    uint8_t *bytes = read_file(mez_test_kernel_path("group_size"), &size);
    const mez_image_params params = {
        .code = bytes, .size = size, .constants = constants, .constant_count = count};
    mez_image *image;
    mez_test_ok(mez_image_create(mez_test_context(), &params, &image));
    free(bytes);
    mez_kernel *kernel = take_kernel(image, "sized");
    check_sized(kernel, width);
    uint64_t *out = mez_test_shared(sizeof *out);
    mez_test_ok(mez_submit(queue, kernel, MEZ_RANGE(2 * width, 2), MEZ_ARGS(MEZ_PTR(out)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    assert_true(*out == width || !mez_test_has("results"));
    mez_test_free(out);
    mez_kernel_destroy(&kernel);
    mez_image_destroy(&image);
}

// Compilers that do not know the instruction get the same size in numbers.
static void work_group_sizes_given_by_constants(void **state)
{
    const uint32_t width = 16;
    const mez_spec_constant constant = {.id = 21, .size = sizeof width, .value = &width};
    run_sized(*state, NULL, 0, 4);
    run_sized(*state, &constant, 1, width);
}

static void add(mez_queue *queue, mez_kernel *kernel, int32_t n)
{
    mez_test_ok(mez_submit(queue, kernel, MEZ_RANGE(8), MEZ_ARGS(MEZ_VAL(n)), NULL));
}

static void check_scope(mez_queue *queue, mez_kernel *get, int32_t added)
{
    int64_t *out = mez_test_shared(13 * sizeof *out);
    mez_test_ok(mez_submit(queue, get, MEZ_RANGE(8), MEZ_ARGS(MEZ_PTR(out)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    if (mez_test_has("results")) {
        assert_int_equal(out[0], 5 + added);
        for (int i = 1; i <= 4; i++)
            assert_int_equal(out[i], 1010 * i + added);
        for (int i = 0; i < 8; i++)
            assert_int_equal(out[5 + i], i * i);
    }
    mez_test_free(out);
}

// Two kernels of an image share its variables; another image of the same bytes has its own.
static void program_scope_variables(void **state)
{
    mez_queue *queue = *state;
    mez_image *first = load_image("scope"), *second = load_image("scope");
    mez_kernel *add_first = take_kernel(first, "add"), *get_first = take_kernel(first, "get");
    mez_kernel *add_second = take_kernel(second, "add"), *get_second = take_kernel(second, "get");
    check_scope(queue, get_first, 0);
    add(queue, add_first, 10);
    add(queue, add_second, 700);
    add(queue, add_first, 20);
    check_scope(queue, get_first, 30);
    check_scope(queue, get_second, 700);
    mez_kernel_destroy(&add_first);
    mez_kernel_destroy(&get_first);
    mez_kernel_destroy(&add_second);
    mez_kernel_destroy(&get_second);
    mez_image_destroy(&first);
    mez_image_destroy(&second);
}

static void expect_copied(mez_queue *queue, const void *from, const int32_t *expected, size_t count)
{
    int32_t out[8] = {0};
    mez_test_ok(mez_copy(queue, out, from, count * sizeof *out, NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (size_t i = 0; i < count && mez_test_has("results"); i++)
        assert_int_equal(out[i], expected[i]);
}

static void *find_variable(mez_kernel *kernel, const char *name, size_t expected)
{
    void *pointer, *again;
    size_t size;
    mez_test_ok(mez_kernel_get_variable(kernel, mez_test_device(), name, &pointer, &size));
    assert_non_null(pointer);
    assert_int_equal(size, expected);
    mez_test_ok(mez_kernel_get_variable(kernel, mez_test_device(), name, &again, NULL));
    assert_ptr_equal(again, pointer);
    return pointer;
}

// What the program copies there, kernels read; what kernels write, the program copies from there.
static void variables_have_addresses(void **state)
{
    static const int32_t squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
    mez_queue *queue = *state;
    mez_image *image = load_image("scope");
    mez_kernel *get = take_kernel(image, "get"), *plus = take_kernel(image, "add");
    void *counter = find_variable(get, "counter", 4);
    assert_ptr_equal(find_variable(plus, "counter", 4), counter); // of one module
    find_variable(get, "pairs", 64);
    expect_copied(queue, counter, (const int32_t[]){5}, 1);
    expect_copied(queue, find_variable(get, "squares", sizeof squares), squares, 8);
    add(queue, plus, 10);
    expect_copied(queue, counter, (const int32_t[]){15}, 1);
    const int32_t back = 5 + 10 - 3;
    mez_test_ok(mez_copy(queue, counter, &back, sizeof back, NULL));
    mez_test_ok(mez_queue_wait(queue));
    int64_t *out = mez_test_shared(13 * sizeof *out);
    mez_test_ok(mez_submit(queue, get, MEZ_RANGE(8), MEZ_ARGS(MEZ_PTR(out)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    assert_true(out[0] == back || !mez_test_has("results"));
    mez_test_free(out);
    mez_kernel_destroy(&plus);
    mez_kernel_destroy(&get);
    mez_image_destroy(&image);
}

static void variables_are_arguments_of_kernels(void **state)
{
    mez_queue *queue = *state;
    const float a = 1.0f;
    mez_image *image = load_image("scope");
    mez_kernel *get = take_kernel(image, "get");
    float *pairs = find_variable(get, "pairs", 64), *y = mez_test_shared(16 * sizeof *y);
    mez_kernel *saxpy = mez_test_kernel("launch", "saxpy");
    const float zero = 0.0f;
    mez_test_ok(mez_fill(queue, pairs, &a, sizeof a, 64, NULL));
    mez_test_ok(mez_fill(queue, y, &zero, sizeof zero, 64, NULL));
    mez_test_ok(mez_submit(
        queue, saxpy, MEZ_RANGE(16), MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(pairs), MEZ_PTR(y)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < 16 && mez_test_has("results"); i++)
        assert_true(y[i] == 1.0f);
    mez_test_free(y);
    mez_kernel_destroy(&saxpy);
    mez_kernel_destroy(&get);
    mez_image_destroy(&image);
}

static void expect_no_variable(mez_kernel *kernel, const char *name, const char *words)
{
    char story[4096];
    void *pointer = kernel;
    size_t size = 1;
    const mez_error error = mez_kernel_get_variable(kernel, NULL, name, &pointer, &size);
    mez_test_fails(error, MEZ_ERRC_INVALID_PARAMETER);
    assert_null(pointer);
    assert_int_equal(size, 0);
    mez_error_get_story(error, story, sizeof story);
    if (!strstr(story, words))
        fail_msg("\"%s\" is not in:\n%s", words, story);
}

static void variables_that_are_not_there(void **state)
{
    (void)state;
    mez_image *image = load_image("scope");
    mez_kernel *get = take_kernel(image, "get");
    expect_no_variable(get, "conter", "perhaps meant: counter");
    expect_no_variable(get, "nowhere", "its variables: ");
    expect_no_variable(get, "nowhere", "squares");
    expect_no_variable(get, "hidden", "remove \"static\"");
    expect_no_variable(get, "get", "has no variable \"get\"");
    mez_kernel_destroy(&get);
    mez_image_destroy(&image);
    get = mez_test_kernel("launch", "saxpy");
    expect_no_variable(get, "counter", "its variables: none that is exported");
    mez_kernel_destroy(&get);
}

// Submissions keep what they need: queue order is the only thing left of these kernels.
static void destroyed_in_flight(void **state)
{
    mez_queue *queue = *state;
    uint32_t *values = mez_test_shared(64 * sizeof *values);
    memset(values, 0, 64 * sizeof *values);
    uint32_t expected = 0;
    for (uint32_t k = 1; k <= 20; k++) {
        mez_image *image = load_image("order");
        mez_kernel *step = take_kernel(image, "step_once");
        mez_image_destroy(&image);
        mez_test_ok(
            mez_submit(queue, step, MEZ_RANGE(64), MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(k)), NULL));
        mez_kernel_destroy(&step);
        expected = expected * 3 + k;
    }
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < 64 && mez_test_has("results"); i++)
        assert_int_equal(values[i], expected);
    mez_test_free(values);
}

static void *build_kernel(void *kernel)
{
    return mez_failed(mez_kernel_build(kernel, mez_test_device())) ? kernel : NULL;
}

// The compiler is asked once, whoever comes first.
static void built_by_many_threads(void **state)
{
    enum { THREADS = 8 };
    mez_image *image = load_image("launch");
    mez_kernel *saxpy = take_kernel(image, "saxpy"), *identify = take_kernel(image, "identify");
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(
            pthread_create(&threads[i], NULL, build_kernel, i % 2 ? saxpy : identify), 0);
    for (int i = 0; i < THREADS; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    run_saxpy(*state, saxpy);
    mez_kernel_destroy(&saxpy);
    mez_kernel_destroy(&identify);
    mez_image_destroy(&image);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(an_image_names_its_kernels),
        MEZ_DEVICE_TEST(kernels_of_the_driver_are_not_named),
        MEZ_DEVICE_TEST(what_is_not_there_is_named),
        MEZ_DEVICE_TEST(garbage_is_refused),
        MEZ_DEVICE_TEST(images_from_memory),
        MEZ_DEVICE_TEST(specialization_constants),
        MEZ_DEVICE_TEST(work_group_sizes_given_by_constants),
        MEZ_DEVICE_TEST(program_scope_variables),
        MEZ_DEVICE_TEST(variables_have_addresses),
        MEZ_DEVICE_TEST(variables_are_arguments_of_kernels),
        MEZ_DEVICE_TEST(variables_that_are_not_there),
        MEZ_DEVICE_TEST(destroyed_in_flight),
        MEZ_DEVICE_TEST(built_by_many_threads),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
