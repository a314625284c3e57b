// SPDX-License-Identifier: MIT
//
// Integers, conversions, comparisons, selections, vectors in memory, halfs, geometry: one kernel,
// one result each.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

__kernel void integers(__global long *out, int a, int b, uint u, long l, long m)
{
    int n = 0;
    out[n++] = abs(a);
    out[n++] = abs_diff(a, b);
    out[n++] = add_sat(a, a);
    out[n++] = sub_sat((char)100, (char)-100);
    out[n++] = hadd(a, b);
    out[n++] = rhadd(a, b);
    out[n++] = clz(u);
    out[n++] = ctz(u);
    out[n++] = popcount(u);
    out[n++] = mul_hi(a, b);
    out[n++] = mul_hi(l, m);
    out[n++] = (long)mul_hi((ulong)l, (ulong)m);
    out[n++] = mad_sat(a, a, b);
    out[n++] = mad_sat(l, m, l);
    out[n++] = rotate(u, 4u);
    out[n++] = upsample((int)a, u);
    out[n++] = mad24(17, -3, 4);
    out[n++] = clamp(a, -5, 5);
    out[n++] = max((uchar)200, (uchar)100);
    out[n++] = min((short)-200, (short)100);
}

__kernel void conversions(__global long *out, float f, double d, int i, ulong u, long l)
{
    int n = 0;
    out[n++] = convert_int_rte(2.5f + f);
    out[n++] = convert_int_rtp(f);
    out[n++] = convert_int_rtn(f);
    out[n++] = convert_int_rtz(f);
    out[n++] = convert_uchar_sat(f * 1e6f);
    out[n++] = convert_char_sat(-f * 1e6f);
    out[n++] = (long)convert_ulong_sat(d * 1e300);
    out[n++] = convert_long_sat(-d * 1e300);
    out[n++] = convert_uchar_sat(i);
    out[n++] = convert_char_sat(u);
    out[n++] = convert_uint_sat(l);
    out[n++] = convert_short_sat(l);
    out[n++] = as_int(convert_float_rtp(d));
    out[n++] = as_int(convert_float_rtn(d));
    out[n++] = as_int(convert_float_rtz(-d));
    out[n++] = as_int(convert_float_rtz(l));
    out[n++] = as_int(convert_float_rtp(u));
    out[n++] = as_short(convert_half_rtz(f));
    const int4 v = convert_int4_sat_rte((float4)(f, 2 * f, -f, 1e20f));
    out[n++] = v.x;
    out[n++] = v.y;
    out[n++] = v.z;
    out[n++] = v.w;
}

// Divisions without a result: the value is anything, and the kernel goes on.
__kernel void divisions(
    __global long *out, int zero, int minus, long least, int4 dividends, int4 divisors)
{
    int n = 0;
    out[n++] = 100 / zero;
    out[n++] = 100 % zero;
    out[n++] = (uint)minus / (uint)zero;
    out[n++] = (ulong)least % (ulong)zero;
    out[n++] = INT_MIN / minus;
    out[n++] = (int)least == 0 ? least / minus : 0;
    out[n++] = least % minus;
    const int4 quotients = dividends / divisors;
    const int4 rests = dividends % divisors;
    out[n++] = quotients.x + rests.x;
    out[n++] = quotients.y;
    out[n++] = quotients.z;
    out[n++] = quotients.w;
    out[n++] = rests.y;
    out[n++] = rests.w;
    out[n++] = least / (minus * 2);
    out[n++] = (INT_MIN + 1) / minus;
    out[n++] = 100 / (zero - 7);
}

// Of a fourth dimension, which is known when the kernel is compiled, and only when it runs.
__kernel void dimensions(__global long *out, uint fourth)
{
    int n = 0;
    out[n++] = get_group_id(3);
    out[n++] = get_local_id(3) + get_global_id(3) + get_global_offset(3);
    out[n++] = get_local_size(3);
    out[n++] = get_global_size(3);
    out[n++] = get_num_groups(3);
    for (uint i = 0; i < get_group_id(3) + get_num_groups(3); i++)
        out[n++] = 7;
    out[n++] = get_group_id(fourth);
    out[n++] = get_local_id(fourth) + get_global_id(fourth);
    out[n++] = get_local_size(fourth);
    out[n++] = get_num_groups(fourth) + (get_global_size(fourth) > 1);
    out[n++] = get_num_groups(fourth - 1);
}

__kernel void comparisons(__global int *out, float4 a, float4 b)
{
    const int4 nan = isnan(a);
    const int4 less = isless(a, b);
    const int4 inf = isinf(b);
    const float4 chosen = select(a, b, less);
    out[0] = isnan(a.x) | isnan(a.w) << 1 | isinf(b.z) << 2 | isfinite(a.x) << 3 |
             isnormal(a.y) << 4;
    out[1] = signbit(a.y) | signbit(a.x) << 1;
    out[2] = any(nan) | all(nan) << 1 | any(less) << 2 | all(inf) << 3;
    out[3] = nan.w;
    out[4] = less.x;
    out[5] = inf.z;
    out[6] = (int)chosen.x;
    out[7] = (int)chosen.y;
    out[8] = as_int(bitselect(a.x, b.x, as_float(0xff)));
    out[9] = select(10, 20, a.x < b.x);
    out[10] = isordered(a.x, b.x) | isunordered(a.w, b.w) << 1 | islessgreater(a.x, b.x) << 2;
}

__kernel void vectors(__global float *out, __global const float *in, __global half *halfs)
{
    const float4 a = vload4(0, in);
    const float3 b = vload3(2, in);
    vstore3(b, 0, out);
    vstore4(shuffle(a, (uint4)(3, 2, 1, 0)), 0, out + 3);
    vstore2(shuffle2(a, a + 10, (uint2)(5, 2)), 0, out + 7);
    vstore_half4_rte(a, 0, halfs);
    vstore_half_rtz(1.0f / 3, 4, halfs);
    vstore4(vload_half4(0, halfs), 0, out + 9);
    out[13] = vload_half(4, halfs);
    out[14] = dot(a, a);
    out[15] = length(b);
    vstore3(cross(a.xyz, b), 0, out + 16);
    vstore3(normalize(b), 0, out + 19);
    out[22] = distance(a.xy, b.xy);
    float whole;
    int exponent;
    out[23] = fract(a.w + 0.75f, &whole);
    out[24] = whole;
    out[25] = frexp(a.w, &exponent);
    out[26] = exponent;
    out[27] = modf(-a.w - 0.5f, &whole);
    out[28] = whole;
    float cosine;
    out[29] = sincos(a.y, &cosine);
    out[30] = cosine;
    out[31] = ldexp(a.y, 3);
    out[32] = pown(a.y, 5);
    out[33] = rootn(-a.w * a.w * a.w, 3);
    out[34] = mix(a.x, a.w, 0.25f);
    out[35] = smoothstep(0.0f, 2.0f, 1.0f);
    out[36] = clamp(a.w, 0.0f, 2.0f);
    out[37] = fma(a.y, a.w, 1.0f);
    out[38] = ilogb(a.w);
}
