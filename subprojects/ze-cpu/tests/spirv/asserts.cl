// SPDX-License-Identifier: MIT
//
// Kernels whose asserts fail, reported by functions that only the driver has.

void __devicelib_assert_fail(const char *expression, const char *file, int line,
    const char *function, ulong global_x, ulong global_y, ulong global_z, ulong local_x,
    ulong local_y, ulong local_z);
__attribute__((noreturn)) void __assert_fail(
    const char *expression, const char *file, uint line, const char *function);

// OpenCL C does not let literals, which are constant memory, be passed as generic pointers.
__global const char file[] = "asserts.cl";
__global const char of_fail_at[] = "i != *where", fail_at_name[] = "fail_at";
__global const char of_fail_always[] = "false";
__global const char of_fail_in_c[] = "y != 2", fail_in_c_name[] = "fail_in_c";

static void fail(const char *expression, const char *function)
{
    __devicelib_assert_fail(expression, file, 7, function, get_global_id(0),
        get_global_id(1), get_global_id(2), get_local_id(0), get_local_id(1), get_local_id(2));
}

// What follows the assert is done all the same.
__kernel void fail_at(__global uint *out, __global const uint *where)
{
    const uint i = (uint)get_global_id(0);
    if (i == *where)
        fail(of_fail_at, fail_at_name);
    out[i] = i + 100;
}

__kernel void fail_always(__global uint *out)
{
    fail(of_fail_always, 0);
    *out = 1;
}

// A compiler that thinks the call does not return puts nothing behind it.
__kernel void fail_in_c(__global uint *out)
{
    __local uint seen;
    seen = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_global_id(1) == 2)
        __assert_fail(of_fail_in_c, file, 8, fail_in_c_name);
    out[get_global_id(1)] = seen;
}

__kernel void no_assert(__global uint *out)
{
    *out = 1;
}
