// SPDX-License-Identifier: MIT
//
// Copies and fills that leave their allocations: contexts that validate refuse each of them, others pay nothing for that.

#include "tasks.h"

#include <stdlib.h>

#include "submit/ranges.h"

enum { BYTES = COUNT * sizeof(float), LARGE = 1 << 20 };

// Neighbours would overlap with what leaves one of them, and copies of ranges that overlap are refused in any case: so that there is
// another allocation's room between the two.
static void set_apart(runtime *r)
{
    float *const other = mez_alloc_shared(r->context, BYTES, NULL);
    float *const all[] = {r->x, r->y, other};
    assert_non_null(other);
    r->x = r->y = other;
    for (int i = 0; i < 2; i++) {
        r->x = all[i] < r->x ? all[i] : r->x;
        r->y = all[i] > r->y ? all[i] : r->y;
    }
    for (int i = 0; i < 3; i++)
        if (all[i] != r->x && all[i] != r->y)
            mez_free(r->context, all[i]);
}

static int setup_plain(void **state)
{
    const int failed = tasks_setup(state);
    if (!failed)
        set_apart(((tasks *)*state)->r);
    return failed;
}

static int setup(void **state)
{
    setenv("MEZ_VALIDATE", "1", 1);
    const int failed = setup_plain(state);
    unsetenv("MEZ_VALIDATE");
    return failed;
}

static int setup_batched(void **state)
{
    const int failed = setup(state);
    if (!failed)
        tasks_batch(*state);
    return failed;
}

#define REFUSED(error, words) assert_story(error, MEZ_ERRC_INVALID_PARAMETER, words)

static void test_copies(void **state)
{
    tasks *t = *state;
    mez_queue *queue = t->r->queue;
    char *x = (char *)t->r->x, *y = (char *)t->r->y;
    for (int i = 0; i < 2; i++) { // the second time a quick path knows the copy
        assert_ok(mez_copy(queue, x + 56, y + 56, BYTES - 56, NULL));
        REFUSED(mez_copy(queue, x + 56, y, BYTES - 55, NULL), "a copy writes 201 bytes from ");
        REFUSED(mez_copy(queue, x + 56, y, BYTES - 55, NULL),
            ", at offset 56 of an allocation of 256 bytes, which has 200 from there on");
        REFUSED(mez_copy(queue, x, y + 56, BYTES - 55, NULL), "a copy reads 201 bytes from ");
        REFUSED(mez_record_copy(t->recording, x + 56, y, BYTES - 55, NULL, NULL), "writes 201");
        REFUSED(mez_record_copy(t->recording, x, y + 56, BYTES - 55, NULL, NULL), "reads 201");
    }
    assert_ok(mez_record_copy(t->recording, x + 56, y + 56, BYTES - 56, NULL, NULL));
}

static void test_fills(void **state)
{
    tasks *t = *state;
    char *x = (char *)t->r->x;
    assert_ok(mez_fill(t->r->queue, x + 192, "abcd", 4, 64, NULL));
    REFUSED(mez_fill(t->r->queue, x + 192, "abcd", 4, 68, NULL), "a fill writes 68 bytes from ");
    REFUSED(mez_fill(t->r->queue, x + 192, "", 1, 65, NULL), "which has 64 from there on");
    assert_ok(mez_record_fill(t->recording, x + 192, "abcd", 4, 64, NULL, NULL));
    REFUSED(mez_record_fill(t->recording, x + 192, "abcd", 4, 68, NULL, NULL), "writes 68 bytes");
}

// From the first byte to the last: 3 * 64 + 8 and 3 * 80 + 8.
static void test_rectangles(void **state)
{
    tasks *t = *state;
    mez_queue *queue = t->r->queue;
    char *x = (char *)t->r->x, *y = (char *)t->r->y;
    assert_ok(mez_copy_2d(queue, x + 56, 64, y + 8, 80, 8, 4, NULL));
    REFUSED(mez_copy_2d(queue, x + 57, 64, y, 80, 8, 4, NULL), "a 2D copy writes 200 bytes from ");
    REFUSED(mez_copy_2d(queue, x, 64, y + 9, 80, 8, 4, NULL), "a 2D copy reads 248 bytes from ");
    REFUSED(mez_record_copy_2d(t->recording, x + 57, 64, y, 80, 8, 4, NULL, NULL), "writes 200");
    REFUSED(mez_record_copy_2d(t->recording, x, 64, y + 9, 80, 8, 4, NULL, NULL), "reads 248");
}

// From the first byte to the last: 128 + 16 + 8 and 200 + 32 + 8.
static void test_boxes(void **state)
{
    tasks *t = *state;
    mez_copy_3d_params box = {.to = t->r->x,
        .to_row_pitch = 16,
        .to_slice_pitch = 128,
        .from = t->r->y,
        .from_row_pitch = 32,
        .from_slice_pitch = 200,
        .width = 8,
        .rows = 2,
        .slices = 2};
    assert_ok(mez_copy_3d(t->r->queue, &box, NULL));
    box.to = (char *)t->r->x + 105;
    REFUSED(mez_copy_3d(t->r->queue, &box, NULL), "a 3D copy writes 152 bytes from ");
    REFUSED(mez_record_copy_3d(t->recording, &box, NULL, NULL), "a 3D copy writes 152 bytes from ");
    box.to = t->r->x;
    box.from = (char *)t->r->y + 17;
    REFUSED(mez_copy_3d(t->r->queue, &box, NULL), "a 3D copy reads 240 bytes from ");
    REFUSED(mez_record_copy_3d(t->recording, &box, NULL, NULL), "a 3D copy reads 240 bytes from ");
}

