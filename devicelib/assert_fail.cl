// SPDX-License-Identifier: MIT
//
// The fallback for drivers that do not know device-side asserts: the first failed assert of a module fills a program-scope
// variable, which the host reads when the kernel has ended. Work-items go on, so barriers behind the assert still work.
//
// The build makes variants of it (meson.build):
//   MEZ_LATER_NAMES  the variable and the reading function as they were published last
//   MEZ_RENAMED      under a name of ours, for compilers that replace the body of the published one
//   MEZ_MANY         more failures than the first are collected, too
//   MEZ_NATIVE       the driver brings the function that a failed assert calls; here is only what it lacks
//   MEZ_WHOLE        with what C's assert calls, for those who link by themselves

#include "names.h"
#ifdef MEZ_NATIVE
#include "flag.h"
#else
#include "fill.h"
#endif
#ifdef MEZ_MANY
#include "collect.h"
#endif

#ifdef MEZ_LATER_NAMES
#define RECORD SPIR_AssertHappenedMem
#else
#define RECORD __SYCL_AssertHappenedMem
#endif

global struct __SYCL_AssertHappened RECORD;
#ifdef MEZ_MANY
global struct mez_assert_log __mez_assert_log;
#endif

#ifndef MEZ_NATIVE
static void fill_first(const struct failure *failure)
{
    int expected = NONE;
    if (!atomic_compare_exchange_strong_explicit(flag_of(&RECORD), &expected, WRITING,
            memory_order_relaxed, memory_order_relaxed, memory_scope_device))
        return;
    RECORD.Serial++; // the host clears the flag alone, and tells failures apart by this
    fill(&RECORD, failure);
}

void ASSERT_FAIL(const char *expression, const char *file, int line, const char *function,
    ulong gid0, ulong gid1, ulong gid2, ulong lid0, ulong lid1, ulong lid2)
{
    const struct failure failure = {
        .expression = expression,
        .file = file,
        .function = function,
        .line = line,
        .gid = {gid0, gid1, gid2},
        .lid = {lid0, lid1, lid2},
    };
#ifdef MEZ_MANY
    collect(&__mez_assert_log, &failure);
#endif
    fill_first(&failure);
}
#endif

// The flag once nobody is writing.
static int settled_flag(void)
{
    int value;
    do {
        value = atomic_load_explicit(flag_of(&RECORD), memory_order_acquire, memory_scope_device);
    } while (value == WRITING);
    return value;
}

#ifdef MEZ_LATER_NAMES
// Without a failed assert only the flag, the record's first word.
void __devicelib_assert_read(void *destination)
{
    global const int *record = (global const int *)&RECORD;
    const int count = settled_flag() == NONE ? 1 : sizeof RECORD / sizeof(int);
#pragma nounroll
    for (int i = 0; i < count; i++)
        ((int *)destination)[i] = record[i];
}
#else
int __devicelib_assert_read(void)
{
    return settled_flag();
}
#endif

#ifdef MEZ_WHOLE
#include "c_assert.cl"
#endif
