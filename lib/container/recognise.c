// SPDX-License-Identifier: MIT

#include "container/binary.h"

#include <string.h>

#include "container/bits.h"

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

// An object file for the host is no device code, even where a driver might look into it.
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
