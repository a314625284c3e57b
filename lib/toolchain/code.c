// SPDX-License-Identifier: MIT
//
// Device code for programs: reading it, what is in it, and what bytes are.

#include "toolchain/code.h"

#include <string.h>

#include <mezzanine/code.h>

#include "base/alloc.h"
#include "base/text.h"
#include "base/version.h"
#include "container/bundle.h"
#include "container/offload.h"
#include "container/syclbin.h"
#include "container/zstd.h"
#include "devicelib/devicelib.h"
#include "spirv/survey.h"

static mez_error no_memory(void)
{
    return mez_error_no_memory("device code");
}

// --- Kernels

static mez_error add_kernel(mez_code *code, const mez_code_kernel *kernel)
{
    const mez_code_listed_kernel listed = {.kernel = *kernel};
    return mez_vector_push(&code->kernels, listed) ? mez_ok() : no_memory();
}

static mez_error read_arguments(
    const struct mez_spirv_module *module, uint32_t entry, mez_code_listed_kernel *listed)
{
    struct mez_spirv_problem problem;
    if (mez_spirv_signature_init(
            module, &module->entry_points[entry], &problem, &listed->signature) != MEZ_SPIRV_OK)
        return no_memory();
    listed->kernel.argument_count = listed->signature.count;
    listed->kernel.arguments_known = true;
    return mez_ok();
}

static mez_error add_entry_points(mez_code *code, const mez_check_binary *checked, uint32_t binary)
{
    const struct mez_spirv_module *module = checked->module;
    for (uint32_t i = 0; i < module->entry_point_count; i++) {
        const struct mez_spirv_kernel_needs *needs = &checked->survey->kernels[i];
        if (needs->kernel->model != MEZ_MODEL_KERNEL)
            continue;
        mez_code_kernel kernel = {
            .name = needs->kernel->name,
            .binary = binary,
            .sub_group_size = needs->modes->sub_group_size,
            .may_assert = needs->may_assert,
        };
        if (needs->modes->has_local_size)
            memcpy(kernel.group_size, needs->modes->local_size, sizeof kernel.group_size);
        MEZ_TRY(add_kernel(code, &kernel));
        MEZ_TRY(read_arguments(module, i, &code->kernels.items[code->kernels.count - 1]));
    }
    return mez_ok();
}

static mez_error add_listed(mez_code *code, const mez_check_binary *checked, uint32_t binary)
{
    const char *name;
    for (uint32_t i = 0; (name = mez_check_binary_kernel(checked, i)); i++)
        MEZ_TRY(add_kernel(code, &(mez_code_kernel){.name = name, .binary = binary}));
    return mez_ok();
}

// --- Binaries

static void describe_binary(const mez_check_binary *checked, mez_code_binary *described)
{
    const mez_binary *binary = checked->binary;
    const bool readable = !mez_failed(checked->unreadable);
    *described = (mez_code_binary){
        .format = (mez_binary_format)binary->format,
        .source = binary->source,
        .target = binary->target,
        .device = binary->format == MEZ_CODE_NATIVE ? mez_binary_native_target(binary) : "",
        .compile_options = binary->compile_options,
        .bytes = readable ? binary->code : NULL,
        .size = readable ? binary->code_size : 0,
        .group = binary->module,
        .error = checked->unreadable,
    };
}

// Code that is alone and can't be read leaves nothing to look at.
static mez_error refuse_unreadable(const mez_check_units *units)
{
    if (units->binary_count != 1 || !mez_failed(units->binaries[0].unreadable))
        return mez_ok();
    return mez_error_hand_over(mez_error_retain(units->binaries[0].unreadable));
}

static mez_error list_contents(mez_code *code)
{
    const mez_check_units *units = code->units;
    code->binaries = mez_alloc_array((size_t)units->binary_count + 1, sizeof *code->binaries);
    if (!code->binaries)
        return no_memory();
    for (uint32_t i = 0; i < units->binary_count; i++) {
        const mez_check_binary *checked = &units->binaries[i];
        describe_binary(checked, &code->binaries[i]);
        MEZ_TRY(
            checked->survey ? add_entry_points(code, checked, i) : add_listed(code, checked, i));
    }
    return mez_ok();
}

// --- Making it

static mez_error read_contents(mez_code *code, const mez_code_reading *reading)
{
    MEZ_TRY(mez_check_units_create(code->bundle, reading->mode, &code->units));
    MEZ_TRY(mez_check_units_add_imports(code->units, mez_devicelib_knows));
    if (!reading->unreadable_allowed)
        MEZ_TRY(refuse_unreadable(code->units));
    MEZ_TRY(list_contents(code));
    return mez_code_list_requirements(code);
}

