// SPDX-License-Identifier: MIT
//
// A kernel and, as LIBRARY, the functions that it imports. Compilers before LLVM 17 write what each pointer points to, later ones bytes;
// across_*.spvasm is what LLVM 15 and LLVM 22 have made of this file with -O1, so that there is one of each kind wherever it is tested.

typedef struct node {
    int value;
    global struct node *next;
} node;

typedef struct {
    int n;
    global int *data;
} view;

#ifdef LIBRARY
global node *find(global node *list, int value)
{
    return list->value == value ? list : list + 1;
}

int sum(global const int *data, int n)
{
    return data[0] + data[n - 1];
}

int first_of(view *v)
{
    return v->data[0] + ((global node *)v->data)->value / 2;
}
#else
global node *find(global node *list, int value);
int sum(global const int *data, int n);
int first_of(view *v);

// Of a list of two or more nodes.
kernel void across(global node *list, global int *out, int n)
{
    view v = {n, (global int *)list};
    out[0] = find(list, 20)->value;
    out[1] = sum(v.data, v.n);
    out[2] = first_of(&v);
}
#endif
