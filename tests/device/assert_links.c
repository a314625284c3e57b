// SPDX-License-Identifier: MIT
//
// The variants of the device library, on drivers that really compile and link them. Looks inside the library: the records are
// read as they lie on the device, and no policy ends the process.

#include <stdio.h>

#include "device/platform.h"
#include "harness.h"
#include "select.h"
#include "image/build.h"
#include "image/asserts.h"
#include "kernel/use.h"

enum { ITEMS = 2000, LIMIT = 1000, ONE = 4 };

static mez_platform *platform(void)
{
    return mez_platform_of(mez_test_context());
}

static bool links_programs(void)
{
    return platform()->caps.module_program;
}

// Builds the kernel, whose failures are then this program's to look for; also where the driver has asserts of its own.
static mez_kernel *build(const char *file, const char *name)
{
    platform()->assert_needs->recoverable = true;
    mez_kernel *kernel = mez_test_kernel(file, name);
    mez_test_ok(mez_kernel_build(kernel, mez_test_device()));
    assert_non_null(kernel->spare_uses);
    kernel->spare_uses->asserting_module = NULL;
    return kernel;
}

static const mez_module *module_of(const mez_kernel *kernel)
{
    return kernel->image->parts[0].builds[mez_test_device()->index].modules[0];
}

