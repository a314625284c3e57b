// SPDX-License-Identifier: MIT
//
// Program-scope variables: kernels of one module share them.

struct pair {
    int first;
    long second;
};

global int counter = 5;
global struct pair pairs[4] = {{1, 10}, {2, 20}, {3, 30}, {4, 40}};
global int *global where = &counter;
constant int squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
static constant int hidden[8] = {0, 1, 2, 3, 4, 5, 6, 7};

kernel void add(int n)
{
    if (get_global_id(0) == 0)
        *where += n;
    if (get_global_id(0) < 4)
        pairs[get_global_id(0)].second += n;
}

kernel void get(global long *out)
{
    const size_t i = get_global_id(0);
    if (i == 0)
        out[0] = counter;
    if (i < 4)
        out[1 + i] = pairs[i].first * 1000 + pairs[i].second;
    if (i < 8)
        out[5 + i] = squares[hidden[i]];
}
