// SPDX-License-Identifier: MIT

#include "container/syclbin_write.h"

#include <string.h>

#include "base/alloc.h"
#include "container/prop.h"
#include "container/syclbin_layout.h"

#define OWN_SETS "SYCLBIN/"

// --- Metadata

static mez_error write_text(mez_error error, mez_properties *properties, mez_bytes *text)
{
    if (!mez_failed(error))
        error = mez_prop_write(properties, text);
    mez_properties_finish(properties);
    return error;
}

static mez_error collect_global(const mez_bundle *bundle, mez_properties *properties)
{
    MEZ_TRY(mez_properties_add_all(properties, &bundle->properties, NULL));
    if (mez_properties_find(properties, MEZ_SET_SYCLBIN_GLOBAL, MEZ_SYCLBIN_STATE))
        return mez_ok();
    return mez_properties_add_number(
        properties, MEZ_SET_SYCLBIN_GLOBAL, MEZ_SYCLBIN_STATE, MEZ_SYCLBIN_INPUT);
}

static mez_error add_kernel_names(const mez_binary *binary, mez_properties *properties)
{
    MEZ_TRY(mez_properties_add_set(properties, MEZ_SET_KERNEL_NAMES));
    for (size_t i = 0; i < binary->kernel_count; i++)
        MEZ_TRY(mez_properties_add_number(properties, MEZ_SET_KERNEL_NAMES, binary->kernels[i], 1));
    return mez_ok();
}

// The binary's sets, without those that are about its own form of the code.
static mez_error collect_module(const mez_binary *binary, mez_properties *properties)
{
    MEZ_TRY(mez_properties_add_all(properties, &binary->properties, NULL));
    for (size_t i = properties->count; i > 0; i--) {
        const char *name = properties->sets[i - 1].name;
        if (strncmp(name, OWN_SETS, sizeof OWN_SETS - 1) == 0)
            mez_properties_remove_set(properties, name);
    }
    const bool named = mez_properties_find_set(properties, MEZ_SET_KERNEL_NAMES);
    return binary->lists_kernels && !named ? add_kernel_names(binary, properties) : mez_ok();
}

static mez_error collect_image(const mez_syclbin_written_image *image, mez_properties *properties)
{
    const mez_binary *binary = image->binary;
    const char *set = image->native ? MEZ_SET_SYCLBIN_NATIVE : MEZ_SET_SYCLBIN_IR;
    MEZ_TRY(mez_properties_add_all(properties, &binary->properties, set));
    if (mez_properties_find_set(properties, set))
        return mez_ok();
    if (image->native)
        MEZ_TRY(mez_properties_add_text(properties, set, MEZ_SYCLBIN_ARCH, binary->arch));
    else
        MEZ_TRY(mez_properties_add_number(properties, set, MEZ_SYCLBIN_TYPE, MEZ_SYCLBIN_IR_SPIRV));
    return mez_properties_add_text(properties, set, MEZ_SYCLBIN_TARGET, binary->target);
}

// --- Modules and images

static mez_error check(const mez_binary *binary)
{
    const bool usable = binary->format == MEZ_CODE_SPIRV || binary->format == MEZ_CODE_NATIVE;
    if (usable && !binary->packed)
        return mez_ok();
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "%s: SYCLBIN can't hold it: it is %s%s",
        binary->source, binary->packed ? "packed " : "", mez_code_format_name(binary->format));
}

static mez_error write_module(mez_syclbin_writer *writer, size_t first)
{
    mez_syclbin_written_module *module = &writer->modules[writer->module_count++];
    module->first = first;
    mez_properties properties = {0};
    const mez_error error = collect_module(&writer->bundle->binaries[first], &properties);
    return write_text(error, &properties, &module->metadata);
}

static mez_error write_image(mez_syclbin_writer *writer, size_t i)
{
    const mez_binary *binary = &writer->bundle->binaries[i];
    MEZ_TRY(check(binary));
    if (i == 0 || binary->module != binary[-1].module)
        MEZ_TRY(write_module(writer, i));
    writer->modules[writer->module_count - 1].count++;
    mez_syclbin_written_image *image = &writer->images[i];
    *image = (mez_syclbin_written_image){
        .binary = binary,
        .native = binary->format == MEZ_CODE_NATIVE,
    };
    mez_properties properties = {0};
    const mez_error error = collect_image(image, &properties);
    return write_text(error, &properties, &image->metadata);
}

static mez_error write_metadata(mez_syclbin_writer *writer)
{
    mez_properties properties = {0};
    const mez_error error = collect_global(writer->bundle, &properties);
    MEZ_TRY(write_text(error, &properties, &writer->global));
    for (size_t i = 0; i < writer->bundle->count; i++)
        MEZ_TRY(write_image(writer, i));
    return mez_ok();
}

// --- All of it

static mez_error write_form(
    const mez_syclbin_writer *writer, mez_syclbin_form form, mez_bytes *bytes)
{
    switch (form) {
    case MEZ_SYCLBIN_2:
        return mez_syclbin_write_roles(writer, bytes);
    case MEZ_SYCLBIN_1_BARE:
        return mez_syclbin_write_tables(writer, bytes);
    default:
        return mez_syclbin_write_wrapped(writer, bytes);
    }
}

static void finish(mez_syclbin_writer *writer)
{
    for (size_t i = 0; i < writer->module_count; i++)
        mez_bytes_finish(&writer->modules[i].metadata);
    for (size_t i = 0; writer->images && i < writer->bundle->count; i++)
        mez_bytes_finish(&writer->images[i].metadata);
    mez_free_memory(writer->modules);
    mez_free_memory(writer->images);
    mez_bytes_finish(&writer->global);
}

mez_error mez_bundle_write_syclbin(
    const mez_bundle *bundle, mez_syclbin_form form, mez_bytes *bytes)
{
    const size_t count = bundle->count ? bundle->count : 1;
    mez_syclbin_writer writer = {
        .bundle = bundle,
        .modules = mez_alloc_array(count, sizeof *writer.modules),
        .images = mez_alloc_array(count, sizeof *writer.images),
    };
    mez_error error = writer.modules && writer.images ? write_metadata(&writer)
                                                      : mez_error_no_memory("a SYCLBIN");
    if (!mez_failed(error))
        error = write_form(&writer, form, bytes);
    finish(&writer);
    return error;
}
