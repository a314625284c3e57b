// SPDX-License-Identifier: MIT
//
// One step of heat through a plate: each point becomes the mean of its neighbours, the border stays as it is.

kernel void step(global const float *before, global float *after, int width, int height)
{
    const int x = get_global_id(0), y = get_global_id(1), i = y * width + x;
    if (x >= width || y >= height)
        return;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
        after[i] = before[i];
        return;
    }
    after[i] = 0.25f * (before[i - 1] + before[i + 1] + before[i - width] + before[i + width]);
}
