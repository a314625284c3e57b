// SPDX-License-Identifier: MIT
//
// A kernel as one part of its image has it. An image may hold the same kernel several times, compiled for several devices; what is
// known of its arguments is known of each by itself.

#ifndef MEZ_KERNEL_CODE_H
#define MEZ_KERNEL_CODE_H

#include "image/module.h"
#include "spirv/signature.h"

typedef struct mez_kernel_code {
    mez_part *part;

    // Constant once it is known; the kernel's lock guards the learning.
    bool known;
    uint32_t argument_count;
    struct mez_spirv_signature signature; // no arguments: only their number is known
    bool may_assert;                      // it, or what it is linked with
    bool finds_pointers;                  // see spirv/survey.h
    bool requires_group;
    uint32_t group_size[3]; // that it requires
} mez_kernel_code;

// Learns what the code says, which it reads if need be. Nothing where the code is native.
// MEZ_ERRC_KERNEL: the code has no such kernel, though its container lists it. Errors of mez_part_read.
mez_error mez_kernel_code_learn(mez_kernel_code *code, const char *kernel);

// Learns what the driver reports of a kernel that it has made; nothing that is known already.
mez_error mez_kernel_code_ask(mez_kernel_code *code, ze_kernel_handle_t kernel);

void mez_kernel_code_finish(mez_kernel_code *code);

#endif
