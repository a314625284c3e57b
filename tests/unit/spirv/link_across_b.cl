// SPDX-License-Identifier: MIT
//
// What link_across_a.cl imports.

typedef struct node {
    float value;
    struct node *next;
} node;

typedef struct {
    int n;
    global float *data;
} view;

constant node *constant root = 0;
float down(global node *list, int depth);

global node *find(global node *list, float value)
{
    return list->value == value ? list : list + 1;
}

float sum(view by_value)
{
    return by_value.data[0] + by_value.data[by_value.n - 1];
}

float first_of(view *v)
{
    return v->data[0];
}

float up(global node *list, int depth)
{
    return depth ? down(list, depth - 1) * list->value : 2;
}
