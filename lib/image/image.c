// SPDX-License-Identifier: MIT

#include "image/image.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/version.h"
#include "container/descriptor.h"
#include "devicelib/devicelib.h"
#include "image/build.h"
#include "source/source.h"
#include "traced_calls.h"

// --- Flags

// The compiler's half of mez_context_params.large_buffers.
#define LARGE_BUFFERS "-ze-opt-greater-than-4GB-buffer-required"

static char *make_build_flags(const mez_platform *platform, const char *flags)
{
    if (!flags)
        flags = "";
    if (!platform->large_buffers)
        return mez_copy_string(flags);
    const size_t size = strlen(flags) + sizeof " " LARGE_BUFFERS;
    char *all = mez_alloc_array(size, 1);
    if (all)
        snprintf(all, size, "%s " LARGE_BUFFERS, flags);
    return all;
}

// --- Life

static void image_free(mez_image *image)
{
    for (uint32_t i = 0; i < image->part_count; i++) {
        mez_part_builds_destroy(&image->parts[i]);
        mez_groups_destroy(&image->parts[i].groups);
        mez_part_finish(&image->parts[i]);
    }
    mez_free_memory(image->parts);
    mez_named_finish(&image->kernels);
    mez_bundle_destroy(&image->bundle);
    mez_free_memory(image->bytes);
    for (uint32_t i = 0; i < image->library_count; i++)
        mez_image_unref(image->libraries[i]);
    mez_free_memory(image->libraries);
    mez_constants_finish(&image->constants);
    mez_free_memory(image->constants_found);
    mez_free_memory(image->build_flags);
    mez_free_memory(image->name);
    pthread_mutex_destroy(&image->lock);
    mez_free_memory(image);
}

static mez_error foreign_library(const mez_image *library)
{
    return mez_error_make(
        MEZ_ERRC_INVALID_PARAMETER, "library \"%s\" is an image of another context", library->name);
}

static mez_error take_libraries(mez_image *image, const mez_image_params *params)
{
    if (params->library_count == 0)
        return mez_ok();
    if (!params->libraries)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "%u libraries at NULL", params->library_count);
    image->libraries = mez_alloc_array(params->library_count, sizeof *image->libraries);
    if (!image->libraries)
        return mez_error_no_memory("an image");
    for (uint32_t i = 0; i < params->library_count; i++) {
        mez_image *library = params->libraries[i];
        if (!library)
            return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "library %u is NULL", i);
        if (library->platform != image->platform)
            return foreign_library(library);
        mez_image_ref(library);
        image->libraries[image->library_count++] = library;
    }
    return mez_ok();
}

// --- Contents

static mez_error make_parts(mez_image *image)
{
    image->parts = mez_alloc_array(image->bundle->count + 1, sizeof *image->parts);
    if (!image->parts)
        return mez_error_no_memory("an image");
    for (size_t i = 0; i < image->bundle->count; i++) {
        mez_part *part = &image->parts[image->part_count++];
        MEZ_TRY(mez_part_init(image, &image->bundle->binaries[i], part));
        MEZ_TRY(mez_part_builds_create(part));
    }
    return mez_ok();
}

static mez_error check_constants_in(mez_image *image, const struct mez_spirv_module **modules)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < image->part_count; i++) {
        const mez_part_code *code;
        MEZ_TRY(mez_part_read(&image->parts[i], &code));
        if (code)
            modules[count++] = code->spirv;
    }
    if (count == 0)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "specialization constants are for SPIR-V, but the image has none");
    return mez_constants_check_found(&image->constants, image->constants_found, modules, count);
}

// Only the code shows which constants there are, so all of it is read.
static mez_error check_constants(mez_image *image)
{
    const struct mez_spirv_module **modules =
        mez_alloc_array(image->part_count + (size_t)1, sizeof *modules);
    const mez_error error = modules ? check_constants_in(image, modules)
                                    : mez_error_no_memory("specialization constants");
    mez_free_memory(modules);
    return error;
}

