// SPDX-License-Identifier: MIT
//
// Kernels from the SPIR-V files in SPIRV_FOLDER. Each function fails the test when its call fails.
#ifndef ZE_CPU_TESTS_KERNELS_H
#define ZE_CPU_TESTS_KERNELS_H

#include <level_zero/ze_api.h>
#include <stdint.h>

struct file {
    uint8_t *bytes; // malloc'ed
    size_t size;
};

struct file read_spirv(const char *name);
ze_module_handle_t load_module(const char *name, const char *flags);
ze_kernel_handle_t create_kernel(ze_module_handle_t module, const char *name);
// Runs groups of `size` work-items and waits.
void run_kernel(ze_kernel_handle_t kernel, uint32_t size, uint32_t groups);
// The bytes are the caller's.
struct file native_binary(ze_module_handle_t module);
// The module gets a copy of the bytes, which is gone afterwards.
ze_module_handle_t load_native(struct file file);
// Exchanges a module for one made of its native binary.
ze_module_handle_t reload_module(ze_module_handle_t module);
void set_pointer(ze_kernel_handle_t kernel, uint32_t index, void *pointer);

#endif
