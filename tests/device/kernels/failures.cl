// SPDX-License-Identifier: MIT
//
// Kernels that fail and hang, or fail at many work-items.

#include <mezzanine/assert.h>

// Fails and then waits for what only the host can do.
kernel void fails_and_hangs(global int *values, global volatile atomic_int *go_on)
{
    const int i = (int)get_global_id(0);
    assert(i != 3);
    while (
        i == 3 && !atomic_load_explicit(go_on, memory_order_relaxed, memory_scope_all_svm_devices))
        ;
    values[i] = i;
}

// The others of the work-group wait at a barrier that it does not come to.
kernel void fails_and_keeps_others(
    global int *values, local int *shared, global volatile atomic_int *go_on)
{
    const int i = (int)get_local_id(0);
    assert(i != 3);
    while (
        i == 3 && !atomic_load_explicit(go_on, memory_order_relaxed, memory_scope_all_svm_devices))
        ;
    shared[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    values[get_global_id(0)] = shared[i ^ 1];
}

// Nothing fails.
kernel void hangs(global volatile atomic_int *go_on)
{
    while (!atomic_load_explicit(go_on, memory_order_relaxed, memory_scope_all_svm_devices))
        ;
}

// Many work-items at several asserts.
kernel void fails_at_several(global int *values)
{
    const int i = (int)get_global_id(0);
    assert(i % 4 != 1);
    assert(i != 6 && "alone");
    values[i] = i;
}