static mez_error read_contents(mez_image *image)
{
    const uint32_t constants = image->constants.ze.numConstants;
    if (constants > 0) {
        image->constants_found = mez_alloc_array(constants, sizeof *image->constants_found);
        if (!image->constants_found)
            return mez_error_no_memory("specialization constants");
        MEZ_TRY(check_constants(image));
        mez_free_memory(image->constants_found);
        image->constants_found = NULL;
    }
    return mez_image_kernels_find(image);
}

static mez_error image_init(mez_image *image, const mez_image_params *params)
{
    image->build_flags = make_build_flags(image->platform, params->build_flags);
    if (!image->build_flags)
        return mez_error_no_memory("an image");
    MEZ_TRY(mez_constants_init(params->constants, params->constant_count, &image->constants));
    MEZ_TRY(take_libraries(image, params));
    MEZ_TRY(make_parts(image));
    return read_contents(image);
}

// --- Creating

static mez_error image_new(mez_context *context, const char *name, mez_image **created)
{
    mez_image *image = mez_new(mez_image);
    if (!image)
        return mez_error_no_memory("an image");
    mez_ref_init(&image->ref);
    pthread_mutex_init(&image->lock, NULL);
    image->platform = mez_platform_of(context);
    image->name = mez_copy_string(name);
    *created = image;
    return image->name ? mez_ok() : mez_error_no_memory("an image");
}

static mez_error image_publish(
    const mez_location *where, mez_error error, mez_image *image, mez_image **published)
{
    if (mez_failed(error)) {
        // Of a source that does not compile the error says as much.
        if (image && image->name && !mez_error_is(error, MEZ_ERRC_COMPILE_PROGRAM))
            error = mez_error_headline(error, "\"%s\" can't be used as an image", image->name);
        if (image)
            image_free(image);
        return error;
    }
    mez_platform_ref(image->platform);
    mez_object_add(image->platform, &image->object, MEZ_OBJECT_IMAGE, image->name);
    mez_object_set_place(image->platform, &image->object, where);
    *published = image;
    return error;
}

// The bundle points into the bytes.
static mez_error take_bytes(mez_image *image, const mez_image_params *params)
{
    image->bytes = mez_alloc_array(params->size + 1, 1);
    if (!image->bytes)
        return mez_error_no_memory("an image");
    memcpy(image->bytes, params->code, params->size);
    return mez_bundle_read_within(
        image->bytes, params->size, image->name, params->unpack_limit, &image->bundle);
}

// The compiler's words on code that is none the worse for them.
static void report_warnings(const mez_image *image, const char *log)
{
    size_t length = strlen(log);
    while (length > 0 && log[length - 1] == '\n')
        length--;
    if (length > 0)
        mez_log(IMAGE, WARN, "messages of the compiler for \"%s\":\n%-.*s", image->name,
            (int)length, log);
}

static mez_error read_source(
    mez_image *image, const mez_image_params *params, const mez_words *options)
{
    const mez_source source = {
        .path = params->path,
        .text = params->source,
        .name = params->debug_name,
        .options = options,
    };
    mez_source_code code;
    MEZ_TRY(mez_source_get(image->platform->cache, &source, &code));
    report_warnings(image, code.log);
    const size_t size = code.size;
    image->bytes = code.spirv;
    code.spirv = NULL;
    mez_source_code_finish(&code);
    return mez_bundle_read(image->bytes, size, image->name, &image->bundle);
}

static mez_error take_source(mez_image *image, const mez_image_params *params)
{
    mez_words options = {0};
    mez_error error = mez_ok();
    if (params->compile_options)
        error = mez_words_split(&options, params->compile_options);
    if (!mez_failed(error))
        error = read_source(image, params, &options);
    mez_words_finish(&options);
    return error;
}

// Neither is copied: a program's own memory, of which a descriptor states no size. One of a version that is not
// known yet is recognised by its size of 0.
static mez_error adopt(mez_image *image, const mez_image_params *params)
{
    if (params->size == 0 ||
        mez_registration_recognise(params->code) == MEZ_REGISTRATION_DESCRIPTOR)
        return mez_bundle_from_descriptor(params->code, &image->bundle);
    return mez_bundle_read_within(
        params->code, params->size, image->name, params->unpack_limit, &image->bundle);
}

// A container, or OpenCL C.
static mez_error take_file(mez_image *image, const mez_image_params *params)
{
    if (mez_source_is_file(params->path))
        return take_source(image, params);
    return mez_bundle_load_within(params->path, params->unpack_limit, &image->bundle);
}

