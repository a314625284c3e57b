// SPDX-License-Identifier: MIT
//
// Binaries and bundles, which every container becomes.

#include "container/bundle.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/environment.h"
#include "base/bytes.h"
#include "base/vector.h"
#include "container/device_requirements.h"
#include "container/properties.h"
#include "container/zstd.h"

// --- Binaries
//
// What a binary's code is, by its first bytes; the kernels and the device that its container names.

#define SPIRV_MAGIC 0x07230203u
#define SPIRV_MAGIC_SWAPPED 0x03022307u
#define BITCODE_MAGIC 0xDEC04342u         // "BC" C0 DE
#define BITCODE_WRAPPER_MAGIC 0x0B17C0DEu // a header that some tools put before it
#define PATCH_TOKENS_MAGIC 0x494E5443u    // "CTNI", of device binaries before zebin
#define ELF_MAGIC 0x464C457Fu

#define ELF_TYPE 16
#define ELF_MACHINE 18
#define ELF_HEADER_SIZE 52 // the smaller one, of 32 bits
#define MACHINE_INTEL_GPU 205
#define FIRST_PROCESSOR_TYPE \
    0xFF00 // Intel's types of device code: OpenCL programs 0xFF0x, zebin 0xFF1x

// An object file for the host is not device code, even where a driver might look into it.
static bool is_device_elf(const uint8_t *bytes, size_t size)
{
    return size >= ELF_HEADER_SIZE && mez_read_u32(bytes) == ELF_MAGIC &&
           (mez_read_u16(bytes + ELF_MACHINE) == MACHINE_INTEL_GPU ||
               mez_read_u16(bytes + ELF_TYPE) >= FIRST_PROCESSOR_TYPE);
}

// What ocloc makes for several devices: an archive that begins with padding, then a member per device.
static bool is_device_archive(const uint8_t *bytes, size_t size)
{
    static const char start[] = "!<arch>\npad_";
    return size >= sizeof start - 1 && memcmp(bytes, start, sizeof start - 1) == 0;
}

// What ze-cpu, the driver beside this library, gives and takes.
static bool is_cpu_binary(const uint8_t *bytes, size_t size)
{
    static const char start[] = "ZECPUBIN";
    return size >= sizeof start - 1 && memcmp(bytes, start, sizeof start - 1) == 0;
}

static bool is_native(const uint8_t *bytes, size_t size)
{
    return is_device_elf(bytes, size) || is_device_archive(bytes, size) ||
           is_cpu_binary(bytes, size);
}

mez_code_format mez_code_recognise(const void *bytes, size_t size)
{
    if (size < 4)
        return MEZ_CODE_UNKNOWN;
    switch (mez_read_u32(bytes)) {
    case SPIRV_MAGIC:
    case SPIRV_MAGIC_SWAPPED:
        return MEZ_CODE_SPIRV;
    case BITCODE_MAGIC:
    case BITCODE_WRAPPER_MAGIC:
        return MEZ_CODE_LLVM;
    case PATCH_TOKENS_MAGIC:
        return MEZ_CODE_NATIVE;
    default:
        return is_native(bytes, size) ? MEZ_CODE_NATIVE : MEZ_CODE_UNKNOWN;
    }
}

const char *mez_code_format_name(mez_code_format format)
{
    switch (format) {
    case MEZ_CODE_NATIVE:
        return "native";
    case MEZ_CODE_SPIRV:
        return "SPIR-V";
    case MEZ_CODE_LLVM:
        return "LLVM bitcode";
    default:
        return "unknown";
    }
}

// --- Lists of kernels

// While it is made: the index finds a name that comes again.
typedef MEZ_NAMED(const char *) list;

static mez_error add_kernel(mez_bundle *bundle, list *list, const char *name)
{
    const char *copy;
    if (mez_named_find(list, name, strlen(name)) != MEZ_NAME_NOT_FOUND)
        return mez_ok();
    MEZ_TRY(mez_bundle_copy_string(bundle, name, strlen(name), &copy));
    return mez_named_push(list, copy) ? mez_ok() : mez_error_no_memory("a list of kernels");
}

mez_error mez_binary_set_kernels(
    mez_bundle *bundle, mez_binary *binary, const char *const *names, size_t count)
{
    list list = {0};
    mez_error error = mez_ok();
    for (size_t i = 0; i < count && !mez_failed(error); i++)
        error = add_kernel(bundle, &list, names[i]);
    mez_name_index_finish(&list.index);
    mez_free_memory(binary->kernels);
    binary->kernels = list.items;
    binary->kernel_count = list.count;
    binary->lists_kernels = true;
    return error;
}

