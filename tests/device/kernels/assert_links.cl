// SPDX-License-Identifier: MIT
//
// Kernels with asserts in images as other toolchains make them. OWN: a device library is linked already; LATER: the reading
// function as it was published last; C_ONLY: what C's assert calls is imported, and nothing else.

#ifdef OWN
#define MEZ_WHOLE
#include "../../../devicelib/assert_fail.cl"
#endif

#include <mezzanine/assert.h>
#include <mezzanine/assert_layout.h>

#ifndef C_ONLY
// Three asserts: the first fails for every odd work-item, the second from `limit` on, the third for one.
kernel void fails_thrice(global int *values, int limit, int one)
{
    const int i = (int)get_global_id(0);
    assert(i % 2 == 0);
    assert(i < limit);
    assert(i != one);
    values[i] = i;
}

#else
void __assert_fail(const char *expression, const char *file, uint line, const char *function);

kernel void fails_as_c(global int *values, int bad)
{
    if ((int)get_global_id(0) == bad)
        __assert_fail(MEZ_GENERIC_STRING("as C's"), MEZ_GENERIC_STRING("c.h"), 77,
            MEZ_GENERIC_STRING(__func__));
    values[get_global_id(0)] = bad;
}
#endif

#ifdef LATER
void __devicelib_assert_read(void *destination);

// What it finds of the record: flag, line, x of the global id.
kernel void reads(global int *found)
{
    struct __SYCL_AssertHappened record;
    record.Line = -1;
    __devicelib_assert_read(&record);
    found[0] = record.Flag;
    found[1] = record.Line;
    found[2] = record.Flag ? (int)record.GID0 : -1;
}
#endif
