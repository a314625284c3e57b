// SPDX-License-Identifier: MIT

#include "contents.h"

#include <stdbool.h>
#include <string.h>

#include "container/binary.h"
#include "container/offload.h"
#include "container/syclbin.h"
#include "container/zstd.h"

static bool ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), ending_length = strlen(ending);
    return length >= ending_length && strcmp(path + length - ending_length, ending) == 0;
}

static const char *name_of_code(mez_code_format format)
{
    switch (format) {
    case MEZ_CODE_SPIRV:
        return "SPIR-V";
    case MEZ_CODE_NATIVE:
        return "native code";
    case MEZ_CODE_LLVM:
        return "LLVM bitcode";
    default:
        return NULL;
    }
}

const char *contents_container(const char *path, const void *bytes, size_t size)
{
    if (mez_offload_recognise(bytes, size))
        return ends_in(path, ".syclbin") ? "a SYCLBIN" : "an OffloadBinary";
    if (mez_syclbin_recognise(bytes, size))
        return "a SYCLBIN";
    if (mez_zstd_recognise(bytes, size) || name_of_code(mez_code_recognise(bytes, size)))
        return NULL; // whatever it is called
    const bool titles = size > 0 && *(const char *)bytes == '[';
    return titles || ends_in(path, ".table") ? "a file table" : NULL;
}

const char *contents_name(const char *path, const void *bytes, size_t size)
{
    const char *container = contents_container(path, bytes, size);
    if (container)
        return container;
    if (mez_zstd_recognise(bytes, size))
        return "compressed by zstd";
    return name_of_code(mez_code_recognise(bytes, size));
}