static void test_other_memory(void **state)
{
    tasks *t = *state;
    char plain[BYTES] = {0};
    assert_ok(mez_copy(t->r->queue, t->r->x, plain, BYTES, NULL));
    assert_ok(mez_queue_wait(t->r->queue));
    const mez_memory_params params = {.kind = MEZ_MEMORY_HOST, .debug_name = "halo"};
    char *named = mez_alloc(t->r->context, &params, 200, NULL);
    char *other = mez_alloc(t->r->context, &params, 200, NULL); // keeps the pool's span
    assert_true(named && other);
    REFUSED(
        mez_fill(t->r->queue, named, "", 1, 201, NULL), "an allocation of 200 bytes (\"halo\")");
    mez_free(t->r->context, named);
    REFUSED(mez_fill(t->r->queue, named, "", 1, 200, NULL), "where no allocation is");
    mez_free(t->r->context, other);
    noop_fail("zeMemGetAllocProperties", 1, ZE_RESULT_ERROR_UNKNOWN);
    assert_story(mez_copy(t->r->queue, t->r->x, plain, BYTES, NULL), MEZ_ERRC_UNKNOWN,
        "zeMemGetAllocProperties");
}

// Nothing is looked up where nobody has asked for it.
static void test_without_validation(void **state)
{
    tasks *t = *state;
    const uint64_t before = noop_calls("zeMemGetAllocProperties");
    char plain[BYTES] = {0};
    assert_ok(mez_copy(t->r->queue, t->r->x, plain, BYTES, NULL));
    assert_ok(mez_copy(t->r->queue, t->r->x, t->r->y, BYTES + 1, NULL));
    assert_ok(mez_fill(t->r->queue, t->r->x, "", 1, BYTES + 1, NULL));
    assert_ok(mez_queue_wait(t->r->queue));
    assert_int_equal(noop_calls("zeMemGetAllocProperties"), before);
}

// A queue that chooses engines by the memory of large copies knows their allocations.
static void test_large_copies(void **state)
{
    tasks *t = *state;
    mez_context *context = t->r->context;
    mez_queue *queue;
    assert_ok(
        mez_queue_create(context, &(const mez_queue_params){.order = MEZ_OUT_OF_ORDER}, &queue));
    char *device = mez_alloc_device(context, LARGE, NULL);
    char *host = mez_alloc_host(context, LARGE, NULL);
    assert_non_null(device);
    assert_non_null(host);
    assert_ok(mez_copy(queue, device, host, LARGE, NULL));
    REFUSED(mez_copy(queue, device, host, LARGE + 1, NULL), "a copy writes 1048577 bytes from ");
    REFUSED(mez_copy(queue, host, device + 1, LARGE, NULL), "a copy reads 1048576 bytes from ");
    mez_queue_destroy(&queue);
    mez_free(context, device);
    mez_free(context, host);
}

static bool validates(const char *own, const char *layer, const char *parameters)
{
    bool on = false;
    const char *const names[] = {
        "MEZ_VALIDATE", "ZE_ENABLE_VALIDATION_LAYER", "ZE_ENABLE_PARAMETER_VALIDATION"};
    const char *const values[] = {own, layer, parameters};
    for (int i = 0; i < 3; i++)
        if (values[i])
            setenv(names[i], values[i], 1);
    assert_ok(mez_ranges_read_setting(&on));
    for (int i = 0; i < 3; i++)
        unsetenv(names[i]);
    return on;
}

static void test_setting(void **state)
{
    (void)state;
    assert_false(validates(NULL, NULL, NULL));
    assert_false(validates(NULL, "1", NULL));
    assert_false(validates(NULL, NULL, "1"));
    assert_true(validates(NULL, "1", "1"));
    assert_false(validates("0", "1", "1"));
    assert_true(validates("1", NULL, NULL));
    mez_context *context;
    setenv("MEZ_VALIDATE", "all", 1);
    REFUSED(mez_context_create(NULL, &context), "MEZ_VALIDATE=all is invalid: use 0 or 1");
    unsetenv("MEZ_VALIDATE");
}

#define VALIDATED(name)                                                        \
    cmocka_unit_test_setup_teardown(name, setup, tasks_teardown),              \
    {                                                                          \
#name " on a batched queue", name, setup_batched, tasks_teardown, NULL \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        VALIDATED(test_copies),
        VALIDATED(test_fills),
        VALIDATED(test_rectangles),
        VALIDATED(test_boxes),
        VALIDATED(test_other_memory),
        cmocka_unit_test_setup_teardown(test_without_validation, setup_plain, tasks_teardown),
        TASKS_TEST(test_large_copies),
        cmocka_unit_test_setup_teardown(test_setting, driver_setup, driver_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
