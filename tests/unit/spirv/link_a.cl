// SPDX-License-Identifier: MIT
//
// Kernels that import from link_b.cl, and from nowhere.

typedef struct node {
    float value;
    struct node *next;
} node;

typedef struct {
    int a[3];
    float4 v;
} plain;

extern constant float table[4];

float helper(global node *list, int n);
float tool(plain *p);
double widen(float x);
float from_nowhere(float x);

kernel void uses(global node *list, global float *out)
{
    plain p;
    p.a[1] = 3;
    p.v = (float4)(1);
    out[get_global_id(0)] = helper(list, 3) + table[1] + tool(&p);
}

kernel void wide(global float *x)
{
    x[0] = (float)widen(x[1]);
}

kernel void lost(global float *x)
{
    x[0] = from_nowhere(x[1]);
}
