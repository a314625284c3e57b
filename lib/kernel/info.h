// SPDX-License-Identifier: MIT
//
// What a program can ask of a kernel: what drivers report of it once they have built it, and its arguments.

#ifndef MEZ_KERNEL_INFO_H
#define MEZ_KERNEL_INFO_H

#include "kernel/kernel.h"

// Frees what was asked about the kernel.
void mez_kernel_forget_infos(mez_kernel *kernel);

// Frees what was said of the kernel's arguments.
void mez_kernel_forget_arguments(mez_kernel *kernel);

#endif
