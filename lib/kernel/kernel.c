// SPDX-License-Identifier: MIT

#include "kernel/kernel.h"

#include <string.h>

#include "base/alloc.h"
#include "base/process.h"
#include "base/text.h"
#include "device/platform.h"
#include "image/build.h"
#include "image/image.h"
#include "kernel/use.h"
#include "traced_calls.h"

static atomic_uint_fast64_t last_id;

static mez_error no_such_kernel(const mez_image *image, const char *name)
{
    mez_text names = {0};
    const uint32_t count = mez_image_get_kernel_count(image);
    for (uint32_t i = 0; i < count; i++)
        mez_text_add(&names, "%s%s", i ? ", " : "", mez_image_get_kernel_name(image, i));
    mez_error error =
        mez_error_make(MEZ_ERRC_KERNEL, "\"%s\" has no kernel \"%s\"", image->name, name);
    error = mez_error_add(error, "its kernels", "%s",
        count > 0 ? mez_text_get(&names)
                  : "none (in OpenCL C a kernel is a function marked \"kernel void\")");
    mez_text_finish(&names);
    return error;
}

static void kernel_free(mez_kernel *kernel)
{
    mez_kernel_uses_destroy_of_kernel(kernel);
    mez_kernel_forget_arguments(kernel);
    mez_kernel_forget_infos(kernel);
    for (uint32_t i = 0; i < kernel->code_count; i++)
        mez_kernel_code_finish(&kernel->codes[i]);
    mez_free_memory(kernel->codes);
    pthread_mutex_destroy(&kernel->lock);
    mez_image_unref(kernel->image);
    mez_free_memory(kernel);
}

// Native code first, which needs no compiler; what is packed does not say what it is.
typedef enum rank { RANK_NATIVE, RANK_PACKED, RANK_COMPILED, RANKS, RANK_NONE } rank;

static rank rank_of(const mez_part *part, const char *kernel)
{
    if (!mez_part_has_kernel(part, kernel))
        return RANK_NONE;
    switch (atomic_load_explicit(&part->format, memory_order_relaxed)) {
    case MEZ_CODE_NATIVE:
        return RANK_NATIVE;
    case MEZ_CODE_UNKNOWN:
        return RANK_PACKED;
    default:
        return RANK_COMPILED;
    }
}

// Native code has its own values of specialization constants: whoever gives others means SPIR-V, where there is some.
static bool wants_spirv(const mez_image *image, const rank *ranks)
{
    if (!mez_constants_get(&image->constants))
        return false;
    for (uint32_t i = 0; i < image->part_count; i++)
        if (ranks[i] == RANK_PACKED || ranks[i] == RANK_COMPILED)
            return true;
    return false;
}

static void add_codes_of_rank(mez_kernel *kernel, const rank *ranks, rank wanted)
{
    mez_image *image = kernel->image;
    for (uint32_t i = 0; i < image->part_count; i++)
        if (ranks[i] == wanted)
            kernel->codes[kernel->code_count++] = (mez_kernel_code){.part = &image->parts[i]};
}

// Each part is looked at once: another thread may unpack it meanwhile, and then it has another rank.
static mez_error list_codes(mez_kernel *kernel)
{
    const mez_image *image = kernel->image;
    rank *ranks = mez_alloc_array(image->part_count, sizeof *ranks);
    if (!ranks)
        return mez_error_no_memory("a kernel");
    for (uint32_t i = 0; i < image->part_count; i++)
        ranks[i] = rank_of(&image->parts[i], kernel->name);
    for (rank i = wants_spirv(image, ranks) ? RANK_PACKED : RANK_NATIVE; i < RANKS; i++)
        add_codes_of_rank(kernel, ranks, i);
    mez_free_memory(ranks);
    return mez_ok();
}

static mez_error kernel_init(mez_kernel *kernel, const char *name)
{
    kernel->name = mez_image_find_kernel(kernel->image, name);
    if (!kernel->name)
        return no_such_kernel(kernel->image, name);
    kernel->codes = mez_alloc_array(kernel->image->part_count, sizeof *kernel->codes);
    if (!kernel->codes)
        return mez_error_no_memory("a kernel");
    return list_codes(kernel);
}

static mez_error kernel_create(
    const mez_location *where, mez_image *image, const char *name, mez_kernel **created)
{
    mez_kernel *kernel = mez_new(mez_kernel);
    if (!kernel)
        return mez_error_no_memory("a kernel");
    mez_ref_init(&kernel->ref);
    kernel->id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
    kernel->image = image;
    pthread_mutex_init(&kernel->lock, NULL);
    mez_image_ref(image);
    const mez_error error = kernel_init(kernel, name);
    if (mez_failed(error)) {
        kernel_free(kernel);
        return error;
    }
    mez_object_add(image->platform, &kernel->object, MEZ_OBJECT_KERNEL, kernel->name);
    mez_object_set_place(image->platform, &kernel->object, where);
    *created = kernel;
    return error;
}

MEZ_TRACE_BODY mez_error create(
    const mez_location *where, mez_image *image, const char *name, mez_kernel **kernel)
{
    return mez_error_add_place(kernel_create(where, image, name, kernel), where);
}

MEZ_TRACED_CALL(mez_kernel_create, create)

mez_error mez_kernel_create_at(
    const mez_location *where, mez_image *image, const char *name, mez_kernel **kernel)
{
    MEZ_REQUIRE(kernel, where);
    *kernel = NULL;
    MEZ_REQUIRE(image, where);
    MEZ_REQUIRE(name, where);
    MEZ_TRACE_CALL(mez_kernel_create, where, create, where, image, name, kernel);
}

