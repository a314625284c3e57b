// SPDX-License-Identifier: MIT

#include "container/bundle.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "container/prop.h"
#include "container/zstd.h"

mez_bundle *mez_bundle_create(mez_container container)
{
    mez_bundle *bundle = mez_new(mez_bundle);
    if (bundle)
        bundle->container = container;
    return bundle;
}

static void finish_binary(mez_binary *binary)
{
    mez_properties_finish(&binary->properties);
    mez_free_memory(binary->kernels);
}

void mez_bundle_destroy(mez_bundle **bundle)
{
    mez_bundle *old = *bundle;
    *bundle = NULL;
    if (!old)
        return;
    for (size_t i = 0; i < old->count; i++)
        finish_binary(&old->binaries[i]);
    for (size_t i = 0; i < old->memory.count; i++)
        mez_free_memory(old->memory.items[i]);
    mez_properties_finish(&old->properties);
    mez_free_memory(old->binaries);
    mez_vector_finish(&old->memory);
    mez_free_memory(old);
}

mez_error mez_bundle_damaged(const mez_span *span, uint64_t offset, const char *format, ...)
{
    mez_text what = {0};
    va_list arguments;
    va_start(arguments, format);
    mez_text_add_list(&what, format, arguments);
    va_end(arguments);
    const mez_error error = mez_error_make(MEZ_ERRC_INVALID_IMAGE, "%s: offset %" PRIu64 ": %s",
        span->source, offset, mez_text_get(&what));
    mez_text_finish(&what);
    return error;
}

// How often the bytes of a container may be copied, in all, with something for small ones.
#define BUDGET_FACTOR 64
#define BUDGET_LEAST ((size_t)1 << 20)

size_t mez_bundle_budget(size_t size)
{
    size_t budget;
    if (__builtin_mul_overflow(size, BUDGET_FACTOR, &budget))
        return SIZE_MAX;
    return budget < BUDGET_LEAST ? BUDGET_LEAST : budget;
}

mez_error mez_bundle_pay(mez_bundle *bundle, const mez_span *span, size_t bytes)
{
    if (bytes > bundle->budget)
        return mez_error_make(MEZ_ERRC_INVALID_IMAGE,
            "%s: too many of its parts refer to the same bytes, so it is treated as damaged",
            span->source);
    bundle->budget -= bytes;
    return mez_ok();
}

// --- Memory

mez_error mez_bundle_keep(mez_bundle *bundle, void *memory)
{
    if (!memory || !mez_vector_push(&bundle->memory, memory)) {
        mez_free_memory(memory);
        return mez_error_no_memory("a bundle of device images");
    }
    return mez_ok();
}

mez_error mez_bundle_copy_string(
    mez_bundle *bundle, const void *start, size_t length, const char **copy)
{
    *copy = "";
    if (length == 0)
        return mez_ok();
    char *string = mez_alloc_array(length + 1, 1);
    if (string)
        memcpy(string, start, length);
    MEZ_TRY(mez_bundle_keep(bundle, string));
    *copy = string;
    return mez_ok();
}

mez_error mez_bundle_print(mez_bundle *bundle, const char **string, const char *format, ...)
{
    mez_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    mez_text_add_list(&text, format, arguments);
    va_end(arguments);
    MEZ_TRY(mez_bundle_keep(bundle, text.string));
    *string = text.string;
    return mez_ok();
}

mez_error mez_bundle_unpack(mez_bundle *bundle, const mez_span *packed, mez_span *unpacked)
{
    mez_bytes bytes = {0};
    const mez_error error = mez_zstd_unpack(
        packed->bytes, packed->size, MEZ_UNPACKED_LIMIT - bundle->unpacked, packed->source, &bytes);
    if (mez_failed(error)) {
        mez_bytes_finish(&bytes);
        return error;
    }
    MEZ_TRY(mez_bundle_keep(bundle, bytes.data));
    *unpacked = (mez_span){
        .bytes = bytes.data,
        .size = bytes.size,
        .source = packed->source,
        .depth = packed->depth,
    };
    bundle->unpacked += bytes.size;
    bundle->budget += mez_bundle_budget(bytes.size);
    return mez_ok();
}

// --- Binaries

mez_error mez_bundle_add(mez_bundle *bundle, const mez_span *span, mez_binary **binary)
{
    MEZ_TRY(mez_bundle_pay(bundle, span, sizeof **binary));
    if (!mez_grow(&bundle->binaries, bundle->count, &bundle->capacity))
        return mez_error_no_memory("a bundle of device images");
    *binary = &bundle->binaries[bundle->count];
    **binary = (mez_binary){
        .code = span->bytes,
        .code_size = span->size,
        .target = "",
        .arch = "",
        .compile_options = "",
        .link_options = "",
        .module = bundle->modules++,
        .source = span->source,
    };
    bundle->count++;
    return mez_ok();
}

mez_error mez_bundle_read_properties(
    mez_bundle *bundle, const mez_span *span, mez_properties *properties)
{
    if (span->size == 0)
        return mez_ok();
    MEZ_TRY(mez_bundle_pay(bundle, span, span->size));
    return mez_prop_read((const char *)span->bytes, span->size, span->source, properties);
}
