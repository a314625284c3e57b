// SPDX-License-Identifier: MIT
//
// Offload binaries and the model: reading one into a bundle, writing a bundle as one.

#include "container/offload.h"

#include <string.h>

#include "base/alloc.h"
#include "container/offload_layout.h"
#include "container/offload_symbols.h"
#include "container/syclbin.h"
#include "container/zstd.h"

// --- Reading

static mez_error copy_value(mez_bundle *bundle, const mez_span *image,
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
    mez_bundle *bundle, const mez_span *image, const mez_offload_entry *entry)
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
    return symbols ? mez_binary_take_symbols(bundle, binary, symbols->value, symbols->size)
                   : mez_ok();
}

static mez_error read_image(
    mez_bundle *bundle, const mez_span *span, const mez_offload_entry *entry, size_t number)
{
    if (entry->flags & MEZ_OFFLOAD_METADATA)
        return mez_ok();
    mez_span image = {
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
    mez_bundle *bundle, const mez_span *span, const mez_offload *offload, size_t *number)
{
    if (mez_syclbin_has_roles(offload))
        return mez_bundle_read_roles(bundle, span, offload);
    for (size_t i = 0; i < offload->count; i++)
        MEZ_TRY(read_image(bundle, span, &offload->entries[i], (*number)++));
    return mez_ok();
}

static bool all_zero(const mez_span *span)
{
    for (size_t i = 0; i < span->size; i++)
        if (span->bytes[i] != 0)
            return false;
    return true;
}

// One, from the start of the span, and moves on to what follows it. Linkers fill up with zeros.
static mez_error read_next(mez_bundle *bundle, mez_span *rest, size_t *number)
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

mez_error mez_bundle_read_offload(mez_bundle *bundle, const mez_span *span)
{
    mez_span rest = *span;
    size_t number = 0;
    do {
        MEZ_TRY(read_next(bundle, &rest, &number));
    } while (mez_offload_recognise(rest.bytes, rest.size));
    if (!all_zero(&rest))
        return mez_bundle_damaged(
            span, span->size - rest.size, "something that is no offload binary behind one");
    return mez_ok();
}

// --- Writing

enum { MOST_STRINGS = 5 };

typedef struct written_binary {
    mez_offload_string strings[MOST_STRINGS];
    mez_bytes symbols;
} written_binary;

static uint16_t image_kind_of(const mez_binary *binary)
{
    switch (binary->packed ? MEZ_CODE_UNKNOWN : binary->format) {
    case MEZ_CODE_SPIRV:
        return MEZ_OFFLOAD_SPIRV;
    case MEZ_CODE_NATIVE:
        return MEZ_OFFLOAD_OBJECT;
    case MEZ_CODE_LLVM:
        return MEZ_OFFLOAD_BITCODE;
    default:
        return MEZ_OFFLOAD_NONE;
    }
}

static void add_string(mez_offload_entry *entry, const char *key, const void *value, size_t size)
{
    entry->strings[entry->string_count++] = (mez_offload_string){key, value, size};
}

static void add_option(mez_offload_entry *entry, const char *key, const char *value)
{
    if (value[0] != '\0')
        add_string(entry, key, value, strlen(value));
}

// As LLVM's tools order them: what the image is for, then what is in it.
static mez_error fill_entry(
    const mez_binary *binary, written_binary *written, mez_offload_entry *entry)
{
    if (binary->properties.count > 0)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "%s: an offload binary has no place for property sets: write SYCLBIN instead",
            binary->source);
    *entry = (mez_offload_entry){
        .image_kind = image_kind_of(binary),
        .offload_kind = MEZ_OFFLOAD_SYCL,
        .strings = written->strings,
        .image = binary->code,
        .image_size = binary->code_size,
    };
    add_string(entry, MEZ_KEY_TRIPLE, binary->target, strlen(binary->target));
    add_string(entry, MEZ_KEY_ARCH, binary->arch, strlen(binary->arch));
    add_option(entry, MEZ_KEY_COMPILE_OPTIONS, binary->compile_options);
    add_option(entry, MEZ_KEY_LINK_OPTIONS, binary->link_options);
    if (!binary->lists_kernels)
        return mez_ok();
    mez_binary_write_symbols(binary, &written->symbols);
    add_string(entry, MEZ_KEY_SYMBOLS, written->symbols.data, written->symbols.size);
    return written->symbols.failed ? mez_error_no_memory("a list of kernels") : mez_ok();
}

static mez_error write_binaries(const mez_bundle *bundle, const mez_offload_writing *writing,
    written_binary *written, mez_offload_entry *entries, mez_bytes *bytes)
{
    for (size_t i = 0; i < bundle->count; i++)
        MEZ_TRY(fill_entry(&bundle->binaries[i], &written[i], &entries[i]));
    return mez_offload_write(entries, bundle->count, writing, bytes);
}

mez_error mez_bundle_write_offload(
    const mez_bundle *bundle, const mez_offload_writing *writing, mez_bytes *bytes)
{
    const size_t count = bundle->count ? bundle->count : 1;
    written_binary *written = mez_alloc_array(count, sizeof *written);
    mez_offload_entry *entries = mez_alloc_array(count, sizeof *entries);
    const mez_error error = written && entries
                                ? write_binaries(bundle, writing, written, entries, bytes)
                                : mez_error_no_memory("an offload binary");
    for (size_t i = 0; written && i < bundle->count; i++)
        mez_bytes_finish(&written[i].symbols);
    mez_free_memory(written);
    mez_free_memory(entries);
    return error;
}
