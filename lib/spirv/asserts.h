// SPDX-License-Identifier: MIT
//
// The function that a failed assert calls in the end. Compilers bring their own, and so do we; all of them have the published
// signature:
//
//     void __devicelib_assert_fail(const char *expression, const char *file, int32_t line, const char *function,
//         uint64_t gid0, uint64_t gid1, uint64_t gid2, uint64_t lid0, uint64_t lid1, uint64_t lid2);
//
// A call with another one is undefined: Intel's compiler 1.0 builds it silently, and 2.40 crashes.
//
// Thread-safety: safe.

#ifndef MEZ_SPIRV_ASSERTS_H
#define MEZ_SPIRV_ASSERTS_H

#include "spirv/module.h"

#define MEZ_ASSERT_FUNCTION "__devicelib_assert_fail"

// The one of that name which the module imports or defines; NULL: none.
const struct mez_spirv_function *mez_spirv_find_assert(const struct mez_spirv_module *module);

#define MEZ_ASSERT_DEVIATION_ROOM 96

// Does the function have another signature than the published one? Then the first difference is written: "it has 4 parameters, not
// 10". Pointers may be generic, as published, or those to global or constant memory, and may point to anything: they are the same on
// every device, and compilers with opaque pointers write no other.
bool mez_spirv_assert_deviates(const struct mez_spirv_module *module,
    const struct mez_spirv_function *function, char deviation[MEZ_ASSERT_DEVIATION_ROOM]);

// Whether calling the function, or using the exported variable, is how code reports a failed assert.
bool mez_spirv_function_asserts(const struct mez_spirv_function *function);
bool mez_spirv_symbol_asserts(const struct mez_spirv_symbol *symbol);

#endif
