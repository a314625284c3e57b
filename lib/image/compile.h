// SPDX-License-Identifier: MIT
//
// Code through the driver's compiler, and the cache of what that made.

#ifndef MEZ_IMAGE_COMPILE_H
#define MEZ_IMAGE_COMPILE_H

#include "base/text.h"
#include "cache/cache.h"
#include "device/platform.h"
#include "ze/call.h"

// --- Which kernels a driver's module has
//
// Thread-safety: safe, for a module that nobody destroys meanwhile.

// Kernels that a module must have in the end.
typedef struct mez_wanted_kernels {
    const char **names;
    uint32_t count;
} mez_wanted_kernels;

// The names, as the driver knows them; they live as long as the module, the list is the caller's. Names that the driver makes up are
// not among them. What zeModuleGetKernelNames says; MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_kernel_names_list(ze_module_handle_t module, const char ***names, uint32_t *count);

// Compilers have left out kernels and called that success (docs/internals/compilers.md#failures-that-look-like-success).
// MEZ_ERRC_KERNEL: the module has not all that are wanted (NULL: none are), the story names what is missing; errors as above.
mez_error mez_kernel_names_check(ze_module_handle_t module, const mez_wanted_kernels *wanted);

// --- Compiling
//
// Alone or linked with more. Each function adds what the driver's build log says to `build_log`; what was compiled before may come from
// the cache, and says nothing. On failure nothing is left to be destroyed. Errors: what the driver says; MEZ_ERRC_KERNEL, it has left
// out a kernel that was wanted.

typedef struct mez_code {
    const void *bytes;
    size_t size;
    bool native;                            // what the driver takes as it is; else SPIR-V
    const char *flags;                      // for the compiler
    const ze_module_constants_t *constants; // NULL: none
    const mez_wanted_kernels *wanted;       // what must become of it; NULL: nothing particular
    // What is made of it is not for the cache: the compiler puts in what belongs to this process.
    bool fleeting;
} mez_code;

mez_error mez_compile_module(const mez_device *device, const mez_code *code, mez_text *build_log,
    ze_module_handle_t *module);

// All linked by one compilation, for which the first one's flags count. Needs caps.module_program, and SPIR-V only.
mez_error mez_compile_program(const mez_device *device, const mez_code *codes, uint32_t count,
    mez_text *build_log, ze_module_handle_t *module);

// Each compiled by itself, then linked. The others hold what the first imports and must live as long.
mez_error mez_compile_and_link(const mez_device *device, const mez_code *codes, uint32_t count,
    mez_text *build_log, ze_module_handle_t *modules);

// Does the module lack symbols?
mez_error mez_has_imports(ze_module_handle_t module, bool *has);

// --- The cache
//
// What drivers' compilers made, kept on disk by lib/cache: it is searched before a compiler runs, and gets what that made.
//
// Thread-safety: safe.

typedef struct mez_cached {
    mez_cache_key key;
    bool is_on; // false: it is neither looked for nor kept
} mez_cached;

// What the codes are found by. It is off for native and fleeting code, under a debugger, which wants what the compiler makes for
// it, without a cache, and without memory.
mez_cached mez_cached_key(const mez_device *device, const mez_code *codes, uint32_t count);

// True: *module was made of what the cache had. What the driver refuses, or has not all kernels that are wanted (NULL: none), is
// removed from it.
bool mez_cached_find(const mez_device *device, const mez_cached *cached,
    const mez_wanted_kernels *wanted, ze_module_handle_t *module);

// An entry that is an answer of one byte, and no module. False: it is not known.
bool mez_cached_answer(const mez_device *device, const mez_cached *cached, uint8_t *answer);

// For a module that has what is wanted of it.
void mez_cached_keep(const mez_device *device, const mez_cached *cached, ze_module_handle_t module);

#endif
