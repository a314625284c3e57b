// SPDX-License-Identifier: MIT

#include "container/syclbin_image.h"

#include "container/syclbin_layout.h"
#include "container/zstd.h"

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

mez_error mez_bundle_add_syclbin_image(mez_bundle *bundle, const mez_syclbin_image *image)
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
