// SPDX-License-Identifier: MIT

#include "split/output.h"

#include <stdio.h>

#include "container/table_output.h"

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
        .kernels = (const char *const *)image->kernels.names,
        .kernel_count = image->kernels.count,
    };
    return mez_table_output_add(output, &row);
}

static mez_error add_images(
    const mez_split *split, mez_table_output *output, const mez_split_progress *progress)
{
    const uint32_t count = mez_split_image_count(split);
    for (uint32_t i = 0; i < count; i++) {
        mez_split_image image;
        MEZ_TRY(mez_split_make_image(split, i, &image));
        const mez_error error = add_image(output, i, &image);
        mez_split_image_finish(&image);
        if (mez_failed(error))
            return error;
        if (progress && progress->tell)
            progress->tell(progress->context, i + 1, count);
    }
    return mez_ok();
}

mez_error mez_split_write(
    const mez_split *split, const char *table_path, const mez_split_progress *progress)
{
    mez_table_output output;
    mez_error error = mez_table_output_init(table_path, &output);
    if (!mez_failed(error))
        error = add_images(split, &output, progress);
    if (!mez_failed(error))
        error = mez_table_output_commit(&output);
    mez_table_output_finish(&output);
    return error;
}
