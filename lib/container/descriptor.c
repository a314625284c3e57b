// SPDX-License-Identifier: MIT

#include "container/descriptor.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "container/bundle.h"
#include "container/offload.h"

#define SOURCE "registered images"

mez_registration mez_registration_recognise(const void *start)
{
    if (mez_offload_recognise(start, 4))
        return MEZ_REGISTRATION_OFFLOAD;
    return mez_read_u16(start) == MEZ_DPCPP_DESCRIPTOR_VERSION ? MEZ_REGISTRATION_DESCRIPTOR
                                                               : MEZ_REGISTRATION_UNKNOWN;
}

// More than any program carries, and less than where the addresses of programs begin.
#define MOST_BYTES ((uintptr_t)1 << 40)

// The smallest size that can be right stands in the binary's header; behind one others may follow.
size_t mez_offload_registered_size(const void *start, uintptr_t size_or_end)
{
    const uint64_t least = mez_read_u64((const uint8_t *)start + 8);
    const uintptr_t address = (uintptr_t)start;
    const uintptr_t size = size_or_end > address ? size_or_end - address : size_or_end;
    return size >= least && size <= MOST_BYTES ? size : 0;
}

typedef struct descriptor_reader {
    mez_bundle *bundle;
    const char *source; // of the image
} descriptor_reader;

static mez_error wrong(const descriptor_reader *reader, const char *format, ...) MEZ_PRINTF(2, 3);

static mez_error wrong(const descriptor_reader *reader, const char *format, ...)
{
    mez_text what = {0};
    va_list arguments;
    va_start(arguments, format);
    mez_text_add_list(&what, format, arguments);
    va_end(arguments);
    const mez_error error =
        mez_error_make(MEZ_ERRC_INVALID_IMAGE, "%s: %s", reader->source, mez_text_get(&what));
    mez_text_finish(&what);
    return error;
}

// How many items lie between the two; without a start there are none.
static mez_error count_items(const descriptor_reader *reader, const char *what, const void *begin,
    const void *end, size_t item, size_t *count)
{
    *count = 0;
    if (!begin)
        return mez_ok();
    const uintptr_t from = (uintptr_t)begin, to = (uintptr_t)end;
    if (to < from || (to - from) % item != 0)
        return wrong(reader, "%s from %p to %p", what, begin, end);
    *count = (to - from) / item;
    return mez_ok();
}

// --- Properties

static mez_error add_bytes(const descriptor_reader *reader, mez_properties *properties,
    const char *set, const mez_dpcpp_property *property)
{
    if (!property->value || property->size < 8)
        return wrong(reader, "property \"%s\" in \"%s\" has no size", property->name, set);
    const uint8_t *value = property->value;
    const uint64_t bits = mez_read_u64(value), size = property->size - 8;
    if (bits / 8 + (bits % 8 != 0) != size)
        return wrong(reader,
            "property \"%s\" in \"%s\" announces %" PRIu64 " bits, but has %" PRIu64 " bytes",
            property->name, set, bits, size);
    return mez_properties_add_bits(properties, set, property->name, value + 8, bits);
}

static mez_error add_property(const descriptor_reader *reader, mez_properties *properties,
    const char *set, const mez_dpcpp_property *property)
{
    if (!property->name)
        return wrong(reader, "a property without a name in \"%s\"", set);
    switch (property->type) {
    case MEZ_PROPERTY_UINT32:
        return mez_properties_add_number(properties, set, property->name, (uint32_t)property->size);
    case MEZ_PROPERTY_BYTES:
        return add_bytes(reader, properties, set, property);
    default:
        return mez_properties_add_other(properties, set, property->name, property->type,
            property->value, property->value ? (size_t)property->size : 0);
    }
}

static mez_error add_set(
    const descriptor_reader *reader, mez_properties *properties, const mez_dpcpp_set *set)
{
    if (!set->name)
        return wrong(reader, "a property set without a name");
    size_t count;
    MEZ_TRY(count_items(reader, "properties", set->begin, set->end, sizeof *set->begin, &count));
    MEZ_TRY(mez_properties_add_set(properties, set->name));
    for (size_t i = 0; i < count; i++)
        MEZ_TRY(add_property(reader, properties, set->name, &set->begin[i]));
    return mez_ok();
}

static mez_error add_sets(
    const descriptor_reader *reader, mez_properties *properties, const mez_dpcpp_contents *contents)
{
    size_t count;
    MEZ_TRY(count_items(reader, "property sets", contents->sets_begin, contents->sets_end,
        sizeof *contents->sets_begin, &count));
    for (size_t i = 0; i < count; i++)
        MEZ_TRY(add_set(reader, properties, &contents->sets_begin[i]));
    return mez_ok();
}

// --- Entry points

