// SPDX-License-Identifier: MIT
//
// Kernels with barriers in awkward places, in a language that OpenCL C and C share: the test runs
// them through the engine, and as they are on one thread per work-item, and compares.

#ifdef __OPENCL_C_VERSION__
#define KERNEL __kernel void
#define GLOBAL __global
#define LOCAL __local
#define LOCAL_VARIABLE __local
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define LOCAL_INDEX ((int)get_local_linear_id())
#define GLOBAL_INDEX ((int)get_global_linear_id())
#define GROUP_INDEX ((int)get_group_id(0))
#endif

// Private arrays live across barriers.
KERNEL private_arrays(GLOBAL int *out, GLOBAL const int *in, int n)
{
    LOCAL_VARIABLE int s[256];
    const int l = LOCAL_INDEX;
    int mine[8];
    for (int i = 0; i < 8; i++)
        mine[i] = in[(l * 8 + i) & 1023] * n;
    s[l] = mine[l & 7];
    BARRIER();
    for (int i = 0; i < 8; i++)
        mine[i] += s[(l + i) & 255];
    BARRIER();
    s[l] = mine[(l >> 1) & 7];
    BARRIER();
    out[GLOBAL_INDEX] = s[255 - l] + mine[l % 8];
}

// The number of rounds comes from memory; a barrier lies within a condition that all share.
KERNEL data_dependent_loop(GLOBAL int *out, GLOBAL const int *in, int n)
{
    LOCAL_VARIABLE int rounds;
    LOCAL_VARIABLE int s[256];
    const int l = LOCAL_INDEX;
    if (l == 0)
        rounds = in[GROUP_INDEX] % 7 + n;
    s[l] = in[l];
    BARRIER();
    int sum = 0;
    for (int k = 0; k < rounds; k++) {
        const int v = s[(l + k * 3) & 255];
        BARRIER();
        if (l & 1) {
            s[l] += v;
        } else {
            for (int j = 0; j < (l & 3); j++)
                sum += s[l] ^ j;
        }
        BARRIER();
        if (k == 2) {
            sum += 100;
            BARRIER();
            s[l] ^= sum;
            BARRIER();
        }
    }
    out[GLOBAL_INDEX] = sum + s[l];
}

KERNEL reduction_with_early_return(GLOBAL int *out, GLOBAL const int *in, int n)
{
    LOCAL_VARIABLE int s[256];
    const int l = LOCAL_INDEX;
    int x = in[l] + n;
    int y = x * 3;
    for (int width = 128; width > 0; width >>= 1) {
        s[l] = x;
        BARRIER();
        if (l < width) {
            x += s[l + width];
            y ^= x;
        }
        BARRIER();
    }
    if (l == 0) {
        out[GLOBAL_INDEX] = x;
        return;
    }
    out[GLOBAL_INDEX] = y;
}

// Local pointers change places in a loop that is left by a break.
KERNEL swapped_pointers(GLOBAL int *out, GLOBAL const int *in, int n)
{
    LOCAL_VARIABLE int a[256];
    LOCAL_VARIABLE int b[256];
    LOCAL int *p = a;
    LOCAL int *q = b;
    const int l = LOCAL_INDEX;
    p[l] = in[l];
    BARRIER();
    int i = 0;
    do {
        q[l] = p[(l + 1) & 255] + p[(l + 255) & 255];
        LOCAL int *t = p;
        p = q;
        q = t;
        BARRIER();
        i++;
        if (i > n)
            break;
    } while (i < 20);
    out[GLOBAL_INDEX] = p[l] + i;
}

struct barrier_state {
    int a;
    float f;
    short s[3];
};

static int helper_that_waits(LOCAL int *s, int l, int d)
{
    s[l] += d;
    BARRIER();
    const int r = s[(l + d) & 255];
    BARRIER();
    return r;
}

KERNEL helper_function(GLOBAL int *out, GLOBAL const int *in, int n)
{
    LOCAL_VARIABLE int s[256];
    const int l = LOCAL_INDEX;
    struct barrier_state state;
    state.a = in[l];
    state.f = l;
    state.s[0] = l;
    state.s[1] = l * 2;
    state.s[2] = n;
    s[l] = state.a;
    BARRIER();
    int r = 0;
    for (int d = 1; d < 5; d++) {
        r += helper_that_waits(s, l, d);
        state.s[d % 3] += r;
        struct barrier_state *p = &state;
        p->a += d;
    }
    out[GLOBAL_INDEX] = r + state.a + (int)state.f + state.s[0] + state.s[1] + state.s[2];
}

KERNEL switch_after_barrier(GLOBAL int *out, GLOBAL const int *in, int n)
{
    LOCAL_VARIABLE float s[256];
    const int l = LOCAL_INDEX;
    float x = l, y = in[l] & 15, z = 3, w = n;
    for (int k = 0; k < 3; k++) {
        s[l] = x + y;
        BARRIER();
        z += s[(l + k) & 255];
        const float t = x;
        x = y;
        y = z;
        z = w;
        w = t;
        BARRIER();
        switch ((l & 3) + in[3] % 2 * 5) {
        case 0:
            x += 1;
            break;
        case 1:
            y += in[k] & 3;
            break;
        case 2:
            if (k)
                z = 2;
            break;
        default:
            break;
        }
    }
    out[GLOBAL_INDEX] = (int)(x + y * 2 + z * 3 + w * 5);
}