mez_error mez_binary_take_kernel_names(mez_bundle *bundle, mez_binary *binary)
{
    const mez_property_set *set =
        mez_properties_find_set(&binary->properties, MEZ_SET_KERNEL_NAMES);
    if (!set)
        return mez_ok();
    const size_t count = set->properties.count;
    const char **names = mez_alloc_array(count ? count : 1, sizeof *names);
    if (!names)
        return mez_error_no_memory("a list of kernels");
    for (size_t i = 0; i < count; i++)
        names[i] = set->properties.items[i].name;
    const mez_error error = mez_binary_set_kernels(bundle, binary, names, count);
    mez_free_memory(names);
    return error;
}

bool mez_binary_has_kernel(const mez_binary *binary, const char *name)
{
    for (size_t i = 0; i < binary->kernel_count; i++)
        if (strcmp(binary->kernels[i], name) == 0)
            return true;
    return false;
}

// --- Devices

// Compilers list several devices for one file: "pvc,bmg".
static bool is_one_name(const char *name)
{
    return name && name[0] != '\0' && !strchr(name, ',');
}

const char *mez_binary_compiled_for(const mez_binary *binary)
{
    const mez_property *target = mez_properties_find(
        &binary->properties, MEZ_SET_DEVICE_REQUIREMENTS, MEZ_NAME_COMPILE_TARGET);
    if (target && is_one_name((const char *)target->bytes))
        return (const char *)target->bytes;
    return is_one_name(binary->arch) ? binary->arch : "";
}

// --- Bundles

mez_bundle *mez_bundle_create(mez_container container)
{
    mez_bundle *bundle = mez_new(mez_bundle);
    if (bundle)
        *bundle = (mez_bundle){.container = container, .unpack_limit = MEZ_UNPACK_DEFAULT_LIMIT};
    return bundle;
}

mez_error mez_bundle_limit(mez_bundle *bundle, uint64_t unpack_limit)
{
    bundle->unpack_limit = unpack_limit;
    return unpack_limit ? mez_ok()
                        : mez_setting_read_size(MEZ_VARIABLE_UNPACK_LIMIT, MEZ_UNPACK_DEFAULT_LIMIT,
                              &bundle->unpack_limit);
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

mez_error mez_bundle_damaged(
    const mez_container_bytes *span, uint64_t offset, const char *format, ...)
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

mez_error mez_bundle_pay(mez_bundle *bundle, const mez_container_bytes *span, size_t bytes)
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
    va_list arguments;
    va_start(arguments, format);
    char *text = mez_print_string_list(format, arguments);
    va_end(arguments);
    MEZ_TRY(mez_bundle_keep(bundle, text));
    *string = text;
    return mez_ok();
}

static mez_error too_large(const mez_bundle *bundle, const mez_container_bytes *packed)
{
    const mez_error error = mez_error_make(MEZ_ERRC_INVALID_IMAGE,
        "%s: compressed code of %zu bytes unpacks to more than the image may take", packed->source,
        packed->size);
    return mez_error_add(error, "limit",
        "%" PRIu64 " bytes for all of its compressed code, of which %" PRIu64
        " are in use; if you trust the image, set MEZ_UNPACK_LIMIT, or unpack_limit in the struct "
        "that the program gives to the library",
        bundle->unpack_limit, bundle->unpacked);
}

mez_error mez_bundle_unpack_bytes(
    mez_bundle *bundle, const mez_container_bytes *packed, mez_bytes *unpacked)
{
    bool is_larger;
    const uint64_t left = bundle->unpack_limit - bundle->unpacked;
    const mez_error error = mez_zstd_unpack(packed->bytes, packed->size,
        left < SIZE_MAX ? (size_t)left : SIZE_MAX, packed->source, unpacked, &is_larger);
    if (is_larger)
        return too_large(bundle, packed);
    if (!mez_failed(error))
        bundle->unpacked += unpacked->size;
    return error;
}

mez_error mez_bundle_unpack(
    mez_bundle *bundle, const mez_container_bytes *packed, mez_container_bytes *unpacked)
{
    mez_bytes bytes = {0};
    const mez_error error = mez_bundle_unpack_bytes(bundle, packed, &bytes);
    if (mez_failed(error)) {
        mez_bytes_finish(&bytes);
        return error;
    }
    MEZ_TRY(mez_bundle_keep(bundle, bytes.data));
    *unpacked = (mez_container_bytes){
        .bytes = bytes.data,
        .size = bytes.size,
        .source = packed->source,
        .depth = packed->depth,
    };
    bundle->budget += mez_bundle_budget(bytes.size);
    return mez_ok();
}

// --- Binaries

mez_error mez_bundle_add(mez_bundle *bundle, const mez_container_bytes *span, mez_binary **binary)
{
    MEZ_TRY(mez_bundle_pay(bundle, span, sizeof **binary));
    if (!mez_array_reserve(bundle->binaries, bundle->count, bundle->capacity))
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
    mez_bundle *bundle, const mez_container_bytes *span, mez_properties *properties)
{
    if (span->size == 0)
        return mez_ok();
    MEZ_TRY(mez_bundle_pay(bundle, span, span->size));
    return mez_prop_read((const char *)span->bytes, span->size, span->source, properties);
}
