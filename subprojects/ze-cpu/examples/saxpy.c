// SPDX-License-Identifier: MIT
//
// y = a x + y in shared memory.
//   saxpy saxpy.spv
#include "support.h"

#include <stdio.h>

#define COUNT 1000u
#define GROUP 100u

static float *allocate(const struct machine *machine)
{
    const ze_device_mem_alloc_desc_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *memory = NULL;
    TRY(zeMemAllocShared(machine->context, &device, &host, COUNT * sizeof(float), sizeof(float),
        machine->device, &memory));
    return memory;
}

static void launch(const struct machine *machine, ze_kernel_handle_t kernel)
{
    const ze_group_count_t groups = {COUNT / GROUP, 1, 1};
    TRY(zeKernelSetGroupSize(kernel, GROUP, 1, 1));
    TRY(zeCommandListAppendLaunchKernel(machine->list, kernel, &groups, NULL, 0, NULL));
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: saxpy saxpy.spv\n");
        return 2;
    }
    struct machine machine = open_machine();
    ze_module_handle_t module = load_module(&machine, argv[1]);
    ze_kernel_handle_t kernel = create_kernel(module, "saxpy");
    const float a = 2;
    float *x = allocate(&machine), *y = allocate(&machine);
    for (unsigned i = 0; i < COUNT; i++) {
        x[i] = (float)i;
        y[i] = 1;
    }
    TRY(zeKernelSetArgumentValue(kernel, 0, sizeof a, &a));
    TRY(zeKernelSetArgumentValue(kernel, 1, sizeof x, &x));
    TRY(zeKernelSetArgumentValue(kernel, 2, sizeof y, &y));
    launch(&machine, kernel);
    printf("y[0] = %g, y[1] = %g, y[999] = %g\n", (double)y[0], (double)y[1], (double)y[999]);
    TRY(zeMemFree(machine.context, x));
    TRY(zeMemFree(machine.context, y));
    TRY(zeKernelDestroy(kernel));
    TRY(zeModuleDestroy(module));
    close_machine(&machine);
    return 0;
}
