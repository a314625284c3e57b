// SPDX-License-Identifier: MIT
//
// Filtering of file tables as programs do it.

#include <stdlib.h>

#include <mezzanine/toolchain.h>

#include "base/alloc.h"
#include "base/file.h"
#include "child/folder.h"

static const char table[] = "[Code|Properties]\nplain.spv|plain.prop\ndoubles.spv|doubles.prop\n";
static const char plain[] = "[SYCL/device requirements]\naspects=2|gAAAAAAAAAgAAAAA\n";   // gpu
static const char doubles[] = "[SYCL/device requirements]\naspects=2|gAAAAAAAAAgBAAAA\n"; // fp64

static char *write_file(const char *folder, const char *name, const char *text)
{
    static char path[4][256];
    static unsigned next;
    char *written = path[next++ % 4];
    snprintf(written, sizeof path[0], "%s/%s", folder, name);
    assert_ok(mez_file_write(written, text, strlen(text)));
    return written;
}

// The table's path.
static const char *write_table(const char *folder)
{
    write_file(folder, "plain.prop", plain);
    write_file(folder, "doubles.prop", doubles);
    return write_file(folder, "app.table", table);
}

static void assert_text(const mez_filter *filter, const char *expected)
{
    size_t size;
    const char *text = mez_filter_get_text(filter, &size);
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(text, expected, size);
}

static void keep_row(void *user, const char *code, const char *why)
{
    snprintf(user, 64, "%s: %s", code, why);
}

static void rows_that_a_target_can_not_run_are_left_out(void **state)
{
    mez_filter *filter;
    mez_file file;
    char row[64] = "", path[256];
    const mez_filter_params params = {
        .path = write_table(*state), .target = "tgllp", .leave_out = keep_row, .user = row};
    assert_ok(mez_filter_create(&params, &filter));
    assert_text(filter, "[Code|Properties]\nplain.spv|plain.prop\n");
    assert_string_equal(row, "doubles.spv: aspect fp64");
    snprintf(path, sizeof path, "%s/tgllp.table", (const char *)*state);
    assert_ok(mez_filter_write(filter, path));
    assert_ok(mez_file_read(path, &file));
    assert_text(filter, "[Code|Properties]\nplain.spv|plain.prop\n");
    assert_int_equal(file.size, strlen("[Code|Properties]\nplain.spv|plain.prop\n"));
    mez_file_finish(&file);
    mez_filter_destroy(&filter);
    assert_null(filter);
    mez_filter_destroy(&filter);
    mez_filter_destroy(NULL);
}

static void a_text_takes_the_place_of_the_file(void **state)
{
    mez_filter *filter;
    mez_filter_params params = {.path = write_table(*state), .target = "intel_gpu_pvc"};
    assert_ok(mez_filter_create(&params, &filter));
    assert_text(filter, table);
    mez_filter_destroy(&filter);
    params.text = "[Code|Properties]\ndoubles.spv|doubles.prop\n";
    params.text_size = strlen(params.text);
    params.target = "tgllp";
    assert_ok(mez_filter_create(&params, &filter));
    assert_text(filter, "[Code|Properties]\n");
    mez_filter_destroy(&filter);
    params.text = "";
    params.text_size = 0;
    assert_ok(mez_filter_create(&params, &filter));
    assert_text(filter, "");
    mez_filter_destroy(&filter);
}

static void what_is_wrong_is_refused(void **state)
{
    mez_filter *filter = (mez_filter *)state;
    char missing[256];
    const char *path = write_table(*state);
    mez_filter_params params = {.path = path};
    assert_story(mez_filter_create(&params, &filter), MEZ_ERRC_INVALID_PARAMETER, "target");
    assert_null(filter);
    params.target = "intel_gpu_tgllq";
    assert_story(
        mez_filter_create(&params, &filter), MEZ_ERRC_INVALID_PARAMETER, "intel_gpu_tgllp");
    params.target = "tgllp";
    for (size_t i = 0; i < sizeof params.reserved / sizeof *params.reserved; i++) {
        params.reserved[i] = 1;
        assert_story(mez_filter_create(&params, &filter), MEZ_ERRC_INVALID_PARAMETER,
            "mez_filter_params.reserved is not zero");
        params.reserved[i] = 0;
    }
    params.path = NULL;
    assert_condition(mez_filter_create(&params, &filter), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_filter_create(NULL, &filter), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_filter_create(&params, NULL), MEZ_ERRC_INVALID_PARAMETER);
    snprintf(missing, sizeof missing, "%s/missing.table", (const char *)*state);
    params.path = missing;
    assert_story(mez_filter_create(&params, &filter), MEZ_ERRC_FILE, missing);
    params.path = path;
    write_file(*state, "doubles.prop", "aspects=6\n");
    assert_story(mez_filter_create(&params, &filter), MEZ_ERRC_INVALID_IMAGE, "doubles.prop");
    assert_null(filter);
}

static void what_can_not_be_written_is_reported(void **state)
{
    mez_filter *filter;
    char path[256];
    const mez_filter_params params = {.path = write_table(*state), .target = "tgllp"};
    assert_ok(mez_filter_create(&params, &filter));
    snprintf(path, sizeof path, "%s/missing/tgllp.table", (const char *)*state);
    assert_story(mez_filter_write(filter, path), MEZ_ERRC_FILE, path);
    assert_story(mez_filter_write(filter, NULL), MEZ_ERRC_INVALID_PARAMETER, "\"path\"");
    assert_condition(mez_filter_write(NULL, path), MEZ_ERRC_INVALID_PARAMETER);
    snprintf(path, sizeof path, "%s/tgllp.table", (const char *)*state);
    mez_alloc_fail_at(1);
    assert_story(mez_filter_write(filter, path), MEZ_ERRC_OUT_OF_HOST_MEMORY, "memory");
    mez_alloc_fail_at(0);
    mez_filter_destroy(&filter);
}

static void without_memory_nothing_stays(void **state)
{
    const mez_filter_params params = {.path = write_table(*state), .target = "tgllp"};
    mez_filter *filter;
    bool good = false;
    mez_alloc_fail_at(1);
    assert_story(mez_filter_create(&params, &filter), MEZ_ERRC_OUT_OF_HOST_MEMORY, "table");
    for (uint64_t n = 1; !good; n++) {
        mez_alloc_fail_at(n);
        const mez_error error = mez_filter_create(&params, &filter);
        good = mez_alloc_fail_at(0) < n;
        assert_int_equal(mez_failed(error), !filter);
        assert_true(!good || !mez_failed(error));
        mez_filter_destroy(&filter);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rows_that_a_target_can_not_run_are_left_out),
        TEST(a_text_takes_the_place_of_the_file),
        TEST(what_is_wrong_is_refused),
        TEST(what_can_not_be_written_is_reported),
        TEST(without_memory_nothing_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
