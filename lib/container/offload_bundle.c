// SPDX-License-Identifier: MIT
//
// Offload binaries and the model: reading one into a bundle.

#include "container/offload.h"

#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "container/bundle.h"
#include "container/syclbin.h"
#include "container/table.h"
#include "container/zstd.h"

// --- Lists of kernels
//
// The value of "symbols" in an OffloadBinary: the kernels of an image. Two forms have been written:
//
//   names, each with a NUL behind it
//   u32 count; for each name u32 offset from the start, u32 length; then the names, each with a NUL behind it

#define COUNT_SIZE 4
#define PLACE_SIZE 8

// Is it a table of names? Names by themselves begin with letters, which would be a count of a billion.
static bool is_table(const uint8_t *bytes, size_t size)
{
    if (size < COUNT_SIZE)
        return false;
    const uint64_t count = mez_read_u32(bytes), names = COUNT_SIZE + count * PLACE_SIZE;
    if (names > size || (count == 0 && size > COUNT_SIZE))
        return false;
    uint64_t total = names;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *place = bytes + COUNT_SIZE + i * PLACE_SIZE;
        const uint32_t offset = mez_read_u32(place), length = mez_read_u32(place + 4);
        total += (uint64_t)length + 1; // names that lie over each other would take long
        if (total > size || offset < names || !mez_range_fits(offset, (uint64_t)length + 1, size) ||
            memchr(bytes + offset, '\0', (size_t)length + 1) != bytes + offset + length)
            return false;
    }
    return true;
}

static mez_error read_table(const uint8_t *bytes, mez_symbols *names)
{
    const uint32_t count = mez_read_u32(bytes);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *place = bytes + COUNT_SIZE + i * PLACE_SIZE;
        MEZ_TRY(mez_symbols_add(
            names, (const char *)bytes + mez_read_u32(place), mez_read_u32(place + 4)));
    }
    return mez_ok();
}

static mez_error read_names(const uint8_t *bytes, size_t size, mez_symbols *names)
{
    while (size > 0) {
        const uint8_t *end = memchr(bytes, '\0', size);
        const size_t length = end ? (size_t)(end - bytes) : size;
        if (length > 0)
            MEZ_TRY(mez_symbols_add(names, (const char *)bytes, length));
        const size_t taken = end ? length + 1 : length;
        bytes += taken;
        size -= taken;
    }
    return mez_ok();
}

// Either form. Whatever the bytes, they are a list of names, if they are not the second form.
static mez_error take_symbols(
    mez_bundle *bundle, mez_binary *binary, const void *bytes, size_t size)
{
    MEZ_TRY(mez_bundle_pay(bundle, &(mez_container_bytes){.source = binary->source}, size));
    mez_symbols names = {0};
    mez_error error =
        is_table(bytes, size) ? read_table(bytes, &names) : read_names(bytes, size, &names);
    if (!mez_failed(error))
        error =
            mez_binary_set_kernels(bundle, binary, (const char *const *)names.items, names.count);
    mez_symbols_finish(&names);
    return error;
}

// --- Reading

static mez_error copy_value(mez_bundle *bundle, const mez_container_bytes *image,
    const mez_offload_entry *entry, const char *key, const char **copy)
{
    const mez_offload_string *string = mez_offload_find(entry, key);
    if (!string)
        return mez_ok();
    MEZ_TRY(mez_bundle_pay(bundle, image, string->size));
    return mez_bundle_copy_string(bundle, string->value, string->size, copy);
}

// What the bytes show goes before what the entry says; objects can only be taken at its word.
static mez_code_format format_of(const mez_offload_entry *entry)
{
    const mez_code_format format = mez_code_recognise(entry->image, entry->image_size);
    if (format != MEZ_CODE_UNKNOWN)
        return format;
    switch (entry->image_kind) {
    case MEZ_OFFLOAD_OBJECT:
        return entry->offload_kind == MEZ_OFFLOAD_SYCL ? MEZ_CODE_NATIVE : MEZ_CODE_UNKNOWN;
    case MEZ_OFFLOAD_SPIRV:
        return MEZ_CODE_SPIRV;
    default:
        return MEZ_CODE_UNKNOWN;
    }
}

