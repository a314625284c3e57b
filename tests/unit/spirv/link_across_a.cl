// SPDX-License-Identifier: MIT
//
// A kernel whose functions and variables link_across_b.cl defines; it defines one that those call. Compilers whose pointers have no type
// know less here than there of what each points to.

typedef struct node {
    float value;
    struct node *next;
} node;

typedef struct {
    int n;
    global float *data;
} view;

extern constant node *constant root;
global node *find(global node *list, float value);
float sum(view by_value);
float first_of(view *v);
float up(global node *list, int depth);

float down(global node *list, int depth)
{
    return depth ? up(list, depth - 1) + list->value : 1;
}

kernel void across(global node *list, global float *out)
{
    view v = {3, out};
    out[3] = find(list, 2)->value + sum(v) + first_of(&v) + down(list, 3) + root->value;
}
