// SPDX-License-Identifier: MIT
//
// Writing what was built.

#include "base/alloc.h"
#include "base/file.h"
#include "build/build.h"
#include "container/device_requirements.h"
#include "container/syclbin.h"
#include "container/table.h"

// --- Tables

// The image's properties, and which target it is for.
static mez_error collect_properties(const mez_binary *binary, mez_properties *properties)
{
    MEZ_TRY(mez_properties_add_all(properties, &binary->properties, NULL));
    if (binary->format != MEZ_CODE_NATIVE)
        return mez_ok();
    return mez_properties_add_text(
        properties, MEZ_SET_DEVICE_REQUIREMENTS, MEZ_NAME_COMPILE_TARGET, binary->arch);
}

// "esimd_3", "intel_gpu_tgllp_3"
static char *file_name(const mez_binary *binary)
{
    const bool native = binary->format == MEZ_CODE_NATIVE;
    const bool esimd =
        mez_properties_get_number(&binary->properties, MEZ_SET_MISC, MEZ_NAME_ESIMD_IMAGE, 0);
    return mez_print_string("%s%s%s%u", native ? binary->arch : "", native ? "_" : "",
        esimd ? "esimd_" : "", (unsigned)binary->module);
}

static mez_error add_row(
    mez_table_output *output, const mez_binary *binary, const mez_properties *properties)
{
    char *name = file_name(binary);
    if (!name)
        return mez_error_no_memory("an image's files");
    const mez_table_image image = {
        .name = name,
        .ending = binary->format == MEZ_CODE_NATIVE ? ".bin" : ".spv",
        .code = binary->code,
        .code_size = binary->code_size,
        .properties = properties,
        .kernels = binary->kernels,
        .kernel_count = binary->kernel_count,
    };
    const mez_error error = mez_table_output_add(output, &image);
    mez_free_memory(name);
    return error;
}

static mez_error add_binary(mez_table_output *output, const mez_binary *binary)
{
    mez_properties properties = {0};
    mez_error error = collect_properties(binary, &properties);
    if (!mez_failed(error))
        error = add_row(output, binary, &properties);
    mez_properties_finish(&properties);
    return error;
}

static mez_error write_table(const mez_bundle *bundle, const char *path)
{
    mez_table_output output;
    mez_error error = mez_table_output_init(path, &output);
    for (size_t i = 0; i < bundle->count && !mez_failed(error); i++)
        error = add_binary(&output, &bundle->binaries[i]);
    if (!mez_failed(error))
        error = mez_table_output_commit(&output);
    mez_table_output_finish(&output);
    return error;
}

// --- SYCLBIN

// Native code is past the state in which constants can be set; what still imports symbols can't be run as it is.
static uint32_t state_of(const mez_bundle *bundle)
{
    uint32_t state = MEZ_SYCLBIN_INPUT;
    for (size_t i = 0; i < bundle->count; i++)
        if (bundle->binaries[i].format == MEZ_CODE_NATIVE)
            state = MEZ_SYCLBIN_EXECUTABLE;
    for (size_t i = 0; i < bundle->count && state == MEZ_SYCLBIN_EXECUTABLE; i++)
        if (mez_binary_imports(&bundle->binaries[i]))
            state = MEZ_SYCLBIN_OBJECT;
    return state;
}

static mez_error write_syclbin(mez_bundle *bundle, const char *path)
{
    mez_bytes bytes = {0};
    mez_error error = mez_properties_add_number(
        &bundle->properties, MEZ_SET_SYCLBIN_GLOBAL, MEZ_SYCLBIN_STATE, state_of(bundle));
    if (!mez_failed(error))
        error = mez_bundle_write_syclbin(bundle, MEZ_SYCLBIN_1, &bytes);
    if (!mez_failed(error) && bytes.failed)
        error = mez_error_no_memory("a SYCLBIN");
    if (!mez_failed(error))
        error = mez_file_replace(path, bytes.data, bytes.size);
    mez_bytes_finish(&bytes);
    return error;
}

mez_error mez_build_write(mez_build *build, const char *path, mez_build_format format)
{
    MEZ_REQUIRE(build, NULL);
    MEZ_REQUIRE(path, NULL);
    if (format > MEZ_BUILD_SYCLBIN)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "mez_build_write: %u is not a mez_build_format", (unsigned)format);
    return format == MEZ_BUILD_SYCLBIN ? write_syclbin(build->bundle, path)
                                       : write_table(build->bundle, path);
}
