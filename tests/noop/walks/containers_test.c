// SPDX-License-Identifier: MIT
//
// A walk over the error paths of images in containers: an OffloadBinary whose code is packed, SYCLBIN, and what a program has
// registered for a SYCL runtime, found by the name of a kernel. The library that keeps what programs register is compiled into
// this program, so that its allocations fail, too.

#include "walk.h"

#include <mezzanine/register.h>

#include "base/alloc.h"
#include "container/bundle.h"
#include "container/descriptor.h"
#include "container/offload.h"
#include "container/syclbin.h"

void __sycl_register_lib(const void *start, uintptr_t size_or_end);
void __sycl_unregister_lib(const void *start, uintptr_t size_or_end);

// --- What DPC++ compiles into a program: SPIR-V with one kernel, which needs what every device has

static const uint8_t aspects[] = {32, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0}; // gpu
static const mez_dpcpp_property requirements[] = {
    {.name = "aspects", .value = aspects, .type = 2, .size = sizeof aspects}};
static const mez_dpcpp_set sets[] = {
    {.name = "SYCL/device requirements", .begin = requirements, .end = requirements + 1}};
static const mez_dpcpp_entry entries[] = {{.version = 1, .kind = 8, .name = "saxpy"}};
static mez_dpcpp_image_3 described = {
    .image = {.version = 3,
        .kind = 4,
        .format = 2,
        .target = "spir64",
        .compile_options = "-ze-opt-disable",
        .link_options = ""},
    .contents = {.entries_begin = entries,
        .entries_end = entries + 1,
        .sets_begin = sets,
        .sets_end = sets + 1},
};
static const mez_dpcpp_descriptor descriptor = {.version = 1, .count = 1, .images = &described};

// --- Containers

static uint8_t spirv[1 << 16];
static size_t spirv_size;
static mez_bytes packed, syclbin;

static void pack(void)
{
    mez_offload_string symbols = {"symbols", "saxpy", 5};
    const mez_offload_entry entry = {
        .image_kind = MEZ_OFFLOAD_SPIRV,
        .offload_kind = MEZ_OFFLOAD_SYCL,
        .strings = &symbols,
        .string_count = 1,
        .image = spirv,
        .image_size = spirv_size,
    };
    assert_ok(mez_offload_write(&entry, 1, &(mez_offload_writing){.pack = true}, &packed));
}

static void write_syclbin(void)
{
    mez_binary *binary;
    const mez_container_bytes span = {.bytes = spirv, .size = spirv_size, .source = "kernels"};
    mez_bundle *bundle = mez_bundle_create(MEZ_CONTAINER_RAW);
    assert_non_null(bundle);
    bundle->budget = SIZE_MAX;
    assert_ok(mez_bundle_add(bundle, &span, &binary));
    binary->format = MEZ_CODE_SPIRV;
    binary->target = "spir64-unknown-unknown";
    assert_ok(mez_bundle_write_syclbin(bundle, MEZ_SYCLBIN_2, &syclbin));
    mez_bundle_destroy(&bundle);
}

static int make_containers(void **state)
{
    (void)state;
    const void *bytes = bytes_of("kernels.spv", &spirv_size);
    assert_true(spirv_size <= sizeof spirv);
    memcpy(spirv, bytes, spirv_size);
    described.contents.code_begin = spirv;
    described.contents.code_end = spirv + spirv_size;
    pack();
    write_syclbin();
    return 0;
}

static int free_containers(void **state)
{
    (void)state;
    mez_bytes_finish(&packed);
    mez_bytes_finish(&syclbin);
    return 0;
}

// --- The program

static mez_error from_bytes(mez_context *context, const mez_bytes *bytes, mez_image **image)
{
    const mez_image_params params = {.code = bytes->data, .size = bytes->size};
    return mez_image_create(context, &params, image);
}

// Nothing is found where nothing could be read: that is for whoever looks for it to say.
static mez_error from_program(mez_context *context, mez_image **image)
{
    mez_registered found = {0}, listed[8];
    assert_true(mez_registered_list(listed, 8) > 0);
    if (!mez_registered_find("saxpy", &found))
        return mez_error_no_memory("looking for a kernel");
    const mez_image_params params = {.code = found.start, .size = found.size};
    return mez_image_create_registered(context, &params, image);
}

static void use(mez_context *context, mez_image *image)
{
    mez_kernel *kernel;
    mez_queue *queue;
    const float factor = 1;
    assert_true(mez_image_get_kernel_count(image) > 0);
    assert_non_null(mez_image_get_kernel_name(image, 0));
    if (!walk_went_well(mez_kernel_create(image, "saxpy", &kernel)))
        return;
    if (walk_went_well(mez_queue_create(context, NULL, &queue))) {
        const mez_args *args = MEZ_ARGS(MEZ_VAL(factor), MEZ_PTR(NULL), MEZ_PTR(NULL));
        walk_went_well(mez_submit(queue, kernel, MEZ_RANGE(COUNT), args, NULL));
        walk_went_well(mez_queue_wait(queue));
    }
    mez_queue_destroy(&queue);
    mez_kernel_destroy(&kernel);
}

static void play(void)
{
    mez_context *context;
    mez_image *image;
    __sycl_register_lib(&descriptor, 0);
    if (walk_went_well(mez_context_create(NULL, &context))) {
        if (walk_went_well(from_bytes(context, &packed, &image)))
            use(context, image);
        mez_image_destroy(&image);
        if (walk_went_well(from_bytes(context, &syclbin, &image)))
            use(context, image);
        mez_image_destroy(&image);
        if (walk_went_well(from_program(context, &image)))
            use(context, image);
        mez_image_destroy(&image);
    }
    mez_context_destroy(&context);
    __sycl_unregister_lib(&descriptor, 0);
}

// A wait that only looks whether a batch has ended: the next one reports the failure.
static bool is_a_look(const char *call)
{
    return strcmp(call, "zeFenceHostSynchronize") == 0;
}

static const walk the_walk = {.play = play, .is_excused = is_a_look};

// --- Tests

static unsigned heard;

static void hear(void *user, mez_log_level level, const char *topic, const char *message)
{
    (void)user, (void)topic;
    heard += level == MEZ_LOG_ERROR && strstr(message, "no memory to register");
}

// The first of all: later on there is room.
static void test_registering_without_memory(void **state)
{
    (void)state;
    mez_log_set_function(hear, NULL);
    mez_alloc_fail_at(1);
    __sycl_register_lib(&descriptor, 0);
    mez_alloc_fail_at(0);
    mez_log_set_function(NULL, NULL);
    assert_int_equal(heard, 1);
    assert_int_equal(mez_registered_list(NULL, 0), 0);
    __sycl_unregister_lib(&descriptor, 0); // was never there
}

static void test_every_call(void **state)
{
    (void)state;
    walk_clean(&the_walk);
    assert_true(walk_calls(&the_walk, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY) > 30);
    assert_true(walk_calls(&the_walk, ZE_RESULT_ERROR_DEVICE_LOST) > 30);
}

static void test_every_allocation(void **state)
{
    (void)state;
    assert_true(walk_allocations(&the_walk) > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registering_without_memory),
        cmocka_unit_test(test_every_call),
        cmocka_unit_test(test_every_allocation),
    };
    return cmocka_run_group_tests(tests, make_containers, free_containers);
}
