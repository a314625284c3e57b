// SPDX-License-Identifier: MIT
//
// Memory of kernels: more than a device has, variables of the module, arguments, pipes.

typedef struct {
    int values[200];
} bytes_800;

typedef struct {
    char values[1980];
} bytes_1980;

typedef struct {
    int values[600];
} bytes_2400;

global int counter;
global int *kept_pointer;
constant int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};

kernel void nothing(void)
{
}

kernel void large_local(global int *x)
{
    local int room[100000];
    room[get_local_id(0)] = x[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[0] = room[x[1]];
}

kernel void large_private(global int *x)
{
    int room[100000];
    for (int i = 0; i < 100000; i++)
        room[i] = x[i];
    x[0] = room[x[1]];
}

kernel void large_argument(global int *x, bytes_800 s)
{
    x[0] = s.values[x[1]];
}

kernel void too_large_argument(global int *x, bytes_2400 s)
{
    x[0] = s.values[x[1]];
}

// Few enough, but they leave no registers.
kernel void argument_of_registers(global char *x, bytes_1980 s)
{
    x[get_global_id(0)] = s.values[get_global_id(0)];
}

kernel void counted(global int *x)
{
    x[0] = atomic_inc(&counter);
}

kernel void pointer_kept(global int *x)
{
    kept_pointer = x;
}

kernel void looked_up(global int *x)
{
    x[0] = table[x[1] & 7];
}

kernel void generic_pointer(global int *x, local int *y, int i)
{
    int *p = i ? (int *)x : (int *)y;
    x[1] = *p;
}

kernel void piped(read_only pipe int p, global int *x)
{
    int value;
    if (read_pipe(p, &value) == 0)
        x[0] = value;
}

kernel void printed(global float4 *x)
{
    printf("%v4hlf %d %s\n", x[0], 3, "text");
}
