// SPDX-License-Identifier: MIT
//
// What a binary's code is, by its first bytes; the kernels and the device that its container names.

#include "container/bundle.h"

#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/vector.h"
#include "container/device_requirements.h"

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

// The index asks for structs that begin with a name, and a name alone is one.
static mez_named_items named_kernels(const mez_binary *binary)
{
    return (mez_named_items){
        .items = binary->kernels,
        .count = binary->kernel_count,
        .size = sizeof *binary->kernels,
    };
}

// While it is made: what finds a name that comes again, and the items that there is room for.
typedef struct list {
    mez_name_index index;
    size_t capacity;
} list;

static mez_error add_kernel(mez_bundle *bundle, mez_binary *binary, list *list, const char *name)
{
    const mez_named_items before = named_kernels(binary);
    const char *copy;
    if (mez_name_index_find(&list->index, &before, name, strlen(name)) != MEZ_NAME_NOT_FOUND)
        return mez_ok();
    if (!mez_named_grow(&list->index, &binary->kernels, binary->kernel_count, &list->capacity))
        return mez_error_no_memory("a list of kernels");
    MEZ_TRY(mez_bundle_copy_string(bundle, name, strlen(name), &copy));
    binary->kernels[binary->kernel_count++] = copy;
    const mez_named_items kernels = named_kernels(binary);
    mez_name_index_add(&list->index, &kernels);
    return mez_ok();
}

mez_error mez_binary_set_kernels(
    mez_bundle *bundle, mez_binary *binary, const char *const *names, size_t count)
{
    mez_free_memory(binary->kernels);
    binary->kernels = NULL;
    binary->kernel_count = 0;
    binary->lists_kernels = true;
    list list = {0};
    mez_error error = mez_ok();
    for (size_t i = 0; i < count && !mez_failed(error); i++)
        error = add_kernel(bundle, binary, &list, names[i]);
    mez_name_index_finish(&list.index);
    return error;
}

mez_error mez_binary_take_kernel_names(mez_bundle *bundle, mez_binary *binary)
{
    const mez_property_set *set =
        mez_properties_find_set(&binary->properties, MEZ_SET_KERNEL_NAMES);
    if (!set)
        return mez_ok();
    const char **names = mez_alloc_array(set->count ? set->count : 1, sizeof *names);
    if (!names)
        return mez_error_no_memory("a list of kernels");
    for (size_t i = 0; i < set->count; i++)
        names[i] = set->properties[i].name;
    const mez_error error = mez_binary_set_kernels(bundle, binary, names, set->count);
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