// Are the entries of the form that began in 2025? The first one shows it.
static bool are_new(const mez_dpcpp_contents *contents)
{
    const mez_dpcpp_entry *entry = contents->entries_begin;
    const uintptr_t size = (uintptr_t)contents->entries_end - (uintptr_t)contents->entries_begin;
    return size % sizeof *entry == 0 && entry->reserved == 0 &&
           entry->version == MEZ_DPCPP_ENTRY_VERSION && entry->kind == MEZ_DPCPP_ENTRY_KIND &&
           entry->flags == 0;
}

static const char *entry_name(const mez_dpcpp_contents *contents, bool new, size_t i)
{
    const char *name = new ? ((const mez_dpcpp_entry *)contents->entries_begin)[i].name
                           : ((const mez_dpcpp_entry_old *)contents->entries_begin)[i].name;
    return name ? name : "";
}

static mez_error add_entries(
    const descriptor_reader *reader, mez_binary *binary, const mez_dpcpp_contents *contents)
{
    if (!contents->entries_begin || contents->entries_begin == contents->entries_end)
        return mez_ok();
    const bool new = are_new(contents);
    size_t count;
    MEZ_TRY(count_items(reader, "entries", contents->entries_begin, contents->entries_end,
        new ? sizeof(mez_dpcpp_entry) : sizeof(mez_dpcpp_entry_old), &count));
    const char **names = mez_alloc_array(count, sizeof *names);
    if (!names)
        return mez_error_no_memory("a list of kernels");
    for (size_t i = 0; i < count; i++)
        names[i] = entry_name(contents, new, i);
    const mez_error error = mez_binary_set_kernels(reader->bundle, binary, names, count);
    mez_free_memory(names);
    return error;
}

// --- Images

static void set_format(mez_binary *binary, uint8_t format)
{
    binary->packed = format == MEZ_DPCPP_PACKED;
    if (format == MEZ_CODE_NATIVE || format == MEZ_CODE_SPIRV || format == MEZ_CODE_LLVM)
        binary->format = (mez_code_format)format;
    else
        binary->format = mez_code_recognise(binary->code, binary->code_size);
}

static const char *text_of(const char *string)
{
    return string ? string : "";
}

static mez_error add_image(const descriptor_reader *reader, const mez_dpcpp_image *image,
    const mez_dpcpp_contents *contents)
{
    mez_container_bytes code = {.bytes = contents->code_begin, .source = reader->source};
    MEZ_TRY(count_items(reader, "code", contents->code_begin, contents->code_end, 1, &code.size));
    mez_binary *binary;
    MEZ_TRY(mez_bundle_add(reader->bundle, &code, &binary));
    set_format(binary, image->format);
    binary->target = text_of(image->target);
    binary->compile_options = text_of(image->compile_options);
    binary->link_options = text_of(image->link_options);
    MEZ_TRY(add_sets(reader, &binary->properties, contents));
    MEZ_TRY(mez_binary_take_kernel_names(reader->bundle, binary));
    return binary->lists_kernels ? mez_ok() : add_entries(reader, binary, contents);
}

// Moves on behind the image that it adds.
static mez_error add_next_image(const descriptor_reader *reader, const uint8_t **at)
{
    const mez_dpcpp_image *image = (const void *)*at;
    if (image->version == 0 || image->version > MEZ_DPCPP_NEWEST_IMAGE)
        return wrong(reader, "an image of version %u: versions 1 to %d are supported",
            image->version, MEZ_DPCPP_NEWEST_IMAGE);
    if (image->version == 3) {
        *at += sizeof(mez_dpcpp_image_3);
        return add_image(
            reader, image, &((const mez_dpcpp_image_3 *)(const void *)image)->contents);
    }
    *at += sizeof(mez_dpcpp_image_2);
    return add_image(reader, image, &((const mez_dpcpp_image_2 *)(const void *)image)->contents);
}

static mez_error add_images(mez_bundle *bundle, const mez_dpcpp_descriptor *descriptor)
{
    descriptor_reader reader = {.bundle = bundle, .source = SOURCE};
    if (descriptor->version != MEZ_DPCPP_DESCRIPTOR_VERSION)
        return wrong(&reader, "a descriptor of version %u: version %d is supported",
            descriptor->version, MEZ_DPCPP_DESCRIPTOR_VERSION);
    const uint8_t *at = descriptor->images;
    for (unsigned i = 0; at && i < descriptor->count; i++) {
        MEZ_TRY(mez_bundle_print(bundle, &reader.source, "registered image %u", i));
        MEZ_TRY(add_next_image(&reader, &at));
    }
    return mez_ok();
}

mez_error mez_bundle_from_descriptor(const void *descriptor, mez_bundle **bundle)
{
    *bundle = mez_bundle_create(MEZ_CONTAINER_REGISTERED);
    if (!*bundle)
        return mez_error_no_memory("a bundle of device images");
    (*bundle)->budget = SIZE_MAX; // what a linker has laid out needs no bound
    mez_error error = mez_bundle_limit(*bundle, 0);
    if (!mez_failed(error))
        error = add_images(*bundle, descriptor);
    if (mez_failed(error))
        mez_bundle_destroy(bundle);
    return error;
}