// Exactly one of three.
static mez_error take_any(mez_image *image, const mez_image_params *params)
{
    const int given = !!params->code + !!params->path + !!params->source;
    if (given != 1)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "an image is made from code, a path or a source, but %s is given",
            given == 0 ? "none of them" : "more than one of them");
    return params->code     ? take_bytes(image, params)
           : params->source ? take_source(image, params)
                            : take_file(image, params);
}

typedef mez_error take_contents(mez_image *image, const mez_image_params *params);

static const char *name_of(const mez_image_params *params)
{
    if (params->debug_name)
        return params->debug_name;
    return params->path ? params->path : params->source ? "source.cl" : "image";
}

static mez_error check_reserved(const mez_image_params *params)
{
    MEZ_TRY_RESERVED(mez_image_params, params);
    return mez_ok();
}

static mez_error create(const mez_location *where, mez_context *context,
    const mez_image_params *params, take_contents *take, mez_image **created)
{
    mez_image *image = NULL;
    mez_error error = image_new(context, name_of(params), &image);
    if (!mez_failed(error))
        error = check_reserved(params);
    if (!mez_failed(error))
        error = take(image, params);
    if (!mez_failed(error))
        error = image_init(image, params);
    return mez_error_add_place(image_publish(where, error, image, created), where);
}

MEZ_TRACE_BODY mez_error create_of_any(const mez_location *where, mez_context *context,
    const mez_image_params *params, mez_image **created)
{
    return create(where, context, params, take_any, created);
}

MEZ_TRACED_CALL(mez_image_create, create_of_any)

mez_error mez_image_create_at(const mez_location *where, mez_context *context,
    const mez_image_params *params, mez_image **created)
{
    MEZ_REQUIRE(created, where);
    *created = NULL;
    MEZ_REQUIRE(context, where);
    MEZ_REQUIRE(params, where);
    MEZ_TRACE_CALL(mez_image_create, where, create_of_any, where, context, params, created);
}

MEZ_TRACE_BODY mez_error create_registered(const mez_location *where, mez_context *context,
    const mez_image_params *params, mez_image **created)
{
    return create(where, context, params, adopt, created);
}

MEZ_TRACED_CALL(mez_image_create_registered, create_registered)

mez_error mez_image_create_registered_at(const mez_location *where, mez_context *context,
    const mez_image_params *params, mez_image **created)
{
    MEZ_REQUIRE(created, where);
    *created = NULL;
    MEZ_REQUIRE(context, where);
    MEZ_REQUIRE(params, where);
    MEZ_REQUIRE(params->code, where);
    MEZ_TRACE_CALL(
        mez_image_create_registered, where, create_registered, where, context, params, created);
}

mez_error mez_image_load_file(
    const mez_location *where, mez_context *context, const char *path, mez_image **created)
{
    const mez_image_params params = {.path = path};
    return create(where, context, &params, take_file, created);
}

MEZ_TRACED_CALL(mez_image_load, mez_image_load_file)

mez_error mez_image_load_at(
    const mez_location *where, mez_context *context, const char *path, mez_image **created)
{
    MEZ_REQUIRE(created, where);
    *created = NULL;
    MEZ_REQUIRE(context, where);
    MEZ_REQUIRE(path, where);
    MEZ_TRACE_CALL(mez_image_load, where, mez_image_load_file, where, context, path, created);
}

void mez_image_ref(mez_image *image)
{
    mez_ref_get(&image->ref);
}

void mez_image_unref(mez_image *image)
{
    if (!mez_ref_put(&image->ref))
        return;
    mez_platform *platform = image->platform;
    mez_object_remove(platform, &image->object);
    image_free(image);
    mez_platform_unref(platform);
}

MEZ_TRACE_BODY void destroy(const mez_location *where, mez_image **image)
{
    (void)where;
    mez_image_unref(*image);
    *image = NULL;
}

MEZ_TRACED_CALL(mez_image_destroy, destroy)

void mez_image_destroy_at(const mez_location *where, mez_image **image)
{
    MEZ_TRACE_DESTROY(mez_image_destroy, where, destroy, image);
}
