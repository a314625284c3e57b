// SPDX-License-Identifier: MIT
//
// Arguments that no launch can pass.

kernel void draws(global int *out, write_only image2d_t picture)
{
    write_imagei(picture, (int2)(0, 0), (int4)(out[0]));
}

kernel void samples(sampler_t how, read_only image2d_t picture, global float4 *out)
{
    out[0] = read_imagef(picture, how, (float2)(0, 0));
}
