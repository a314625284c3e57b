// SPDX-License-Identifier: MIT
//
// In libFuzzer's place: gives the target a native binary, each of its beginnings, and the binary
// with each bit changed. With a path as argument it writes the binary there, as a seed.

#include "native.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static uint8_t *make_binary(size_t *size)
{
    static const struct zc_argument arguments[] = {{.kind = ZC_ARGUMENT_GLOBAL, .size = 8},
        {.kind = ZC_ARGUMENT_LOCAL, .size = 8, .offset = 8},
        {.kind = ZC_ARGUMENT_IMAGE,
            .size = 8,
            .offset = 16,
            .image_dimensions = ZC_IMAGE_2D_ARRAY,
            .image_access = ZC_IMAGE_READ},
        {.kind = ZC_ARGUMENT_SAMPLER, .size = 8, .offset = 24}};
    struct zc_kernel kernels[] = {
        {.name = "plain", .sub_group_size = 8}, {.name = "sum",
                                                    .arguments = arguments,
                                                    .argument_count = 4,
                                                    .blob_size = 32,
                                                    .sub_group_size = 16,
                                                    .has_barrier = true}};
    struct zc_variable variables[] = {{"calls", 4, true}, {"hidden", 8, false}};
    const char *names[] = {"helper", "calls"};
    const struct zc_native native = {.engine = "engine",
        .processor = "processor",
        .device = "device",
        .optimise = true,
        .kernels = kernels,
        .kernel_count = 2,
        .variables = variables,
        .variable_count = 2,
        .imports = {names, 1},
        .exports = {names + 1, 1},
        .code = {"code", 4},
        .linkable = {"linkable", 8}};
    return zc_native_write(&native, size);
}

static int write_seed(const char *path, const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return 1;
    const bool ok = fwrite(bytes, 1, size, file) == size;
    return fclose(file) == 0 && ok ? 0 : 1;
}

int main(int count, char **arguments)
{
    size_t size;
    uint8_t *binary = make_binary(&size);
    if (binary == NULL)
        return 1;
    uint8_t *bytes = binary + ZC_NATIVE_HEADER_SIZE;
    size -= ZC_NATIVE_HEADER_SIZE;
    int result = count > 1 ? write_seed(arguments[1], bytes, size) : 0;
    for (size_t length = 0; length <= size; length++)
        LLVMFuzzerTestOneInput(bytes, length);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        LLVMFuzzerTestOneInput(bytes, size);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    free(binary);
    return result;
}
