// SPDX-License-Identifier: MIT
//
// Kernels that take room: in local memory, for their arguments, and in private memory for what they copy.

kernel void plain(global float *x)
{
    x[get_global_id(0)] *= 2.0f;
}

static void shuffle(global float *x, local float *room)
{
    room[get_local_id(0)] = *x;
    barrier(CLK_LOCAL_MEM_FENCE);
    *x = room[get_local_id(0) ^ 1];
}

kernel void local_little(global float *x)
{
    local float room[8192];
    shuffle(x, room);
}

kernel void local_much(global float *x)
{
    local float room[10000];
    local float rest[7000];
    shuffle(x, room);
    shuffle(x, rest);
}

typedef struct {
    char bytes[1000];
} bytes_1000;

kernel void argued(bytes_1000 a, global char *x, bytes_1000 b, float3 f)
{
    x[0] = a.bytes[x[1]] + b.bytes[x[2]] + f.y;
}

kernel void argued_much(char c, bytes_1000 a, global char *x, bytes_1000 b, local int *l, sampler_t s, read_only image2d_t i,
    float8 f)
{
    l[0] = c + (int)read_imagef(i, s, (int2)(0, 0)).x;
    x[0] = a.bytes[x[1]] + b.bytes[x[2]] + f.s4 + l[0];
}

struct pair {
    double first;
    int second;
};

static void copy(global struct pair *x, int n)
{
    struct pair kept[2];
    kept[n & 1] = x[n];
    x[n + 1] = kept[0];
}

kernel void copies(global struct pair *x, int n)
{
    copy(x, n);
}

kernel void copies_and_adds(global struct pair *x, int n)
{
    copy(x, n);
    x[n].first += 1.0;
}
