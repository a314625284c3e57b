// SPDX-License-Identifier: MIT
//
// What grows in images, queues and recordings, at each number of items where something moves and far beyond. Under
// AddressSanitizer, whoever keeps a pointer over a growth is found.

#include "runtime.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "container/bundle.h"
#include "container/syclbin.h"
#include "many.h"

typedef void (*many_test)(runtime *r, uint32_t count);

static void each_count(runtime *r, many_test test)
{
    for (int i = 0; i < MANY_COUNT_TOTAL; i++)
        test(r, MANY_COUNTS[i]);
}

// --- Images

static mez_error create_image(runtime *r, const mez_bytes *code, mez_image *const *libraries,
    uint32_t library_count, mez_image **image)
{
    const mez_image_params params = {
        .code = code->data,
        .size = code->size,
        .debug_name = "many",
        .libraries = libraries,
        .library_count = library_count,
    };
    return mez_image_create(r->context, &params, image);
}

static mez_error create_module(runtime *r, const struct many_module *shape,
    mez_image *const *libraries, uint32_t library_count, mez_image **image)
{
    mez_bytes code;
    many_make(shape, &code);
    const mez_error error = create_image(r, &code, libraries, library_count, image);
    mez_bytes_finish(&code);
    return error;
}

static void expect_kernels(const mez_image *image, uint32_t count)
{
    assert_int_equal(mez_image_get_kernel_count(image), count);
    for (uint32_t i = 0; i < count; i++)
        assert_string_equal(mez_image_get_kernel_name(image, i), many_name("kernel", i));
}

static void expect_launches(runtime *r, mez_image *image, const char *name)
{
    mez_kernel *kernel;
    const mez_range range = {.dimensions = 1, .global = {1}};
    assert_ok(mez_kernel_create(image, name, &kernel));
    assert_ok(mez_submit(r->queue, kernel, &range, NULL, NULL));
    assert_ok(mez_queue_wait(r->queue));
    mez_kernel_destroy(&kernel);
}

static void kernels_of_code(runtime *r, uint32_t count)
{
    mez_image *image;
    mez_kernel *kernel;
    assert_ok(create_module(r, &(struct many_module){.kernels = count}, NULL, 0, &image));
    expect_kernels(image, count);
    expect_launches(r, image, many_name("kernel", 0));
    expect_launches(r, image, many_name("kernel", count - 1));
    assert_condition(
        mez_kernel_create(image, many_name("kernel", count), &kernel), MEZ_ERRC_KERNEL);
    mez_image_destroy(&image);
}

static void test_an_image_has_any_number_of_kernels(void **state)
{
    each_count(*state, kernels_of_code);
}

static void add_part(mez_bundle *bundle, uint32_t number)
{
    mez_bytes code;
    many_make(&(struct many_module){.kernels = 1, .first_kernel = number}, &code);
    assert_ok(mez_bundle_keep(bundle, code.data));
    const mez_container_bytes span = {.bytes = code.data, .size = code.size, .source = "many"};
    const char *name = many_name("kernel", number);
    mez_binary *binary;
    assert_ok(mez_bundle_add(bundle, &span, &binary));
    binary->format = MEZ_CODE_SPIRV;
    assert_ok(mez_binary_set_kernels(bundle, binary, &name, 1));
}

static void kernels_of_parts(runtime *r, uint32_t count)
{
    mez_bundle *bundle = mez_bundle_create(MEZ_CONTAINER_SYCLBIN);
    bundle->budget = SIZE_MAX;
    for (uint32_t i = 0; i < count; i++)
        add_part(bundle, i);
    mez_bytes bytes = {0};
    assert_ok(mez_bundle_write_syclbin(bundle, MEZ_SYCLBIN_1, &bytes));
    mez_bundle_destroy(&bundle);
    mez_image *image;
    assert_ok(create_image(r, &bytes, NULL, 0, &image));
    expect_kernels(image, count);
    expect_launches(r, image, many_name("kernel", count - 1));
    mez_image_destroy(&image);
    mez_bytes_finish(&bytes);
}

static void test_an_image_has_any_number_of_parts(void **state)
{
    each_count(*state, kernels_of_parts);
}

static void functions_of_libraries(runtime *r, uint32_t count)
{
    mez_image **libraries = mez_alloc_array(count, sizeof(mez_image *)), *image;
    for (uint32_t i = 0; i < count; i++)
        assert_ok(create_module(
            r, &(struct many_module){.exports = 1, .first_export = i}, NULL, 0, &libraries[i]));
    assert_ok(create_module(
        r, &(struct many_module){.kernels = 1, .imports = count}, libraries, count, &image));
    expect_launches(r, image, "kernel_0");
    mez_image_destroy(&image);
    for (uint32_t i = 0; i < count; i++)
        mez_image_destroy(&libraries[i]);
    mez_free_memory(libraries);
}

