// SPDX-License-Identifier: MIT
//
// Kernels built with debug information, whose asserts fail. With OWN the module brings the function
// that they call, otherwise the driver has to have it.

void __devicelib_assert_fail(const char *expression, const char *file, int line,
    const char *function, ulong global_x, ulong global_y, ulong global_z, ulong local_x,
    ulong local_y, ulong local_z);

#ifdef OWN
__attribute__((noinline)) void __devicelib_assert_fail(const char *expression, const char *file,
    int line, const char *function, ulong global_x, ulong global_y, ulong global_z, ulong local_x,
    ulong local_y, ulong local_z)
{
    printf("failed in line %d\n", line);
}
#endif

__global const char text[] = "number < 3", file[] = "debugged.cl";

#define ASSERT(condition)                                                                \
    do {                                                                                 \
        if (!(condition))                                                                \
            __devicelib_assert_fail(text, file, __LINE__, 0, get_global_id(0),           \
                get_global_id(1), get_global_id(2), get_local_id(0), get_local_id(1),    \
                get_local_id(2));                                                        \
    } while (0)

static void check(uint number)
{
    ASSERT(number < 3); // here the first fails
}

__kernel void fail_in_function(__global uint *out)
{
    const uint number = (uint)get_global_id(0);
    check(number);
    out[number] = number + 1;
}

__kernel void fail_behind_barrier(__global uint *out)
{
    __local uint sum;
    const uint number = (uint)get_global_id(0);
    if (number == 0)
        sum = 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    printf("%d\n", number);
    ASSERT(sum + number < 6); // here the second fails
    out[number] = sum;
}
