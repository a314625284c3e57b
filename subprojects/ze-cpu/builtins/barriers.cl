// SPDX-License-Identifier: MIT
//
// Waiting for other work-items, and fences.

#include "builtins.h"

// A group runs on one thread, so what its work-items wrote before is seen after. A fence is for others.
void BUILTIN __spirv_ControlBarrier(int execution, int memory, int semantics)
{
    if (memory < ZC_SCOPE_WORKGROUP)
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    zc_wait((execution == ZC_SCOPE_SUBGROUP ? ZC_WAITS_FOR_SUB_GROUP : ZC_WAITS_FOR_GROUP) |
            (semantics & (ZC_WAIT_ORDERS_LOCAL | ZC_WAIT_ORDERS_GLOBAL)));
    if (memory < ZC_SCOPE_WORKGROUP)
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void BUILTIN __spirv_MemoryBarrier(int memory, int semantics)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