static void test_an_image_has_any_number_of_libraries(void **state)
{
    each_count(*state, functions_of_libraries);
}

static void functions_of_one_library(runtime *r, uint32_t count)
{
    mez_image *library, *image;
    assert_ok(create_module(r, &(struct many_module){.exports = count}, NULL, 0, &library));
    assert_ok(create_module(
        r, &(struct many_module){.kernels = 1, .imports = count}, &library, 1, &image));
    expect_launches(r, image, "kernel_0");
    mez_image_destroy(&image);
    mez_image_destroy(&library);
}

// Where each import was looked for in each library this took minutes.
static void test_many_libraries_take_no_time(void **state)
{
    functions_of_libraries(*state, 10000);
}

static void test_a_library_has_any_number_of_functions(void **state)
{
    each_count(*state, functions_of_one_library);
}

static void functions_of_nobody(runtime *r, uint32_t count)
{
    mez_image *image;
    mez_kernel *kernel;
    assert_ok(
        create_module(r, &(struct many_module){.kernels = 1, .imports = count}, NULL, 0, &image));
    assert_ok(mez_kernel_create(image, "kernel_0", &kernel));
    assert_story(mez_kernel_build(kernel, NULL), MEZ_ERRC_LINK_PROGRAM, "function_0");
    mez_kernel_destroy(&kernel);
    mez_image_destroy(&image);
}

static void test_any_number_of_functions_may_be_missing(void **state)
{
    each_count(*state, functions_of_nobody);
}

// --- Queues and recordings

static void operations_of_a_recording(runtime *r, uint32_t count)
{
    mez_recording *recording;
    assert_ok(mez_recording_create(r->context, NULL, &recording));
    const mez_range range = {.dimensions = 1, .global = {1}};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number;
        assert_ok(mez_record_submit(recording, r->nothing, &range, NULL, NULL, &number));
        assert_int_equal(number, i);
    }
    for (int i = 0; i < 3; i++)
        assert_ok(mez_replay(r->queue, recording, NULL));
    assert_ok(mez_queue_wait(r->queue));
    mez_recording_destroy(&recording);
}

static void test_a_recording_has_any_number_of_operations(void **state)
{
    each_count(*state, operations_of_a_recording);
}

// Another queue's tasks, so that the queue has to keep the events.
static void events_to_wait_for(runtime *r, uint32_t count)
{
    mez_queue *other;
    mez_event **events = mez_alloc_array(count, sizeof(mez_event *));
    assert_ok(mez_queue_create(r->context, NULL, &other));
    for (uint32_t i = 0; i < count; i++)
        assert_ok(submit_nothing(&(runtime){.queue = other, .nothing = r->nothing},
            &(mez_task_params){.event = &events[i]}));
    const mez_task_params waits = {.wait_for = events, .wait_count = count};
    assert_ok(submit_nothing(r, &waits));
    for (uint32_t i = 0; i < count; i++)
        assert_ok(submit_nothing(
            r, &(mez_task_params){.wait_for = &events[i], .wait_count = 1, .event = NULL}));
    assert_ok(mez_queue_wait(r->queue));
    for (uint32_t i = 0; i < count; i++)
        mez_event_destroy(&events[i]);
    mez_queue_destroy(&other);
    mez_free_memory(events);
}

static void test_a_task_waits_for_any_number_of_events(void **state)
{
    each_count(*state, events_to_wait_for);
}

static void allocations_of_a_context(runtime *r, uint32_t count)
{
    char **memory = mez_alloc_array(count, sizeof(char *));
    for (uint32_t i = 0; i < count; i++)
        assert_non_null(memory[i] = mez_alloc_shared(r->context, 1 + i * 64, NULL));
    for (uint32_t i = 0; i < count; i++)
        assert_ok(mez_free(r->context, memory[i]));
    mez_free_memory(memory);
}

static void test_a_context_has_any_number_of_allocations(void **state)
{
    each_count(*state, allocations_of_a_context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(test_an_image_has_any_number_of_kernels),
        RUNTIME_TEST(test_an_image_has_any_number_of_parts),
        RUNTIME_TEST(test_any_number_of_functions_may_be_missing),
        RUNTIME_TEST(test_a_recording_has_any_number_of_operations),
        IN_ORDER_TEST(test_a_recording_has_any_number_of_operations),
        RUNTIME_TEST(test_a_task_waits_for_any_number_of_events),
        IN_ORDER_TEST(test_a_task_waits_for_any_number_of_events),
        RUNTIME_TEST(test_a_context_has_any_number_of_allocations),
        cmocka_unit_test_setup_teardown(
            test_an_image_has_any_number_of_libraries, runtime_setup_linking, runtime_teardown),
        cmocka_unit_test_setup_teardown(
            test_many_libraries_take_no_time, runtime_setup_linking, runtime_teardown),
        cmocka_unit_test_setup_teardown(
            test_a_library_has_any_number_of_functions, runtime_setup_linking, runtime_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
