// SPDX-License-Identifier: MIT
//
// Required sizes of sub-groups, which Intel's compiler judges, and of work-groups, which it does not.

#define SUB_GROUP(size)                                                                          \
    __attribute__((intel_reqd_sub_group_size(size))) kernel void sub_group_##size(global int *x) \
    {                                                                                            \
        x[get_global_id(0)] = get_sub_group_local_id();                                          \
    }

SUB_GROUP(1)
SUB_GROUP(2)
SUB_GROUP(4)
SUB_GROUP(7)
SUB_GROUP(8)
SUB_GROUP(16)
SUB_GROUP(24)
SUB_GROUP(32)
SUB_GROUP(64)
SUB_GROUP(128)

#define WORK_GROUP(x_size, y_size, z_size)                               \
    __attribute__((reqd_work_group_size(x_size, y_size, z_size)))        \
    kernel void work_group_##x_size##_##y_size##_##z_size(global int *x) \
    {                                                                    \
        x[get_global_id(0)] = get_local_id(0);                           \
    }

WORK_GROUP(1, 1, 1)
WORK_GROUP(8, 8, 4)
WORK_GROUP(257, 1, 1)
WORK_GROUP(1, 512, 1)
WORK_GROUP(1024, 1, 1)
WORK_GROUP(1025, 1, 1)
WORK_GROUP(64, 64, 64)
WORK_GROUP(65536, 65536, 1)

__attribute__((reqd_work_group_size(8, 1, 1), intel_reqd_sub_group_size(16))) kernel void
sub_group_larger_than_work_group(global int *x)
{
    x[0] = 1;
}

__attribute__((reqd_work_group_size(2048, 1, 1), intel_reqd_sub_group_size(8))) kernel void both(
    global int *x)
{
    x[0] = 1;
}

__attribute__((work_group_size_hint(4096, 1, 1), vec_type_hint(double))) kernel void only_hints(
    global int *x)
{
    x[0] = 1;
}
