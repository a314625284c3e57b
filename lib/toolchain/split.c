// SPDX-License-Identifier: MIT
//
// Images of a split as device code.

#include "split/split.h"

#include "base/alloc.h"
#include "container/bundle.h"
#include "toolchain/code.h"

// The image's code and properties become the bundle's, also after an error.
static mez_error fill_bundle(mez_bundle *bundle, mez_split_image *image, uint32_t index)
{
    uint32_t *code = image->code;
    mez_container_bytes span = {
        .bytes = (const uint8_t *)code, .size = (size_t)image->word_count * sizeof *code};
    mez_binary *binary;
    image->code = NULL;
    MEZ_TRY(mez_bundle_keep(bundle, code));
    MEZ_TRY(mez_bundle_print(bundle, &span.source, "image %u", (unsigned)index));
    MEZ_TRY(mez_bundle_add(bundle, &span, &binary));
    binary->format = MEZ_CODE_SPIRV;
    binary->target = "spir64";
    binary->properties = image->properties;
    image->properties = (mez_properties){0};
    return mez_binary_set_kernels(
        bundle, binary, (const char *const *)image->kernels.items, image->kernels.count);
}

static mez_error make_code(const mez_requirements_writing *writing, mez_split_image *image,
    uint32_t index, mez_code **code)
{
    mez_bundle *bundle = mez_bundle_create(MEZ_CONTAINER_RAW);
    if (!bundle)
        return mez_error_no_memory("an image");
    bundle->budget = SIZE_MAX; // the image is our own
    bundle->numbering = writing->numbering;
    bundle->doc_forms = writing->doc_names;
    const mez_error error = fill_bundle(bundle, image, index);
    if (!mez_failed(error))
        return mez_code_of_bundle(bundle, NULL, &(mez_code_reading){0}, code);
    mez_bundle_destroy(&bundle);
    return error;
}

mez_error mez_split_get_code(const mez_split *split, uint32_t index, mez_code **code)
{
    MEZ_REQUIRE(code, NULL);
    *code = NULL;
    MEZ_REQUIRE(split, NULL);
    if (index >= mez_split_get_image_count(split))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "the split has %u images, and no image %u", (unsigned)mez_split_get_image_count(split),
            (unsigned)index);
    mez_split_image image;
    MEZ_TRY(mez_split_make_image(split, index, &image));
    const mez_error error = make_code(mez_split_get_writing(split), &image, index, code);
    mez_split_image_finish(&image);
    return error;
}
