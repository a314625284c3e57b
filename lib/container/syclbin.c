// SPDX-License-Identifier: MIT
//
// SYCLBIN's first version: headers and two tables.

#include "container/syclbin.h"

#include <inttypes.h>
#include <string.h>

#include "container/bits.h"
#include "container/syclbin_image.h"
#include "container/syclbin_layout.h"

bool mez_syclbin_recognise(const void *bytes, size_t size)
{
    return size >= 4 && mez_read_u32(bytes) == MEZ_SYCLBIN_MAGIC;
}

typedef struct syclbin_reader {
    mez_bundle *bundle;
    const mez_span *span;
    uint32_t module_count, ir_count, native_count;
    uint64_t ir_headers, native_headers; // offsets
    mez_span metadata, code;             // the tables
    uint32_t first_module;               // the number of the first abstract module
} syclbin_reader;

// --- Tables

static mez_error find_tables(syclbin_reader *reader)
{
    const mez_span *span = reader->span;
    const uint64_t metadata_size = mez_read_u64(span->bytes + 24);
    const uint64_t code_size = mez_read_u64(span->bytes + 32);
    reader->ir_headers =
        MEZ_SYCLBIN_HEADER_SIZE + (uint64_t)reader->module_count * MEZ_SYCLBIN_MODULE_SIZE;
    reader->native_headers =
        reader->ir_headers + (uint64_t)reader->ir_count * MEZ_SYCLBIN_IMAGE_SIZE;
    const uint64_t metadata =
        reader->native_headers + (uint64_t)reader->native_count * MEZ_SYCLBIN_IMAGE_SIZE;
    if (metadata > span->size)
        return mez_bundle_damaged(span, 8,
            "%" PRIu32 " abstract modules, %" PRIu32 " IR modules and %" PRIu32
            " native images do not fit into %zu bytes",
            reader->module_count, reader->ir_count, reader->native_count, span->size);
    if (!mez_range_fits(metadata, metadata_size, span->size))
        return mez_bundle_damaged(span, 24,
            "a metadata table of %" PRIu64 " bytes, and %" PRIu64 " are left", metadata_size,
            span->size - metadata);
    const uint64_t padding =
        (MEZ_SYCLBIN_ALIGNMENT - metadata_size % MEZ_SYCLBIN_ALIGNMENT) % MEZ_SYCLBIN_ALIGNMENT;
    const uint64_t code = metadata + metadata_size + padding;
    if (!mez_range_fits(code, code_size, span->size))
        return mez_bundle_damaged(span, 32,
            "a code table of %" PRIu64 " bytes at %" PRIu64 ", and the file has %zu", code_size,
            code, span->size);
    reader->metadata = (mez_span){
        .bytes = span->bytes + metadata, .size = (size_t)metadata_size, .source = span->source};
    reader->code =
        (mez_span){.bytes = span->bytes + code, .size = (size_t)code_size, .source = span->source};
    return mez_ok();
}

// Part of a table, by the offset and size at `field`.
static mez_error read_part(
    const syclbin_reader *reader, uint64_t field, const mez_span *table, mez_span *part)
{
    const uint64_t offset = mez_read_u64(reader->span->bytes + field);
    const uint64_t size = mez_read_u64(reader->span->bytes + field + 8);
    if (!mez_range_fits(offset, size, table->size))
        return mez_bundle_damaged(reader->span, field,
            "%" PRIu64 " bytes at %" PRIu64 " of a table of %zu", size, offset, table->size);
    *part =
        (mez_span){.bytes = table->bytes + offset, .size = (size_t)size, .source = table->source};
    return mez_ok();
}

// --- Modules

typedef struct abstract_module {
    mez_span metadata;
    uint32_t number;
} abstract_module;

