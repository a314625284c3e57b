// SPDX-License-Identifier: MIT
//
// The fallback for drivers that do not know device-side asserts: the first failed assert of a module fills a program-scope
// variable, which the host reads when the kernel has ended. Work-items go on, so barriers behind the assert still work.

#include <mezzanine/assert_record.h>

global struct __SYCL_AssertHappened __SYCL_AssertHappenedMem;

enum { NONE = 0, WRITING = 1, FAILED = 2 };

// One loop that is neither inlined nor unrolled: Intel's compiler otherwise makes hundreds of generic accesses of it and needs
// seconds (facts: asserts-and-queues.md 1.6, trap 4).
__attribute__((noinline)) static void copy_string(global char *to, const char *from, int room)
{
    int i = 0;
#pragma nounroll
    for (; from && i < room - 1 && from[i]; i++)
        to[i] = from[i];
    to[i] = 0;
}

static global atomic_int *flag(void)
{
    return (global atomic_int *)&__SYCL_AssertHappenedMem.Flag;
}

void __devicelib_assert_fail(const char *expression, const char *file, int line,
    const char *function, ulong gid0, ulong gid1, ulong gid2, ulong lid0, ulong lid1, ulong lid2)
{
    global struct __SYCL_AssertHappened *record = &__SYCL_AssertHappenedMem;
    int expected = NONE;
    if (!atomic_compare_exchange_strong_explicit(flag(), &expected, WRITING, memory_order_relaxed,
            memory_order_relaxed, memory_scope_device))
        return;
    copy_string(record->Expr, expression, sizeof record->Expr);
    copy_string(record->File, file, sizeof record->File);
    copy_string(record->Func, function, sizeof record->Func);
    record->Line = line;
    record->Serial++; // the host clears the flag alone, and tells failures apart by this
    record->GID0 = gid0;
    record->GID1 = gid1;
    record->GID2 = gid2;
    record->LID0 = lid0;
    record->LID1 = lid1;
    record->LID2 = lid2;
    atomic_store_explicit(flag(), FAILED, memory_order_release, memory_scope_device);
}

void __assert_fail(const char *expression, const char *file, uint line, const char *function)
{
    __devicelib_assert_fail(expression, file, line, function, get_global_id(0), get_global_id(1),
        get_global_id(2), get_local_id(0), get_local_id(1), get_local_id(2));
}

int __devicelib_assert_read(void)
{
    int value;
    do {
        value = atomic_load_explicit(flag(), memory_order_acquire, memory_scope_device);
    } while (value == WRITING);
    return value;
}
