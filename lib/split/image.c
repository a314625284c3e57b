// SPDX-License-Identifier: MIT
//
// Writing one image, its code and what is stated of it for tools and runtimes; and all of them as files.

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/version.h"
#include "container/device_requirements.h"
#include "container/table.h"
#include "spirv/extract.h"
#include "spirv/module.h"
#include "split/parts.h"

#define DEVICELIB_MASK "DeviceLibReqMask"
#define DEVICELIB_ASSERT 1u

typedef struct image_writer {
    const mez_split *split;
    const mez_split_group *group;
    mez_split_image *image;
    struct mez_spirv_module *module; // what was written, read again
} image_writer;

static const mez_split_root *root_at(const image_writer *writer, uint32_t i)
{
    return &writer->split->roots[writer->split->order[writer->group->first + i]];
}

// --- Code

static mez_error write_code(image_writer *writer)
{
    const struct mez_spirv_extract_options options = {
        .without_debug_info = writer->split->without_debug_info};
    struct mez_spirv_problem problem = {0};
    uint32_t *ids = mez_alloc_array(writer->group->count, sizeof *ids);
    enum mez_spirv_status status = MEZ_SPIRV_NO_MEMORY;
    for (uint32_t i = 0; ids && i < writer->group->count; i++)
        ids[i] = root_at(writer, i)->id;
    if (ids)
        status = mez_spirv_extract(writer->split->pieces, ids, writer->group->count, &options,
            &problem, &writer->image->code, &writer->image->word_count);
    if (!status)
        status = mez_spirv_module_create(writer->image->code,
            (size_t)writer->image->word_count * sizeof *ids, &problem, &writer->module);
    mez_free_memory(ids);
    return mez_split_spirv_error(
        status, &problem, MEZ_ERRC_INVALID_IMAGE, root_at(writer, 0)->name);
}

// --- Requirements

static void list_aspects(const mez_aspects *set, mez_device_requirements *requirements)
{
    mez_aspects_each(set, aspect)
    {
        requirements->aspects[requirements->aspect_count++] =
            (mez_required_aspect){.aspect = aspect};
    }
}

// How many dimensions the kernel has, SPIR-V does not say: those of size 1 at the end do not count.
static mez_required_size required_size(const struct mez_spirv_modes *modes)
{
    mez_required_size size = {.dimensions = 3};
    for (uint32_t i = 0; i < 3; i++)
        size.size[i] = modes->local_size[i];
    while (size.dimensions > 1 && size.size[size.dimensions - 1] == 1)
        size.dimensions--;
    return size;
}

// The tools' form has room for one sub-group size, the document's for all.
static size_t list_sub_group_sizes(const image_writer *writer, uint32_t sizes[2])
{
    size_t count = 0;
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t size = writer->group->sub_group_sizes[i];
        if (size && (count == 0 || writer->split->writing.doc_names))
            sizes[count++] = size;
    }
    return count;
}

static mez_error write_requirements(const image_writer *writer)
{
    const mez_split_group *group = writer->group;
    const struct mez_spirv_modes *modes = root_at(writer, 0)->modes;
    mez_required_aspect aspects[MEZ_ASPECT_COUNT];
    uint32_t sub_group_sizes[2];
    mez_required_size size = required_size(modes);
    mez_device_requirements requirements = {
        .stated = true,
        .aspects = aspects,
        .has_fixed_targets = group->has_fixed,
        .fixed_targets = group->fixed.values,
        .fixed_target_count = group->fixed.count,
    };
    if (!group->has_fixed) {
        list_aspects(&group->aspects, &requirements);
        requirements.sub_group_sizes = sub_group_sizes;
        requirements.sub_group_size_count = list_sub_group_sizes(writer, sub_group_sizes);
        requirements.work_group_sizes = &size;
        requirements.work_group_size_count = modes->has_local_size;
    }
    return mez_device_requirements_write(
        &requirements, &writer->split->writing, &writer->image->properties);
}

// --- Names

static mez_error write_kernel_names(const image_writer *writer)
{
    mez_properties *properties = &writer->image->properties;
    for (uint32_t i = 0; i < writer->group->count; i++) {
        const mez_split_root *root = root_at(writer, i);
        if (!root->is_kernel)
            continue;
        MEZ_TRY(mez_symbols_add(&writer->image->kernels, root->name, strlen(root->name)));
        MEZ_TRY(mez_properties_add_number(properties, MEZ_SET_KERNEL_NAMES, root->name, 1));
    }
    return mez_ok();
}

static mez_error write_assert_use(const image_writer *writer)
{
    for (uint32_t i = 0; i < writer->group->count; i++) {
        const mez_split_root *root = root_at(writer, i);
        if (root->is_kernel && root->may_assert)
            MEZ_TRY(mez_properties_add_number(
                &writer->image->properties, MEZ_SET_ASSERT_USED, root->name, 1));
    }
    return mez_ok();
}

