// SPDX-License-Identifier: MIT
//
// C = A * B for square matrices, by tiles in local memory, and in the plainest way to compare with.

#ifndef TILE
#define TILE 8
#endif

kernel void tiled(global const float *a, global const float *b, global float *c, int n, local float *tiles)
{
    local float *tile_a = tiles, *tile_b = tiles + TILE * TILE;
    const int x = get_global_id(0), y = get_global_id(1), column = get_local_id(0), row = get_local_id(1);
    float sum = 0;
    for (int start = 0; start < n; start += TILE) {
        tile_a[row * TILE + column] = a[y * n + start + column];
        tile_b[row * TILE + column] = b[(start + row) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += tile_a[row * TILE + k] * tile_b[k * TILE + column];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}

kernel void plain(global const float *a, global const float *b, global float *c, int n)
{
    const int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}