mez_error mez_code_of_bundle(
    mez_bundle *bundle, void *bytes, const mez_code_reading *reading, mez_code **code)
{
    *code = mez_new(mez_code);
    if (!*code) {
        mez_bundle_destroy(&bundle);
        mez_free_memory(bytes);
        return no_memory();
    }
    **code = (mez_code){.bundle = bundle, .bytes = bytes};
    const mez_error error = read_contents(*code, reading);
    if (mez_failed(error))
        mez_code_destroy(code);
    return error;
}

static mez_error load(const char *path, const mez_code_reading *reading, mez_code **code)
{
    mez_bundle *bundle;
    MEZ_TRY(mez_bundle_load_within(path, reading->unpack_limit, &bundle));
    return mez_code_of_bundle(bundle, NULL, reading, code);
}

static mez_error read_bytes(const void *bytes, size_t size, const char *name,
    const mez_code_reading *reading, mez_code **code)
{
    void *copy = mez_alloc_array(size + 1, 1);
    if (!copy)
        return no_memory();
    memcpy(copy, bytes, size);
    mez_bundle *bundle;
    const mez_error error =
        mez_bundle_read_within(copy, size, name ? name : "code", reading->unpack_limit, &bundle);
    if (!mez_failed(error))
        return mez_code_of_bundle(bundle, copy, reading, code);
    mez_free_memory(copy);
    return error;
}

mez_error mez_code_load(const char *path, mez_code **code)
{
    MEZ_REQUIRE(code, NULL);
    *code = NULL;
    MEZ_REQUIRE(path, NULL);
    return load(path, &(mez_code_reading){0}, code);
}

mez_error mez_code_read(const void *bytes, size_t size, const char *name, mez_code **code)
{
    MEZ_REQUIRE(code, NULL);
    *code = NULL;
    MEZ_REQUIRE(bytes, NULL);
    return read_bytes(bytes, size, name, &(mez_code_reading){0}, code);
}

mez_error mez_code_create(const mez_code_params *params, mez_code **code)
{
    MEZ_REQUIRE(code, NULL);
    *code = NULL;
    MEZ_REQUIRE(params, NULL);
    MEZ_TRY_RESERVED(mez_code_params, params);
    if (!params->path == !params->bytes)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "code is in a file or in memory: give either \"path\" or \"bytes\"");
    const mez_code_reading reading = {
        .mode = params->by_types ? MEZ_SURVEY_TYPES : MEZ_SURVEY_VALUES,
        .unreadable_allowed = params->unreadable_allowed,
        .unpack_limit = params->unpack_limit,
    };
    return params->path ? load(params->path, &reading, code)
                        : read_bytes(params->bytes, params->size, params->name, &reading, code);
}

void mez_code_destroy(mez_code **code)
{
    if (!code)
        return;
    mez_code *old = *code;
    *code = NULL;
    if (!old)
        return;
    for (uint32_t i = 0; i < old->kernels.count; i++)
        mez_spirv_signature_finish(&old->kernels.items[i].signature);
    mez_vector_finish(&old->kernels);
    mez_code_forget_requirements(old);
    mez_free_memory(old->binaries);
    mez_check_units_destroy(&old->units);
    mez_bundle_destroy(&old->bundle);
    mez_free_memory(old->bytes);
    mez_free_memory(old);
}

// --- Looking at it

uint32_t mez_code_get_binary_count(const mez_code *code)
{
    return code ? code->units->binary_count : 0;
}

const mez_code_binary *mez_code_get_binary(const mez_code *code, uint32_t index)
{
    return index < mez_code_get_binary_count(code) ? &code->binaries[index] : NULL;
}

uint32_t mez_code_get_kernel_count(const mez_code *code)
{
    return code ? code->kernels.count : 0;
}

const mez_code_kernel *mez_code_get_kernel(const mez_code *code, uint32_t index)
{
    return index < mez_code_get_kernel_count(code) ? &code->kernels.items[index].kernel : NULL;
}

size_t mez_code_get_argument(
    const mez_code *code, uint32_t kernel, uint32_t argument, char *buffer, size_t size)
{
    char text[256] = "";
    if (kernel < mez_code_get_kernel_count(code) &&
        argument < code->kernels.items[kernel].signature.count)
        mez_spirv_argument_declaration(
            &code->kernels.items[kernel].signature.arguments[argument], text, sizeof text);
    mez_bounded copy = mez_bounded_begin(buffer, size);
    mez_bounded_add_string(&copy, text);
    return copy.length;
}

// --- What bytes are, for programs that choose by it

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