static mez_error write_exports(const image_writer *writer)
{
    for (uint32_t i = 0; i < writer->group->count; i++) {
        const mez_split_root *root = root_at(writer, i);
        if (!root->is_kernel)
            MEZ_TRY(mez_properties_add_number(
                &writer->image->properties, MEZ_SET_EXPORTED_SYMBOLS, root->name, 1));
    }
    return mez_ok();
}

static mez_error write_imports(const image_writer *writer)
{
    mez_properties *properties = &writer->image->properties;
    for (uint32_t i = 0; i < writer->module->import_count; i++) {
        const struct mez_spirv_symbol *import = &writer->module->imports[i];
        if (import->is_function)
            MEZ_TRY(
                mez_properties_add_number(properties, MEZ_SET_IMPORTED_SYMBOLS, import->name, 1));
        if (import->is_function && strcmp(import->name, "__devicelib_assert_fail") == 0)
            MEZ_TRY(mez_properties_add_number(
                properties, MEZ_SET_DEVICELIB_MASK, DEVICELIB_MASK, DEVICELIB_ASSERT));
    }
    return mez_ok();
}

// --- Kind

static bool all_esimd(const image_writer *writer)
{
    for (uint32_t i = 0; i < writer->group->count; i++) {
        if (!mez_aspects_has(&root_at(writer, i)->aspects, MEZ_ASPECT_ext_intel_esimd))
            return false;
    }
    return true;
}

static mez_error write_kind(const image_writer *writer)
{
    writer->image->esimd = all_esimd(writer);
    return writer->image->esimd ? mez_properties_add_number(&writer->image->properties,
                                      MEZ_SET_MISC, MEZ_NAME_ESIMD_IMAGE, 1)
                                : mez_ok();
}

static mez_error write_image(image_writer *writer)
{
    MEZ_TRY(write_code(writer));
    MEZ_TRY(write_requirements(writer));
    MEZ_TRY(write_kernel_names(writer));
    MEZ_TRY(write_assert_use(writer));
    MEZ_TRY(write_exports(writer));
    MEZ_TRY(write_imports(writer));
    return write_kind(writer);
}

mez_error mez_split_make_image(const mez_split *split, uint32_t index, mez_split_image *image)
{
    *image = (mez_split_image){0};
    image_writer writer = {.split = split, .group = &split->images[index], .image = image};
    const mez_error error = write_image(&writer);
    mez_spirv_module_destroy(&writer.module);
    if (mez_failed(error))
        mez_split_image_finish(image);
    return error;
}

void mez_split_image_finish(mez_split_image *image)
{
    mez_free_memory(image->code);
    mez_properties_finish(&image->properties);
    mez_symbols_finish(&image->kernels);
    *image = (mez_split_image){0};
}

// --- Files

#define NAME_ROOM sizeof "esimd_4294967295"

static mez_error add_image(mez_table_output *output, uint32_t index, const mez_split_image *image)
{
    char name[NAME_ROOM];
    snprintf(name, sizeof name, "%s%u", image->esimd ? "esimd_" : "", (unsigned)index);
    const mez_table_image row = {
        .name = name,
        .ending = ".spv",
        .code = image->code,
        .code_size = (size_t)image->word_count * sizeof *image->code,
        .properties = &image->properties,
        .kernels = (const char *const *)image->kernels.items,
        .kernel_count = image->kernels.count,
    };
    return mez_table_output_add(output, &row);
}

static mez_error add_images(
    const mez_split *split, mez_table_output *output, const mez_split_progress *progress)
{
    const uint32_t count = mez_split_get_image_count(split);
    for (uint32_t i = 0; i < count; i++) {
        mez_split_image image;
        MEZ_TRY(mez_split_make_image(split, i, &image));
        const mez_error error = add_image(output, i, &image);
        mez_split_image_finish(&image);
        if (mez_failed(error))
            return error;
        if (progress && progress->function)
            progress->function(progress->user, i + 1, count);
    }
    return mez_ok();
}

mez_error mez_split_write(
    const mez_split *split, const char *path, const mez_split_progress *progress)
{
    MEZ_REQUIRE(split, NULL);
    MEZ_REQUIRE(path, NULL);
    if (progress)
        MEZ_TRY_RESERVED(mez_split_progress, progress);
    mez_table_output output;
    mez_error error = mez_table_output_init(path, &output);
    if (!mez_failed(error))
        error = add_images(split, &output, progress);
    if (!mez_failed(error))
        error = mez_table_output_commit(&output);
    mez_table_output_finish(&output);
    return error;
}
