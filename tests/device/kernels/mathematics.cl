// SPDX-License-Identifier: MIT
//
// A few functions of each family.

kernel void mathematics(global const float *in, global float *out)
{
    const size_t i = get_global_id(0);
    const float x = in[i];
    global float *to = out + 12 * i;
    to[0] = sqrt(x);
    to[1] = exp(x);
    to[2] = log(x);
    to[3] = sin(x);
    to[4] = cos(x);
    to[5] = pow(x, 1.5f);
    to[6] = fma(x, x, 1.0f);
    to[7] = floor(x);
    to[8] = fmax(x, 2.0f);
    to[9] = atan2(x, 2.0f);
    to[10] = x / 3.0f;
    to[11] = tanh(x);
}

kernel void integers(global const int *in, global int *out)
{
    const size_t i = get_global_id(0);
    const int x = in[i];
    global int *to = out + 8 * i;
    to[0] = popcount(x);
    to[1] = clz(x);
    to[2] = mul_hi(x, 0x40000000);
    to[3] = add_sat(x, 0x7fffffff);
    to[4] = (int)rotate((uint)x, 4u);
    to[5] = (int)abs(x);
    to[6] = clamp(x, -10, 10);
    to[7] = (int)convert_uchar_sat(x);
}
