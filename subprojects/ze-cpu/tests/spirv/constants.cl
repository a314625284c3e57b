// SPDX-License-Identifier: MIT
//
// Specialization constants of each type. The compiler knows them as calls of this name.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define CONSTANT(type) type __attribute__((overloadable)) __spirv_SpecConstant(int id, type value)
CONSTANT(bool);
CONSTANT(char);
CONSTANT(ushort);
CONSTANT(int);
CONSTANT(long);
CONSTANT(float);
CONSTANT(double);

__kernel void show_constants(__global long *integers, __global double *reals)
{
    integers[0] = __spirv_SpecConstant(0, (bool)true);
    integers[1] = __spirv_SpecConstant(10, (char)-1);
    integers[2] = __spirv_SpecConstant(20, (ushort)2);
    integers[3] = __spirv_SpecConstant(30, 3);
    integers[4] = __spirv_SpecConstant(40, 4L);
    integers[5] = 2 * __spirv_SpecConstant(30, 3);
    reals[0] = __spirv_SpecConstant(50, 5.0f);
    reals[1] = __spirv_SpecConstant(60, 6.0);
}
