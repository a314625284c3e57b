// SPDX-License-Identifier: MIT
//
// A module that brings the function its failed asserts call.

__global uint happened = 0;
// Everything is used, or the compiler does not pass it.
__global ulong sum;

__attribute__((noinline, optnone)) void __devicelib_assert_fail(const char *expression, const char *file, int line,
    const char *function, ulong global_x, ulong global_y, ulong global_z, ulong local_x,
    ulong local_y, ulong local_z)
{
    sum = (ulong)expression + (ulong)file + (ulong)function + global_x + global_y + global_z +
          local_x + local_y + local_z;
    happened = (uint)line;
}

// Has a name of its own, so that no driver knows it.
__attribute__((noinline, optnone)) void other_assert_fail(int line)
{
    happened = (uint)line;
}

__global const char expression[] = "false", file[] = "own_assert.cl", function[] = "fail_own";

__kernel void fail_own(void)
{
    __devicelib_assert_fail(expression, file, 9, function, 0, 0, 0, 0, 0, 0);
}

__kernel void fail_other(void)
{
    other_assert_fail(5);
}