static mez_error read_image(
    const syclbin_reader *reader, const abstract_module *module, bool native, uint32_t index)
{
    const uint64_t header = (native ? reader->native_headers : reader->ir_headers) +
                            (uint64_t)index * MEZ_SYCLBIN_IMAGE_SIZE;
    mez_syclbin_image image = {
        .module_metadata = module->metadata,
        .module = module->number,
        .native = native,
    };
    MEZ_TRY(read_part(reader, header, &reader->metadata, &image.metadata));
    MEZ_TRY(read_part(reader, header + 16, &reader->code, &image.code));
    MEZ_TRY(mez_bundle_pay(reader->bundle, reader->span, strlen(reader->span->source)));
    MEZ_TRY(mez_bundle_print(reader->bundle, &image.code.source, "%s: %s %" PRIu32,
        reader->span->source, native ? "native image" : "IR module", index));
    image.metadata.source = image.code.source;
    return mez_bundle_add_syclbin_image(reader->bundle, &image);
}

// `field` is where the count and the first index stand.
static mez_error read_images(
    const syclbin_reader *reader, const abstract_module *module, bool native, uint64_t field)
{
    const uint32_t count = mez_read_u32(reader->span->bytes + field);
    const uint32_t first = mez_read_u32(reader->span->bytes + field + 4);
    const uint32_t whole = native ? reader->native_count : reader->ir_count;
    if (!mez_range_fits(first, count, whole))
        return mez_bundle_damaged(reader->span, field,
            "%" PRIu32 " %s from number %" PRIu32 " on, and there are %" PRIu32, count,
            native ? "native images" : "IR modules", first, whole);
    for (uint32_t i = 0; i < count; i++)
        MEZ_TRY(read_image(reader, module, native, first + i));
    return mez_ok();
}

static mez_error read_module(const syclbin_reader *reader, uint32_t index)
{
    const uint64_t header = MEZ_SYCLBIN_HEADER_SIZE + (uint64_t)index * MEZ_SYCLBIN_MODULE_SIZE;
    abstract_module module = {.number = reader->first_module + index};
    MEZ_TRY(read_part(reader, header, &reader->metadata, &module.metadata));
    MEZ_TRY(mez_bundle_print(reader->bundle, &module.metadata.source,
        "%s: abstract module %" PRIu32, reader->span->source, index));
    MEZ_TRY(read_images(reader, &module, false, header + 16));
    return read_images(reader, &module, true, header + 24);
}

static mez_error read_global_metadata(const syclbin_reader *reader)
{
    mez_span part;
    MEZ_TRY(read_part(reader, 40, &reader->metadata, &part));
    return mez_bundle_read_properties(reader->bundle, &part, &reader->bundle->properties);
}

mez_error mez_bundle_read_syclbin(mez_bundle *bundle, const mez_span *span)
{
    if (span->size < MEZ_SYCLBIN_HEADER_SIZE)
        return mez_bundle_damaged(span, span->size, "a SYCLBIN that ends within its header");
    const uint32_t version = mez_read_u32(span->bytes + 4);
    if (version != 1)
        return mez_bundle_damaged(
            span, 4, "a SYCLBIN of version %" PRIu32 " in the form of version 1", version);
    syclbin_reader reader = {
        .bundle = bundle,
        .span = span,
        .module_count = mez_read_u32(span->bytes + 8),
        .ir_count = mez_read_u32(span->bytes + 12),
        .native_count = mez_read_u32(span->bytes + 16),
        .first_module = bundle->modules,
    };
    bundle->container = MEZ_CONTAINER_SYCLBIN;
    MEZ_TRY(find_tables(&reader));
    MEZ_TRY(read_global_metadata(&reader));
    MEZ_TRY(mez_bundle_pay(bundle, span, (size_t)reader.module_count * MEZ_SYCLBIN_MODULE_SIZE));
    bundle->modules += reader.module_count;
    for (uint32_t i = 0; i < reader.module_count; i++)
        MEZ_TRY(read_module(&reader, i));
    return mez_ok();
}
