// SPDX-License-Identifier: MIT
// Uses what no kernel may on this device.

__kernel void sends(__global int *out, read_only pipe int in)
{
    int packet;
    out[0] = read_pipe(in, &packet);
    out[1] = packet;
}

__kernel void starts(__global int *out)
{
    const ndrange_t range = ndrange_1D(4);
    out[0] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, range, ^{
        out[1] = 1;
    });
}
