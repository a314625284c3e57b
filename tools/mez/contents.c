// SPDX-License-Identifier: MIT

#include "contents.h"

#include <stdbool.h>
#include <string.h>

#include <mezzanine/code.h>

static bool ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), ending_length = strlen(ending);
    return length >= ending_length && strcmp(path + length - ending_length, ending) == 0;
}

const char *contents_container(const char *path, const void *bytes, size_t size)
{
    switch (mez_content_recognise(bytes, size)) {
    case MEZ_CONTENT_OFFLOAD_BINARY:
        return ends_in(path, ".syclbin") ? "a SYCLBIN" : "an OffloadBinary";
    case MEZ_CONTENT_SYCLBIN:
        return "a SYCLBIN";
    case MEZ_CONTENT_TABLE:
        return "a file table";
    case MEZ_CONTENT_UNKNOWN:
        return ends_in(path, ".table") ? "a file table" : NULL;
    default:
        return NULL; // whatever it is called
    }
}

const char *contents_name(const char *path, const void *bytes, size_t size)
{
    switch (mez_content_recognise(bytes, size)) {
    case MEZ_CONTENT_ZSTD:
        return "compressed by zstd";
    case MEZ_CONTENT_SPIRV:
        return "SPIR-V";
    case MEZ_CONTENT_NATIVE:
        return "native code";
    case MEZ_CONTENT_LLVM:
        return "LLVM bitcode";
    default:
        return contents_container(path, bytes, size);
    }
}
