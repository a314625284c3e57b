// SPDX-License-Identifier: MIT

#include "write_offload.h"

#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"

#define COUNT_SIZE 4
#define PLACE_SIZE 8

// The second form of lists of kernels (lib/container/offload_bundle.c), which is today's.
static void write_symbols(const mez_binary *binary, mez_bytes *bytes)
{
    uint32_t offset = (uint32_t)(COUNT_SIZE + binary->kernel_count * PLACE_SIZE);
    mez_bytes_add_u32(bytes, (uint32_t)binary->kernel_count);
    for (size_t i = 0; i < binary->kernel_count; i++) {
        const uint32_t length = (uint32_t)strlen(binary->kernels[i]);
        mez_bytes_add_u32(bytes, offset);
        mez_bytes_add_u32(bytes, length);
        offset += length + 1;
    }
    for (size_t i = 0; i < binary->kernel_count; i++)
        mez_bytes_add(bytes, binary->kernels[i], strlen(binary->kernels[i]) + 1);
}

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
    write_symbols(binary, &written->symbols);
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

mez_error write_offload(
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
