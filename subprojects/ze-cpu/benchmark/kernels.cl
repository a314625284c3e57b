// SPDX-License-Identifier: MIT
//
// The kernels that are timed. Each writes the same however often it runs.

#define TILE 16

__kernel void saxpy(
    __global float *restrict out, __global const float *x, __global const float *y, float a)
{
    const size_t i = get_global_id(0);
    out[i] = a * x[i] + y[i];
}

// The sum of two times the group's size, by halves.
__kernel void reduction(__global float *out, __global const float *in, __local float *sums)
{
    const size_t local_id = get_local_id(0);
    const size_t size = get_local_size(0);
    const size_t i = get_group_id(0) * size * 2 + local_id;
    sums[local_id] = in[i] + in[i + size];
    for (size_t half_size = size / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (local_id < half_size)
            sums[local_id] += sums[local_id + half_size];
    }
    if (local_id == 0)
        out[get_group_id(0)] = sums[0];
}

// Inclusive sums within each group.
__kernel void scan(__global int *out, __global const int *in, __local int *sums)
{
    const size_t local_id = get_local_id(0);
    const size_t i = get_global_id(0);
    sums[local_id] = in[i];
    for (size_t distance = 1; distance < get_local_size(0); distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const int left = local_id >= distance ? sums[local_id - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[local_id] += left;
    }
    out[i] = sums[local_id];
}

__kernel void sgemm(
    __global float *c, __global const float *a, __global const float *b, int size)
{
    __local float tile_a[TILE][TILE];
    __local float tile_b[TILE][TILE];
    const int x = get_local_id(0), y = get_local_id(1);
    const int column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int tile = 0; tile < size; tile += TILE) {
        tile_a[y][x] = a[row * size + tile + x];
        tile_b[y][x] = b[(tile + y) * size + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += tile_a[y][k] * tile_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * size + column] = sum;
}

// The same without local memory.
__kernel void plain_gemm(
    __global float *c, __global const float *a, __global const float *b, int size)
{
    const int column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < size; k++)
        sum += a[row * size + k] * b[k * size + column];
    c[row * size + column] = sum;
}

__kernel void transpose(__global float *out, __global const float *in, int size)
{
    __local float tile[TILE][TILE + 1];
    const int x = get_local_id(0), y = get_local_id(1);
    const int from = get_group_id(0) * TILE, to = get_group_id(1) * TILE;
    tile[y][x] = in[(to + y) * size + from + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(from + y) * size + to + x] = tile[x][y];
}

__kernel void stencil_2d(__global float *out, __global const float *in, int size)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x < 1 || y < 1 || x >= size - 1 || y >= size - 1)
        return;
    const int i = y * size + x;
    out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - size] + in[i + size]);
}

__kernel void stencil_3d(__global double *out, __global const double *in, int size)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x < 1 || y < 1 || z < 1 || x >= size - 1 || y >= size - 1 || z >= size - 1)
        return;
    const int i = (z * size + y) * size + x;
    const int slice = size * size;
    out[i] = 0.4 * in[i] + 0.1 * (in[i - 1] + in[i + 1] + in[i - size] + in[i + size] +
                                     in[i - slice] + in[i + slice]);
}

__kernel void histogram(__global uint *out, __global const uchar *in, int items)
{
    __local uint bins[256];
    const size_t local_id = get_local_id(0);
    for (size_t i = local_id; i < 256; i += get_local_size(0))
        bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const size_t first = get_group_id(0) * get_local_size(0) * items + local_id;
    for (int i = 0; i < items; i++)
        atomic_inc(&bins[in[first + i * get_local_size(0)]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t i = local_id; i < 256; i += get_local_size(0))
        out[get_group_id(0) * 256 + i] = bins[i];
}

// Rows of a sparse matrix times a vector.
__kernel void spmv(__global float *out, __global const int *starts, __global const int *columns,
    __global const float *values, __global const float *x)
{
    const size_t row = get_global_id(0);
    float sum = 0;
    for (int i = starts[row]; i < starts[row + 1]; i++)
        sum += values[i] * x[columns[i]];
    out[row] = sum;
}

// Accelerations of bodies of equal mass.
__kernel void n_body(__global float *out, __global const float *xs, __global const float *ys,
    __global const float *zs, int count)
{
    const size_t i = get_global_id(0);
    const float x = xs[i], y = ys[i], z = zs[i];
    float ax = 0, ay = 0, az = 0;
    for (int k = 0; k < count; k++) {
        const float dx = xs[k] - x, dy = ys[k] - y, dz = zs[k] - z;
        const float squared = dx * dx + dy * dy + dz * dz + 0.01f;
        const float factor = 1.0f / (squared * sqrt(squared));
        ax += dx * factor;
        ay += dy * factor;
        az += dz * factor;
    }
    out[i] = ax + ay + az;
}

__kernel void mandelbrot(__global int *out, int size, int limit)
{
    const int column = get_global_id(0), row = get_global_id(1);
    const float cx = -2.0f + 3.0f * column / size, cy = -1.5f + 3.0f * row / size;
    float x = 0, y = 0;
    int steps = 0;
    while (steps < limit && x * x + y * y <= 4.0f) {
        const float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        steps++;
    }
    out[row * size + column] = steps;
}

float normal_distribution(float x)
{
    const float t = 1.0f / (1.0f + 0.2316419f * fabs(x));
    const float tail =
        0.39894228f * exp(-0.5f * x * x) * t *
        (0.31938153f +
            t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
    return x > 0 ? 1 - tail : tail;
}

__kernel void black_scholes(
    __global float *out, __global const float *prices, __global const float *strikes, float years)
{
    const size_t i = get_global_id(0);
    const float rate = 0.02f, volatility = 0.3f;
    const float price = prices[i], strike = strikes[i];
    const float deviation = volatility * sqrt(years);
    const float d1 =
        (log(price / strike) + (rate + 0.5f * volatility * volatility) * years) / deviation;
    out[i] = price * normal_distribution(d1) -
             strike * exp(-rate * years) * normal_distribution(d1 - deviation);
}

// One round of a bitonic sort; the distance is a power of two.
__kernel void bitonic(__global uint *values, int distance, int block)
{
    const uint i = get_global_id(0);
    const uint left = 2 * i - (i & (distance - 1));
    const uint a = values[left], b = values[left + distance];
    const bool rising = (left & block) == 0;
    if ((a > b) == rising) {
        values[left] = b;
        values[left + distance] = a;
    }
}

// Rounds of rotations and additions, as hash functions have them.
__kernel void hash(__global uint *out, __global const uint *in, int rounds)
{
    const size_t i = get_global_id(0);
    uint a = in[i], b = 0x9e3779b9u, c = 0x7f4a7c15u;
    for (int k = 0; k < rounds; k++) {
        a += rotate(b, 7u) ^ c;
        b += rotate(c, 11u) ^ (a & b);
        c += rotate(a, 19u) + k;
    }
    out[i] = a ^ b ^ c;
}
