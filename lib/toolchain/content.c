// SPDX-License-Identifier: MIT
//
// What bytes are, for programs that choose by it.

#include <mezzanine/code.h>

#include "container/binary.h"
#include "container/offload.h"
#include "container/syclbin.h"
#include "container/zstd.h"

static mez_content content_of(mez_code_format format)
{
    switch (format) {
    case MEZ_CODE_SPIRV:
        return MEZ_CONTENT_SPIRV;
    case MEZ_CODE_NATIVE:
        return MEZ_CONTENT_NATIVE;
    case MEZ_CODE_LLVM:
        return MEZ_CONTENT_LLVM;
    default:
        return MEZ_CONTENT_UNKNOWN;
    }
}

mez_content mez_content_recognise(const void *bytes, size_t size)
{
    if (!bytes || size == 0)
        return MEZ_CONTENT_UNKNOWN;
    if (mez_offload_recognise(bytes, size))
        return MEZ_CONTENT_OFFLOAD_BINARY;
    if (mez_syclbin_recognise(bytes, size))
        return MEZ_CONTENT_SYCLBIN;
    if (mez_zstd_recognise(bytes, size))
        return MEZ_CONTENT_ZSTD;
    const mez_content content = content_of(mez_code_recognise(bytes, size));
    const bool titles = *(const char *)bytes == '[';
    return content == MEZ_CONTENT_UNKNOWN && titles ? MEZ_CONTENT_TABLE : content;
}
