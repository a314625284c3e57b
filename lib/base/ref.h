// SPDX-License-Identifier: MIT
//
// Reference counts.

#ifndef MEZ_BASE_REF_H
#define MEZ_BASE_REF_H

#include <stdatomic.h>
#include <stdbool.h>

typedef atomic_uint mez_ref;

static inline void mez_ref_init(mez_ref *ref)
{
    atomic_init(ref, 1);
}

static inline void mez_ref_get_many(mez_ref *ref, unsigned count)
{
    atomic_fetch_add_explicit(ref, count, memory_order_relaxed);
}

static inline void mez_ref_get(mez_ref *ref)
{
    mez_ref_get_many(ref, 1);
}

// Takes a reference of what may have none, and then be anybody's. False: it has none.
static inline bool mez_ref_get_living(mez_ref *ref)
{
    unsigned count = atomic_load_explicit(ref, memory_order_relaxed);
    while (count > 0)
        if (atomic_compare_exchange_weak_explicit(
                ref, &count, count + 1, memory_order_acquire, memory_order_relaxed))
            return true;
    return false;
}

// True when that was the last reference: the caller frees the object.
static inline bool mez_ref_put(mez_ref *ref)
{
    return atomic_fetch_sub_explicit(ref, 1, memory_order_acq_rel) == 1;
}

#endif