MEZ_TRACE_BODY mez_error load(const mez_location *where, mez_context *context, const char *path,
    const char *name, mez_kernel **kernel)
{
    mez_image *image;
    MEZ_TRY(mez_image_load_file(where, context, path, &image));
    const mez_error error = create(where, image, name, kernel);
    mez_image_unref(image);
    return error;
}

MEZ_TRACED_CALL(mez_kernel_load, load)

mez_error mez_kernel_load_at(const mez_location *where, mez_context *context, const char *path,
    const char *name, mez_kernel **kernel)
{
    MEZ_REQUIRE(kernel, where);
    *kernel = NULL;
    MEZ_REQUIRE(name, where);
    MEZ_REQUIRE(context, where);
    MEZ_REQUIRE(path, where);
    MEZ_TRACE_CALL(mez_kernel_load, where, load, where, context, path, name, kernel);
}

MEZ_TRACE_BODY mez_error build(const mez_location *where, mez_kernel *kernel, mez_device *device)
{
    mez_error error = mez_platform_device(kernel->image->platform, device, &device);
    if (!mez_failed(error))
        error = mez_kernel_build_for(kernel, device);
    return mez_platform_note_loss(kernel->image->platform, mez_error_add_place(error, where));
}

MEZ_TRACED_CALL(mez_kernel_build, build)

mez_error mez_kernel_build_at(const mez_location *where, mez_kernel *kernel, mez_device *device)
{
    MEZ_REQUIRE(kernel, where);
    MEZ_TRACE_CALL(mez_kernel_build, where, build, where, kernel, device);
}

// Of several codes that the device can't run, the reasons of the last one are reported, which is the most general.
static mez_error check_support(
    const mez_location *where, const mez_kernel *kernel, mez_device *device, bool wants_words)
{
    MEZ_REQUIRE_OF("mez_kernel_is_supported", kernel, where);
    MEZ_TRY(mez_platform_device(kernel->image->platform, device, &device));
    mez_error error = mez_ok();
    for (uint32_t i = 0; i < kernel->code_count; i++) {
        const bool last = i + 1 == kernel->code_count;
        mez_part *part = kernel->codes[i].part;
        error = mez_part_judge(part, kernel->name, device, last && wants_words);
        if (!mez_failed(error))
            return error;
    }
    return error;
}

bool mez_kernel_is_supported_at(
    const mez_location *where, const mez_kernel *kernel, mez_device *device, mez_error *reason)
{
    const mez_error error = mez_process_is_closed()
                                ? mez_error_closed(where, __func__)
                                : check_support(where, kernel, device, reason != NULL);
    if (reason)
        *reason = mez_error_add_place(error, where);
    return !mez_failed(error);
}

mez_platform *mez_kernel_platform(const mez_kernel *kernel)
{
    return kernel->image->platform;
}

void mez_kernel_free(mez_kernel *kernel)
{
    mez_object_remove(kernel->image->platform, &kernel->object);
    kernel_free(kernel);
}

MEZ_TRACE_BODY void destroy(const mez_location *where, mez_kernel **kernel)
{
    (void)where;
    mez_kernel_unref(*kernel);
    *kernel = NULL;
}

MEZ_TRACED_CALL(mez_kernel_destroy, destroy)

void mez_kernel_destroy_at(const mez_location *where, mez_kernel **kernel)
{
    MEZ_TRACE_DESTROY(mez_kernel_destroy, where, destroy, kernel);
}

// --- What is known of it

// *known is looked at with the lock: another thread may learn of native code, when it has built it.
static mez_error learn(
    mez_kernel *kernel, mez_kernel_code *code, ze_kernel_handle_t built, bool *known)
{
    pthread_mutex_lock(&kernel->lock);
    mez_error error = mez_kernel_code_learn(code, kernel->name);
    if (!mez_failed(error) && built)
        error = mez_kernel_code_ask(code, built);
    if (code->may_assert)
        atomic_store_explicit(&kernel->may_assert, true, memory_order_relaxed);
    *known = code->known;
    pthread_mutex_unlock(&kernel->lock);
    return error;
}

mez_error mez_kernel_learn(mez_kernel *kernel, mez_kernel_code *code, ze_kernel_handle_t built)
{
    bool known;
    return learn(kernel, code, built, &known);
}

const mez_kernel_code *mez_kernel_known_code(const mez_kernel *asked)
{
    mez_kernel *kernel = (mez_kernel *)asked; // learning changes nothing that anybody sees
    for (uint32_t i = kernel->code_count; i-- > 0;) {
        bool known;
        const mez_error error = learn(kernel, &kernel->codes[i], NULL, &known);
        if (mez_failed(error))
            mez_log_error(MEZ_TOPIC_KERNEL, error);
        else if (known)
            return &kernel->codes[i];
    }
    return NULL;
}

uint32_t mez_kernel_get_argument_count(const mez_kernel *kernel)
{
    const mez_kernel_code *code = kernel ? mez_kernel_known_code(kernel) : NULL;
    return code ? code->argument_count : 0;
}

const char *mez_kernel_get_name(const mez_kernel *kernel)
{
    return kernel ? kernel->name : NULL;
}

bool mez_kernel_uses_assert(const mez_kernel *kernel)
{
    if (!kernel)
        return false;
    mez_kernel_known_code(kernel);
    return atomic_load_explicit(&kernel->may_assert, memory_order_relaxed);
}
