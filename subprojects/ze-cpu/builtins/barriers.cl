// SPDX-License-Identifier: MIT
//
// Waiting for other work-items, and fences.

#include "builtins.h"

// A work-item that waits is not running, and groups run on one thread each: what was written before
// is seen after.
void BUILTIN __spirv_ControlBarrier(int execution, int memory, int semantics)
{
    *(volatile __global zc_word *)zc_get_context()->waits_for =
        execution == ZC_SCOPE_SUBGROUP ? ZC_WAITS_FOR_SUB_GROUP : ZC_WAITS_FOR_GROUP;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    zc_wait();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void BUILTIN __spirv_MemoryBarrier(int memory, int semantics)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