static mez_error add_binary(
    mez_bundle *bundle, const mez_container_bytes *image, const mez_offload_entry *entry)
{
    mez_binary *binary;
    MEZ_TRY(mez_bundle_add(bundle, image, &binary));
    binary->packed = mez_zstd_recognise(image->bytes, image->size);
    binary->format = format_of(entry);
    MEZ_TRY(copy_value(bundle, image, entry, MEZ_KEY_TRIPLE, &binary->target));
    MEZ_TRY(copy_value(bundle, image, entry, MEZ_KEY_ARCH, &binary->arch));
    MEZ_TRY(copy_value(bundle, image, entry, MEZ_KEY_COMPILE_OPTIONS, &binary->compile_options));
    MEZ_TRY(copy_value(bundle, image, entry, MEZ_KEY_LINK_OPTIONS, &binary->link_options));
    const mez_offload_string *symbols = mez_offload_find(entry, MEZ_KEY_SYMBOLS);
    return symbols ? take_symbols(bundle, binary, symbols->value, symbols->size) : mez_ok();
}

static mez_error read_image(mez_bundle *bundle, const mez_container_bytes *span,
    const mez_offload_entry *entry, size_t number)
{
    if (entry->flags & MEZ_OFFLOAD_METADATA)
        return mez_ok();
    mez_container_bytes image = {
        .bytes = entry->image,
        .size = entry->image_size,
        .depth = span->depth + 1,
    };
    MEZ_TRY(mez_bundle_pay(bundle, span, strlen(span->source)));
    MEZ_TRY(mez_bundle_print(bundle, &image.source, "%s: image %zu", span->source, number));
    if (mez_offload_recognise(image.bytes, image.size) ||
        mez_syclbin_recognise(image.bytes, image.size))
        return mez_bundle_read_span(bundle, &image);
    return add_binary(bundle, &image, entry);
}

static mez_error read_images(
    mez_bundle *bundle, const mez_container_bytes *span, const mez_offload *offload, size_t *number)
{
    if (mez_syclbin_has_roles(offload))
        return mez_bundle_read_roles(bundle, span, offload);
    for (size_t i = 0; i < offload->count; i++)
        MEZ_TRY(read_image(bundle, span, &offload->entries[i], (*number)++));
    return mez_ok();
}

static bool all_zero(const mez_container_bytes *span)
{
    for (size_t i = 0; i < span->size; i++)
        if (span->bytes[i] != 0)
            return false;
    return true;
}

// One, from the start of the span, and moves on to what follows it. Linkers fill up with zeros.
static mez_error read_next(mez_bundle *bundle, mez_container_bytes *rest, size_t *number)
{
    mez_offload offload;
    MEZ_TRY(mez_offload_read(bundle, rest, &offload));
    const mez_error error = read_images(bundle, rest, &offload, number);
    size_t taken = offload.size;
    mez_offload_finish(&offload);
    MEZ_TRY(error);
    taken += (MEZ_OFFLOAD_ALIGNMENT - taken % MEZ_OFFLOAD_ALIGNMENT) % MEZ_OFFLOAD_ALIGNMENT;
    if (taken > rest->size)
        taken = rest->size;
    rest->bytes += taken;
    rest->size -= taken;
    return mez_ok();
}

mez_error mez_bundle_read_offload(mez_bundle *bundle, const mez_container_bytes *span)
{
    mez_container_bytes rest = *span;
    size_t number = 0;
    do {
        MEZ_TRY(read_next(bundle, &rest, &number));
    } while (mez_offload_recognise(rest.bytes, rest.size));
    if (!all_zero(&rest))
        return mez_bundle_damaged(
            span, span->size - rest.size, "data after an offload binary that is not another one");
    return mez_ok();
}
