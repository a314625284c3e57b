// SPDX-License-Identifier: MIT
//
// Reading SYCLBIN, either version.

#include "container/syclbin.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "container/bundle.h"
#include "container/zstd.h"

// --- Images, in both versions

typedef struct syclbin_image {
    mez_container_bytes code; // with a source that names the image
    mez_container_bytes metadata;
    mez_container_bytes module_metadata;
    uint32_t module; // of those that the bundle has
    bool native;
} syclbin_image;

static mez_error take_text(mez_bundle *bundle, const mez_binary *binary, const char *set,
    const char *name, const char **text)
{
    const mez_property *property = mez_properties_find(&binary->properties, set, name);
    if (!property || property->type == MEZ_PROPERTY_UINT32)
        return mez_ok();
    return mez_bundle_copy_string(bundle, property->bytes, property->size, text);
}

// The code table says what the code is, unless it is packed; of IR only SPIR-V is of use.
static mez_code_format format_of(const mez_binary *binary, bool native)
{
    const mez_code_format format = mez_code_recognise(binary->code, binary->code_size);
    if (format != MEZ_CODE_UNKNOWN)
        return format;
    if (native)
        return MEZ_CODE_NATIVE;
    const uint32_t type = mez_properties_get_number(
        &binary->properties, MEZ_SET_SYCLBIN_IR, MEZ_SYCLBIN_TYPE, MEZ_SYCLBIN_IR_SPIRV);
    return type == MEZ_SYCLBIN_IR_SPIRV ? MEZ_CODE_SPIRV : MEZ_CODE_UNKNOWN;
}

static mez_error add_image(mez_bundle *bundle, const syclbin_image *image)
{
    mez_binary *binary;
    MEZ_TRY(mez_bundle_add(bundle, &image->code, &binary));
    binary->module = image->module;
    MEZ_TRY(mez_bundle_read_properties(bundle, &image->module_metadata, &binary->properties));
    MEZ_TRY(mez_bundle_read_properties(bundle, &image->metadata, &binary->properties));
    binary->format = format_of(binary, image->native);
    binary->packed = mez_zstd_recognise(binary->code, binary->code_size);

    const char *set = image->native ? MEZ_SET_SYCLBIN_NATIVE : MEZ_SET_SYCLBIN_IR;
    MEZ_TRY(take_text(bundle, binary, set, MEZ_SYCLBIN_TARGET, &binary->target));
    MEZ_TRY(take_text(bundle, binary, set, MEZ_SYCLBIN_ARCH, &binary->arch));
    return mez_binary_take_kernel_names(bundle, binary);
}

// --- Version 1: headers and two tables

bool mez_syclbin_recognise(const void *bytes, size_t size)
{
    return size >= 4 && mez_read_u32(bytes) == MEZ_SYCLBIN_MAGIC;
}

typedef struct syclbin_reader {
    mez_bundle *bundle;
    const mez_container_bytes *span;
    uint32_t module_count, ir_count, native_count;
    uint64_t ir_headers, native_headers; // offsets
    mez_container_bytes metadata, code;  // the tables
    uint32_t first_module;               // the number of the first abstract module
} syclbin_reader;

// --- Tables

static mez_error find_tables(syclbin_reader *reader)
{
    const mez_container_bytes *span = reader->span;
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
            "a metadata table of %" PRIu64 " bytes, but %" PRIu64 " are left", metadata_size,
            span->size - metadata);
    const uint64_t padding =
        (MEZ_SYCLBIN_ALIGNMENT - metadata_size % MEZ_SYCLBIN_ALIGNMENT) % MEZ_SYCLBIN_ALIGNMENT;
    const uint64_t code = metadata + metadata_size + padding;
    if (!mez_range_fits(code, code_size, span->size))
        return mez_bundle_damaged(span, 32,
            "a code table of %" PRIu64 " bytes at %" PRIu64 ", but the file has %zu", code_size,
            code, span->size);
    reader->metadata = (mez_container_bytes){
        .bytes = span->bytes + metadata, .size = (size_t)metadata_size, .source = span->source};
    reader->code = (mez_container_bytes){
        .bytes = span->bytes + code, .size = (size_t)code_size, .source = span->source};
    return mez_ok();
}

