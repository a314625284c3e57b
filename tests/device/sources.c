// SPDX-License-Identifier: MIT
//
// Kernels from source at run time: a text with options, a file and what it includes, asserts that name the text's line, and a
// second start, which runs no compiler of ours.

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"
#include "own_cache.h"

#define FILL                                                          \
    "kernel void fill(global int *values)\n"                          \
    "{\n"                                                             \
    "    values[get_global_id(0)] = VALUE + (int)get_global_id(0);\n" \
    "}\n"
#define COUNT 100

static void run_fill(mez_queue *queue, mez_kernel *fill, int first)
{
    int *values = mez_test_shared(COUNT * sizeof *values);
    mez_test_ok(mez_submit(queue, fill, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(values)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < COUNT && mez_test_has("results"); i++)
        assert_int_equal(values[i], first + i);
    mez_test_free(values);
}

static mez_kernel *kernel_of(const mez_image_params *params, const char *name)
{
    mez_image *image;
    mez_kernel *kernel;
    mez_test_ok(mez_image_create(mez_test_context(), params, &image));
    mez_test_ok(mez_kernel_create(image, name, &kernel));
    mez_image_destroy(&image);
    return kernel;
}

static void a_text_is_compiled_with_its_options(void **state)
{
    for (int value = 1; value <= 2; value++) {
        char options[64];
        snprintf(options, sizeof options, "-O%d '-DVALUE=( %d)'", value, value);
        const mez_image_params params = {.source = FILL, .compile_options = options};
        mez_kernel *fill = kernel_of(&params, "fill");
        assert_int_equal(mez_kernel_get_argument_count(fill), 1);
        run_fill(*state, fill, value);
        mez_kernel_destroy(&fill);
    }
}

// --- Files

static char folder[] = "/tmp/mez-sources-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void a_file_is_compiled_with_what_it_includes(void **state)
{
    write_file("fill.cl", "#include \"fill.h\"\n" FILL);
    for (int value = 30; value < 32; value++) {
        char text[64];
        mez_kernel *fill;
        snprintf(text, sizeof text, "#define VALUE %d\n", value);
        write_file("fill.h", text);
        mez_test_ok(mez_kernel_load(mez_test_context(), path_of("fill.cl"), "fill", &fill));
        run_fill(*state, fill, value);
        mez_kernel_destroy(&fill);
    }
}

static void an_image_of_a_path_takes_options(void **state)
{
    write_file("fill.cl", FILL);
    const mez_image_params params = {.path = path_of("fill.cl"), .compile_options = "-DVALUE=5 -g"};
    mez_kernel *fill = kernel_of(&params, "fill");
    run_fill(*state, fill, 5);
    mez_kernel_destroy(&fill);
    // Containers have no use for them.
    const mez_image_params built = {
        .path = mez_test_kernel_path("launch"), .compile_options = "-DVALUE=5"};
    mez_kernel *saxpy = kernel_of(&built, "saxpy");
    mez_kernel_destroy(&saxpy);
}

// --- Asserts

static const char asserting[] = "#include <mezzanine/assert.h>\n"
                                "kernel void below(global int *values, int limit)\n"
                                "{\n"
                                "    assert(values[get_global_id(0)] < limit);\n"
                                "}\n";

static void asserts_name_the_line_of_the_text(void **state)
{
    (void)state;
    mez_test_needs("module_data");
    const mez_queue_params params = {.asserts = {.policy = MEZ_ASSERT_ERROR}};
    const mez_image_params image = {.source = asserting, .debug_name = "below.cl"};
    const int limit = 0;
    mez_queue *queue;
    int *values = mez_test_shared(sizeof *values);
    *values = 7;
    mez_kernel *below = kernel_of(&image, "below");
    assert_true(mez_kernel_uses_assert(below));
    mez_test_ok(mez_queue_create(mez_test_context(), &params, &queue));
    mez_test_ok(
        mez_submit(queue, below, MEZ_RANGE(1), MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(limit)), NULL));
    const mez_error error = mez_queue_wait(queue);
    if (mez_test_has("results")) {
        char story[4096];
        mez_test_fails(error, MEZ_ERRC_ASSERT);
        mez_error_get_story(error, story, sizeof story);
        assert_non_null(strstr(story, "below.cl:4: below: "));
    }
    mez_queue_destroy(&queue);
    mez_kernel_destroy(&below);
    mez_test_free(values);
}

static void errors_have_the_compilers_words(void **state)
{
    (void)state;
    mez_image *image;
    char story[8192];
    const mez_image_params params = {.source = "kernel void k(int i) { j = i; }"};
    const mez_error error = mez_image_create(mez_test_context(), &params, &image);
    mez_test_fails(error, MEZ_ERRC_COMPILE_PROGRAM);
    mez_error_get_story(error, story, sizeof story);
    assert_non_null(strstr(story, "source.cl:1:24: error: "));
    assert_null(image);
}

// --- A second start

static void load_what_was_compiled(void)
{
    mez_kernel *fill;
    mez_context *context;
    mez_test_ok(mez_context_create(NULL, &context));
    mez_test_ok(mez_kernel_load(context, getenv("MEZ_TEST_SOURCE"), "fill", &fill));
    mez_kernel_destroy(&fill);
    mez_context_destroy(&context);
}

static void a_second_start_runs_no_compiler(void **state)
{
    (void)state;
    mez_test_death death;
    write_file("kept.cl", "#define VALUE 1\n" FILL);
    setenv("MEZ_TEST_SOURCE", path_of("kept.cl"), 1);
    setenv("MEZ_CACHE", path_of("cache"), 1);
    usleep(20000); // what was written just now is not kept
    mez_test_run_child("loads what was compiled", &death);
    assert_int_equal(death.exit_code, 0);
    setenv("TMPDIR", "/nowhere", 1); // where a compiler would work
    mez_test_run_child("loads what was compiled", &death);
    assert_int_equal(death.exit_code, 0);
    write_file("kept.cl", "#define VALUE 2\n" FILL);
    mez_test_run_child("loads what was compiled", &death);
    assert_int_not_equal(death.exit_code + death.signal, 0);
    assert_non_null(strstr(death.output, "/nowhere"));
    unsetenv("TMPDIR");
    unsetenv("MEZ_CACHE");
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(a_text_is_compiled_with_its_options),
        MEZ_DEVICE_TEST(a_file_is_compiled_with_what_it_includes),
        MEZ_DEVICE_TEST(an_image_of_a_path_takes_options),
        MEZ_DEVICE_TEST(asserts_name_the_line_of_the_text),
        MEZ_DEVICE_TEST(errors_have_the_compilers_words),
        MEZ_DEVICE_TEST(a_second_start_runs_no_compiler),
    };
    static const mez_test_child children[] = {
        {"loads what was compiled", load_what_was_compiled},
        {NULL, NULL},
    };
    const bool is_child = argc > 1;
    if (!is_child && !mkdtemp(folder))
        return 1;
    const int result = MEZ_TEST_MAIN_WITH(argc, argv, tests, children);
    return is_child || mez_test_remove_folder(folder) ? result : 1;
}