static void run_thrice(mez_queue *queue, mez_kernel *kernel)
{
    const int32_t limit = LIMIT, one = ONE;
    int32_t *values = mez_test_shared(ITEMS * sizeof *values);
    mez_test_ok(mez_submit(queue, kernel, MEZ_ND_RANGE(MEZ_SIZE(ITEMS), MEZ_SIZE(8)),
        MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(limit), MEZ_VAL(one)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    mez_test_free(values);
}

// What the device has at that address; the caller's to free.
static void *fetch(const void *address, size_t size)
{
    void *copy = mez_test_shared(size);
    ze_command_list_handle_t list;
    const ze_command_queue_desc_t description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
        .ordinal = mez_test_device()->compute.ordinal,
        .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
    mez_test_ok(ZE(
        zeCommandListCreateImmediate, platform()->ze, mez_test_device()->ze, &description, &list));
    mez_test_ok(ZE(zeCommandListAppendMemoryCopy, list, copy, address, size, NULL, 0, NULL));
    mez_test_ok(ZE(zeCommandListDestroy, list));
    return copy;
}

// --- The first failure

static void check_first(const mez_module *module, const char *expression, int32_t line)
{
    mez_assert_record *record = fetch(module->assert_record, sizeof *record);
    if (mez_test_has("results")) {
        assert_int_equal(record->flag, 2);
        if (expression)
            assert_string_equal(record->expression, expression);
        if (line)
            assert_int_equal(record->line, line);
        assert_int_equal(record->local_id[0], record->global_id[0] % 8);
    }
    mez_test_free(record);
}

static void one_record_by(mez_queue *queue, const char *file)
{
    mez_kernel *kernel = build(file, "fails_thrice");
    assert_non_null(module_of(kernel)->assert_record);
    assert_true(module_of(kernel)->assert_record_size >= sizeof(mez_assert_record));
    assert_null(module_of(kernel)->assert_log);
    run_thrice(queue, kernel);
    check_first(module_of(kernel), NULL, 0);
    mez_kernel_destroy(&kernel);
}

static void published_names(void **state)
{
    one_record_by(*state, "asserts_direct");
}

// One of both has other pointers than the compiler that has made the library.
static void images_of_other_compilers(void **state)
{
    one_record_by(*state, "asserts_of_15");
    one_record_by(*state, "asserts_of_22");
}

static void images_with_a_library_of_their_own(void **state)
{
    one_record_by(*state, "asserts_own");
}

static void c_assert(void **state)
{
    mez_queue *queue = *state;
    const int32_t bad = 11;
    if (!links_programs()) {
        mez_kernel *kernel = mez_test_kernel("asserts_c", "fails_as_c");
        mez_test_fails(mez_kernel_build(kernel, mez_test_device()), MEZ_ERRC_LINK_PROGRAM);
        mez_kernel_destroy(&kernel);
        return;
    }
    mez_kernel *kernel = build("asserts_c", "fails_as_c");
    int32_t *values = mez_test_shared(64 * sizeof *values);
    mez_test_ok(mez_submit(queue, kernel, MEZ_ND_RANGE(MEZ_SIZE(64), MEZ_SIZE(8)),
        MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(bad)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    check_first(module_of(kernel), "as C's", 77);
    mez_test_free(values);
    mez_kernel_destroy(&kernel);
}

static void check_found(mez_queue *queue, mez_kernel *reads, int32_t flag, int32_t line)
{
    int32_t *found = mez_test_shared(3 * sizeof *found);
    mez_test_ok(mez_submit(queue, reads, MEZ_RANGE(1), MEZ_ARGS(MEZ_PTR(found)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    if (mez_test_has("results")) {
        assert_int_equal(found[0], flag);
        assert_int_equal(found[1] > 0, line > 0); // which of the three failed first is chance
        assert_int_equal(found[2] >= 0, line > 0);
    }
    mez_test_free(found);
}

static void later_names(void **state)
{
    mez_queue *queue = *state;
    mez_kernel *fails = build("asserts_later", "fails_thrice"), *reads;
    mez_test_ok(mez_kernel_create(fails->image, "reads", &reads));
    assert_non_null(module_of(fails)->assert_record);
    check_found(queue, reads, 0, -1);
    run_thrice(queue, fails);
    check_found(queue, reads, 2, 1);
    check_first(module_of(fails), NULL, 0);
    mez_kernel_destroy(&reads);
    mez_kernel_destroy(&fails);
}

// --- Many

static void check_sites(const mez_assert_log *log)
{
    static const struct {
        const char *expression;
        uint32_t count;
    } known[] = {
        {"i % 2 == 0", ITEMS / 2},
        {"i < limit", ITEMS - LIMIT},
        {"i != one", 1},
    };
    uint32_t found = 0;
    for (int i = 0; i < MEZ_ASSERT_SITES; i++) {
        if (log->sites[i].key == 0)
            continue;
        assert_int_equal(log->first[i].flag, 2);
        for (size_t j = 0; j < 3; j++)
            if (strcmp(log->first[i].expression, known[j].expression) == 0) {
                assert_int_equal(log->sites[i].count, known[j].count);
                found |= 1u << j;
            }
    }
    assert_int_equal(found, 7);
}

static bool did_fail(const mez_assert_record *record)
{
    const uint64_t item = record->global_id[0];
    if (strcmp(record->expression, "i % 2 == 0") == 0)
        return item % 2 == 1;
    if (strcmp(record->expression, "i < limit") == 0)
        return item >= LIMIT;
    return strcmp(record->expression, "i != one") == 0 && item == ONE;
}

static void check_log(const mez_assert_log *log)
{
    const uint32_t total = ITEMS / 2 + ITEMS - LIMIT + 1;
    assert_int_equal(log->total, total);
    assert_int_equal(log->taken, total - 3); // the first of each site lies elsewhere
    check_sites(log);
    for (int i = 0; i < MEZ_ASSERT_MORE; i++) {
        assert_int_equal(log->more[i].flag, 2);
        assert_true(did_fail(&log->more[i]));
        assert_string_equal(log->more[i].function, "fails_thrice");
    }
}

static void collect_by(mez_queue *queue, const char *file)
{
    platform()->assert_needs->many = true;
    mez_kernel *kernel = build(file, "fails_thrice");
    platform()->assert_needs->many = false;
    assert_non_null(module_of(kernel)->assert_log);
    run_thrice(queue, kernel);
    check_first(module_of(kernel), NULL, 0);
    mez_assert_log *log = fetch(module_of(kernel)->assert_log, sizeof *log);
    if (mez_test_has("results"))
        check_log(log);
    mez_test_free(log);
    mez_kernel_destroy(&kernel);
}

static void many(void **state)
{
    collect_by(*state, "asserts_direct");
}

static void many_by_later_names(void **state)
{
    collect_by(*state, "asserts_later");
}

// --- As on drivers that replace the published function

static void pretend(mez_native_asserts how)
{
    mez_test_device()->native_assert = how;
    mez_test_device()->native_assert_known = true;
}

static void renamed(void **state)
{
    static const char *const files[] = {"asserts_direct", "asserts_own", "asserts_later"};
    mez_native_asserts how;
    mez_test_ok(mez_native_assert(mez_test_device(), &how));
    pretend(MEZ_NATIVE_ASSERTS_COMPILED);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        one_record_by(*state, files[i]);
    collect_by(*state, "asserts_direct");
    collect_by(*state, "asserts_later");
    if (links_programs())
        c_assert(state);
    pretend(how);
}

static void native_asserts_are_distinguished(void **state)
{
    (void)state;
    mez_native_asserts how;
    mez_test_ok(mez_native_assert(mez_test_device(), &how));
    if (strcmp(mez_test_device_name(), "gpu") != 0)
        assert_int_equal(how, mez_test_compiler_brings_asserts() ? MEZ_NATIVE_ASSERTS_COMPILED
                                                                 : MEZ_NATIVE_ASSERTS_NONE);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(native_asserts_are_distinguished),
        MEZ_DEVICE_TEST(published_names),
        MEZ_DEVICE_TEST(images_of_other_compilers),
        MEZ_DEVICE_TEST(images_with_a_library_of_their_own),
        MEZ_DEVICE_TEST(c_assert),
        MEZ_DEVICE_TEST(later_names),
        MEZ_DEVICE_TEST(many),
        MEZ_DEVICE_TEST(many_by_later_names),
        MEZ_DEVICE_TEST(renamed),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
