// SPDX-License-Identifier: MIT
//
// What link_a.cl imports, and a kernel.

typedef struct node {
    float value;
    struct node *next;
} node;

typedef struct {
    int a[3];
    float4 v;
} plain;

constant float table[4] = {1, 2, 3, 4};

float from_nowhere(float x);

float helper(global node *list, int n)
{
    return list[n].value + list[n].next->value + get_global_id(0);
}

float tool(plain *p)
{
    switch (p->a[0]) {
    case 3:
        p->v.x = 7;
        break;
    case 900:
        p->a[1]++;
        break;
    default:
        return 0;
    }
    switch ((long)p->a[2]) {
    case 0x300000001:
        p->v.y *= 2;
        break;
    case -8:
        p->a[1] = 5;
        break;
    }
    return p->a[1] + p->v.x;
}

double widen(float x)
{
    return x * 0.1;
}

kernel void other(global float *x)
{
    x[0] = 2 + from_nowhere(x[1]);
}
