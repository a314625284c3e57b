// SPDX-License-Identifier: MIT
//
// Draws a picture by one kernel, looks at a part of it through a sampler by another, and writes both as files.
//   picture picture.spv drawn.ppm zoomed.ppm
#include "support.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 256u
#define GROUP 16u

static ze_image_handle_t create_picture(const struct machine *machine)
{
    const ze_image_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
        .flags = ZE_IMAGE_FLAG_KERNEL_WRITE,
        .type = ZE_IMAGE_TYPE_2D,
        .format = {.layout = ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8,
            .type = ZE_IMAGE_FORMAT_TYPE_UNORM,
            .x = ZE_IMAGE_FORMAT_SWIZZLE_R,
            .y = ZE_IMAGE_FORMAT_SWIZZLE_G,
            .z = ZE_IMAGE_FORMAT_SWIZZLE_B,
            .w = ZE_IMAGE_FORMAT_SWIZZLE_A},
        .width = SIDE,
        .height = SIDE,
        .depth = 1};
    ze_image_handle_t picture = NULL;
    TRY(zeImageCreate(machine->context, machine->device, &desc, &picture));
    return picture;
}

static ze_sampler_handle_t create_sampler(const struct machine *machine)
{
    const ze_sampler_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC,
        .addressMode = ZE_SAMPLER_ADDRESS_MODE_CLAMP,
        .filterMode = ZE_SAMPLER_FILTER_MODE_LINEAR,
        .isNormalized = true};
    ze_sampler_handle_t sampler = NULL;
    TRY(zeSamplerCreate(machine->context, machine->device, &desc, &sampler));
    return sampler;
}

static void launch(const struct machine *machine, ze_kernel_handle_t kernel)
{
    const ze_group_count_t groups = {SIDE / GROUP, SIDE / GROUP, 1};
    TRY(zeKernelSetGroupSize(kernel, GROUP, GROUP, 1));
    TRY(zeCommandListAppendLaunchKernel(machine->list, kernel, &groups, NULL, 0, NULL));
}

static void draw(
    const struct machine *machine, ze_module_handle_t module, ze_image_handle_t picture)
{
    ze_kernel_handle_t kernel = create_kernel(module, "draw");
    TRY(zeKernelSetArgumentValue(kernel, 0, sizeof picture, &picture));
    launch(machine, kernel);
    TRY(zeKernelDestroy(kernel));
}

static void zoom(const struct machine *machine, ze_module_handle_t module, ze_image_handle_t from,
    ze_image_handle_t to)
{
    const float corner[2] = {0.4f, 0.4f}, extent[2] = {0.2f, 0.2f};
    ze_kernel_handle_t kernel = create_kernel(module, "zoom");
    ze_sampler_handle_t sampler = create_sampler(machine);
    TRY(zeKernelSetArgumentValue(kernel, 0, sizeof from, &from));
    TRY(zeKernelSetArgumentValue(kernel, 1, sizeof sampler, &sampler));
    TRY(zeKernelSetArgumentValue(kernel, 2, sizeof corner, corner));
    TRY(zeKernelSetArgumentValue(kernel, 3, sizeof extent, extent));
    TRY(zeKernelSetArgumentValue(kernel, 4, sizeof to, &to));
    launch(machine, kernel);
    TRY(zeSamplerDestroy(sampler));
    TRY(zeKernelDestroy(kernel));
}

// PPM, which most programs for pictures read; it has no alpha. Returns the mean of all its bytes.
static double save(const struct machine *machine, ze_image_handle_t picture, const char *path)
{
    static uint8_t texels[SIDE * SIDE][4];
    uint64_t sum = 0;
    TRY(zeCommandListAppendImageCopyToMemory(machine->list, texels, picture, NULL, NULL, 0, NULL));
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        exit(1);
    }
    fprintf(file, "P6\n%u %u\n255\n", SIDE, SIDE);
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        fwrite(texels[i], 1, 3, file);
        sum += (uint64_t)texels[i][0] + texels[i][1] + texels[i][2];
    }
    if (fclose(file)) {
        perror(path);
        exit(1);
    }
    return (double)sum / (3.0 * SIDE * SIDE);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: picture picture.spv drawn.ppm zoomed.ppm\n");
        return 2;
    }
    struct machine machine = open_machine();
    ze_module_handle_t module = load_module(&machine, argv[1]);
    ze_image_handle_t drawn = create_picture(&machine), zoomed = create_picture(&machine);
    draw(&machine, module, drawn);
    zoom(&machine, module, drawn, zoomed);
    const double before = save(&machine, drawn, argv[2]), after = save(&machine, zoomed, argv[3]);
    printf("two pictures of %u x %u, mean brightness %.0f and %.0f\n", SIDE, SIDE, before, after);
    TRY(zeImageDestroy(drawn));
    TRY(zeImageDestroy(zoomed));
    TRY(zeModuleDestroy(module));
    close_machine(&machine);
    return 0;
}