// Part of a table, by the offset and size at `field`.
static mez_error read_part(const syclbin_reader *reader, uint64_t field,
    const mez_container_bytes *table, mez_container_bytes *part)
{
    const uint64_t offset = mez_read_u64(reader->span->bytes + field);
    const uint64_t size = mez_read_u64(reader->span->bytes + field + 8);
    if (!mez_range_fits(offset, size, table->size))
        return mez_bundle_damaged(reader->span, field,
            "%" PRIu64 " bytes at %" PRIu64 " of a table of %zu", size, offset, table->size);
    *part = (mez_container_bytes){
        .bytes = table->bytes + offset, .size = (size_t)size, .source = table->source};
    return mez_ok();
}

// --- Modules

typedef struct abstract_module {
    mez_container_bytes metadata;
    uint32_t number;
} abstract_module;

static mez_error read_image(
    const syclbin_reader *reader, const abstract_module *module, bool native, uint32_t index)
{
    const uint64_t header = (native ? reader->native_headers : reader->ir_headers) +
                            (uint64_t)index * MEZ_SYCLBIN_IMAGE_SIZE;
    syclbin_image image = {
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
    return add_image(reader->bundle, &image);
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
            "%" PRIu32 " %s from number %" PRIu32 " on, but there are %" PRIu32, count,
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
    mez_container_bytes part;
    MEZ_TRY(read_part(reader, 40, &reader->metadata, &part));
    return mez_bundle_read_properties(reader->bundle, &part, &reader->bundle->properties);
}

mez_error mez_bundle_read_syclbin(mez_bundle *bundle, const mez_container_bytes *span)
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

// --- Version 2: an OffloadBinary whose entries have roles

typedef struct roles_reader {
    mez_bundle *bundle;
    const mez_container_bytes *span;
    const mez_offload *offload;
    const mez_offload_entry **modules; // the metadata of each abstract module; NULL: not seen
    uint32_t first_module;
} roles_reader;

static bool value_is(const mez_offload_entry *entry, const char *key, const char *value)
{
    const mez_offload_string *string = mez_offload_find(entry, key);
    return string && string->size == strlen(value) &&
           memcmp(string->value, value, string->size) == 0;
}

static bool has_role(const mez_offload_entry *entry, const char *role)
{
    return value_is(entry, MEZ_SYCLBIN_KEY_ROLE, role);
}

bool mez_syclbin_has_roles(const mez_offload *offload)
{
    const mez_offload_entry *first = &offload->entries[0];
    return first->image_kind == MEZ_OFFLOAD_SYCLBIN &&
           mez_offload_find(first, MEZ_SYCLBIN_KEY_ROLE) &&
           !mez_syclbin_recognise(first->image, first->image_size);
}

static mez_error wrong(const roles_reader *reader, size_t entry, const char *what)
{
    return mez_error_make(
        MEZ_ERRC_INVALID_IMAGE, "%s: entry %zu of a SYCLBIN %s", reader->span->source, entry, what);
}

// --- Abstract modules

// The number that "am_index" gives; each module has an entry of its own, so that there are no more of them than entries.
static mez_error read_module_index(const roles_reader *reader, size_t i, size_t *index)
{
    const mez_offload_string *string =
        mez_offload_find(&reader->offload->entries[i], MEZ_SYCLBIN_KEY_MODULE);
    const char *digits = string ? string->value : NULL;
    if (!string || string->size == 0)
        return wrong(reader, i, "has no " MEZ_SYCLBIN_KEY_MODULE);
    *index = 0;
    for (size_t j = 0; j < string->size; j++) {
        if (digits[j] < '0' || digits[j] > '9')
            return wrong(reader, i, "has an " MEZ_SYCLBIN_KEY_MODULE " that is not a number");
        *index = *index * 10 + (size_t)(digits[j] - '0');
        if (*index >= reader->offload->count)
            return wrong(reader, i, "has an " MEZ_SYCLBIN_KEY_MODULE " that is too large");
    }
    return mez_ok();
}

static mez_error note_global(const roles_reader *reader, size_t i)
{
    const mez_offload_entry *entry = &reader->offload->entries[i];
    if (mez_offload_find(entry, MEZ_SYCLBIN_KEY_VERSION) &&
        !value_is(entry, MEZ_SYCLBIN_KEY_VERSION, "2"))
        return wrong(reader, i, "is of an unknown version; versions 1 and 2 are supported");
    const mez_container_bytes text = {
        .bytes = entry->image, .size = entry->image_size, .source = reader->span->source};
    return mez_bundle_read_properties(reader->bundle, &text, &reader->bundle->properties);
}

static mez_error note_module(const roles_reader *reader, size_t i)
{
    size_t index;
    MEZ_TRY(read_module_index(reader, i, &index));
    if (reader->modules[index])
        return wrong(reader, i, "has the metadata of a module that has some already");
    reader->modules[index] = &reader->offload->entries[i];
    return mez_ok();
}

// --- Images

// Code has its metadata before it, and before these their size.
static mez_error split_image(
    const roles_reader *reader, size_t i, const char *source, syclbin_image *image)
{
    const mez_offload_entry *entry = &reader->offload->entries[i];
    if (entry->image_size < 8)
        return wrong(reader, i, "is too small for the size of its metadata");
    const uint64_t size = mez_read_u64(entry->image);
    if (size > entry->image_size - 8)
        return wrong(reader, i, "has metadata that do not fit into it");
    image->metadata =
        (mez_container_bytes){.bytes = entry->image + 8, .size = (size_t)size, .source = source};
    image->code = (mez_container_bytes){
        .bytes = entry->image + 8 + size,
        .size = entry->image_size - 8 - (size_t)size,
        .source = source,
    };
    return mez_ok();
}

static mez_error read_role_image(const roles_reader *reader, size_t i, bool native)
{
    size_t index;
    MEZ_TRY(read_module_index(reader, i, &index));
    const mez_offload_entry *module = reader->modules[index];
    if (!module)
        return wrong(reader, i, "belongs to an abstract module without metadata");
    const char *source;
    MEZ_TRY(mez_bundle_pay(reader->bundle, reader->span, strlen(reader->span->source)));
    MEZ_TRY(mez_bundle_print(reader->bundle, &source, "%s: %s %zu", reader->span->source,
        native ? "native image" : "IR module", i));
    syclbin_image image = {
        .module_metadata = {.bytes = module->image, .size = module->image_size, .source = source},
        .module = reader->first_module + (uint32_t)index,
        .native = native,
    };
    MEZ_TRY(split_image(reader, i, source, &image));
    return add_image(reader->bundle, &image);
}

// --- All of them

// Images may stand before the metadata of their module, so these are looked for first.
static mez_error note_metadata(const roles_reader *reader)
{
    bool global = false;
    for (size_t i = 0; i < reader->offload->count; i++) {
        const mez_offload_entry *entry = &reader->offload->entries[i];
        if (has_role(entry, MEZ_SYCLBIN_ROLE_MODULE)) {
            MEZ_TRY(note_module(reader, i));
        } else if (has_role(entry, MEZ_SYCLBIN_ROLE_GLOBAL)) {
            if (global)
                return wrong(reader, i, "has the role global_metadata, as another one has");
            MEZ_TRY(note_global(reader, i));
            global = true;
        } else if (!has_role(entry, MEZ_SYCLBIN_ROLE_IR) &&
                   !has_role(entry, MEZ_SYCLBIN_ROLE_NATIVE)) {
            return wrong(reader, i, "has no role that is known");
        }
    }
    return global ? mez_ok()
                  : mez_error_make(MEZ_ERRC_INVALID_IMAGE, "%s: a SYCLBIN without global metadata",
                        reader->span->source);
}

static mez_error read_role_images(const roles_reader *reader)
{
    for (size_t i = 0; i < reader->offload->count; i++) {
        const mez_offload_entry *entry = &reader->offload->entries[i];
        if (has_role(entry, MEZ_SYCLBIN_ROLE_IR))
            MEZ_TRY(read_role_image(reader, i, false));
        else if (has_role(entry, MEZ_SYCLBIN_ROLE_NATIVE))
            MEZ_TRY(read_role_image(reader, i, true));
    }
    return mez_ok();
}

mez_error mez_bundle_read_roles(
    mez_bundle *bundle, const mez_container_bytes *span, const mez_offload *offload)
{
    roles_reader reader = {
        .bundle = bundle,
        .span = span,
        .offload = offload,
        .modules = mez_alloc_array(offload->count, sizeof *reader.modules),
        .first_module = bundle->modules,
    };
    if (!reader.modules)
        return mez_error_no_memory("a SYCLBIN's modules");
    bundle->container = MEZ_CONTAINER_SYCLBIN;
    bundle->modules += (uint32_t)offload->count;
    mez_error error = note_metadata(&reader);
    if (!mez_failed(error))
        error = read_role_images(&reader);
    mez_free_memory(reader.modules);
    return error;
}
