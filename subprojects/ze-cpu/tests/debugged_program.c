// SPDX-License-Identifier: MIT
//
// Runs a kernel that fails an assert in work-item 3 of 4: for a debugger to look at, and to see that
// nothing stops where there is none.
//   debugged_program FILE KERNEL
#include "harness.h"
#include "kernels.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    const ze_group_count_t groups = {1, 1, 1};
    if (argc != 3)
        return 99;
    set_up(NULL);
    ze_module_handle_t module = load_module(argv[1], NULL);
    ze_kernel_handle_t kernel = create_kernel(module, argv[2]);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    uint32_t *out = alloc_shared(4 * sizeof *out);
    set_pointer(kernel, 0, out);
    assert_ok(zeKernelSetGroupSize(kernel, 4, 1, 1));
    zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL);
    assert_ok(zeCommandListDestroy(list));
    printf("the last work-item wrote %u\n", out[3]);
    return 0;
}
