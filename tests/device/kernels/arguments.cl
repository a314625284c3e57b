// SPDX-License-Identifier: MIT
//
// One kernel for each kind of argument; each writes back what it got.

kernel void scalars(char a, uchar b, short c, ushort d, int e, uint f, long g, ulong h, float i,
    global long *out)
{
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    out[4] = e;
    out[5] = f;
    out[6] = g;
    out[7] = (long)h;
    out[8] = as_int(i);
}

kernel void vectors(char2 a, uchar3 b, short4 c, int3 d, float3 e, float4 f, int8 g, short16 h,
    long2 i, global int *out)
{
    vstore2(convert_int2(a), 0, out);
    vstore3(convert_int3(b), 0, out + 2);
    vstore4(convert_int4(c), 0, out + 5);
    vstore3(d, 0, out + 9);
    vstore3(convert_int3(e), 0, out + 12);
    vstore4(convert_int4(f), 0, out + 15);
    vstore8(g, 0, out + 19);
    vstore16(convert_int16(h), 0, out + 27);
    vstore2(convert_int2(i), 0, out + 43);
}

struct inner {
    short small[3];
    char tiny;
};

struct outer {
    char first;
    int second;
    struct inner inner;
    long last;
};

kernel void structs(struct outer a, struct inner b, global long *out)
{
    out[0] = a.first;
    out[1] = a.second;
    out[2] = a.inner.small[0];
    out[3] = a.inner.small[2];
    out[4] = a.inner.tiny;
    out[5] = a.last;
    out[6] = b.small[1];
    out[7] = b.tiny;
}

kernel void pointers(global const int *a, constant int *b, global short *c, global int *none,
    global int *out)
{
    const size_t i = get_global_id(0);
    c[i] = (short)(a[i] + b[i]);
    out[i] = none == 0;
}

kernel void local_memory(local int *reversed, int add, local char *flags, global int *out)
{
    const size_t i = get_local_id(0), n = get_local_size(0);
    reversed[n - 1 - i] = (int)i;
    flags[i] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    int set = 0;
    for (size_t j = 0; j < n; j++)
        set += flags[j];
    out[get_global_id(0)] = reversed[i] * 1000 + set + add;
}

kernel void nothing(void) {}

kernel void many(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l,
    int m, int n, int o, int p, global int *out)
{
    const int all[16] = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p};
    for (int at = 0; at < 16; at++)
        out[at] = all[at];
}

kernel void follow(global const int *global *lists, global const ulong *addresses, global int *out)
{
    const size_t i = get_global_id(0);
    out[i] = lists[i][0] + *(global const int *)addresses[i];
}
