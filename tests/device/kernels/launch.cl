// SPDX-License-Identifier: MIT
//
// Each work-item says who it is.

struct item {
    uint global_id[3];
    uint local_id[3];
    uint group_id[3];
    uint local_size[3];
    uint global_size[3];
    uint dimensions;
};

kernel void saxpy(float a, global const float *x, global float *y)
{
    const size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}

kernel void identify(global struct item *items)
{
    const size_t line = get_global_id(1) + get_global_size(1) * get_global_id(2);
    global struct item *item = &items[get_global_id(0) + get_global_size(0) * line];
    for (uint i = 0; i < 3; i++) {
        item->global_id[i] = get_global_id(i);
        item->local_id[i] = get_local_id(i);
        item->group_id[i] = get_group_id(i);
        item->local_size[i] = get_local_size(i);
        item->global_size[i] = get_global_size(i);
    }
    item->dimensions = get_work_dim();
}

// Runs in exactly these work-groups.
__attribute__((reqd_work_group_size(8, 4, 2))) kernel void required(global struct item *items)
{
    const size_t line = get_global_id(1) + get_global_size(1) * get_global_id(2);
    global struct item *item = &items[get_global_id(0) + get_global_size(0) * line];
    for (uint i = 0; i < 3; i++)
        item->local_size[i] = get_local_size(i);
}
