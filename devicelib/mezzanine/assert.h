// SPDX-License-Identifier: MIT
//
// assert() for OpenCL C kernels, with the meaning of C's: nothing under NDEBUG, else a false expression reports the expression,
// the place and the work-item to the host, once per module, and the host program aborts. The work-item goes on.
//
//     #include <mezzanine/assert.h>
//     kernel void k(global int *p, int n) { assert(get_global_id(0) < n); ... }
//
// Compile with clang's -I for the folder that holds this `mezzanine` folder. Like C's header it may be included again after
// NDEBUG has changed.

#ifndef MEZZANINE_DEVICE_ASSERT_H
#define MEZZANINE_DEVICE_ASSERT_H

// The published function, which the driver brings or the runtime links in. Generic pointers, as published.
void __devicelib_assert_fail(const char *expression, const char *file, int line,
    const char *function, ulong gid0, ulong gid1, ulong gid2, ulong lid0, ulong lid1, ulong lid2);

// Here and not in the device library, because compilers want to know beforehand which kernels ask for ids.
__attribute__((unused)) static void mez_assert_failed(
    const char *expression, const char *file, int line, const char *function)
{
    __devicelib_assert_fail(expression, file, line, function, get_global_id(0), get_global_id(1),
        get_global_id(2), get_local_id(0), get_local_id(1), get_local_id(2));
}

// clang refuses to make the generic pointers of the published signature from string literals, so their addresses take a
// detour through an integer, which every compiler we know folds away.
#define MEZ_GENERIC_STRING(literal) ((const char *)(ulong)(literal))

#endif

#undef assert
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression)                                             \
    ((expression) ? (void)0                                            \
                  : mez_assert_failed(MEZ_GENERIC_STRING(#expression), \
                        MEZ_GENERIC_STRING(__FILE__), __LINE__, MEZ_GENERIC_STRING(__func__)))
#endif
