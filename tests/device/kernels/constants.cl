// SPDX-License-Identifier: MIT
//
// Specialization constants of several sizes. The translator knows this function; the first argument is the constant's number.

int __attribute__((overloadable)) __spirv_SpecConstant(int number, int otherwise);
uchar __attribute__((overloadable)) __spirv_SpecConstant(int number, uchar otherwise);
long __attribute__((overloadable)) __spirv_SpecConstant(int number, long otherwise);
float __attribute__((overloadable)) __spirv_SpecConstant(int number, float otherwise);

kernel void constants(global long *integers, global float *fraction)
{
    integers[0] = __spirv_SpecConstant(11, 5);
    integers[1] = __spirv_SpecConstant(12, (uchar)6);
    integers[2] = __spirv_SpecConstant(13, 7L);
    fraction[0] = __spirv_SpecConstant(14, 8.5f);
}
