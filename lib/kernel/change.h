// SPDX-License-Identifier: MIT
//
// Setting the arguments that differ from the last launch's, on the quick path: each instruction here is paid for by every launch that
// changes something (docs/performance.md). What passed the checks once need not pass them again: a value may become another one of
// its size, and a pointer another pointer, of which only the address is checked.

#ifndef MEZ_KERNEL_CHANGE_H
#define MEZ_KERNEL_CHANGE_H

#include "kernel/use.h"
#include "ze/call.h"

// Of settings (mez_kernel_use.setting) each use takes so many at a time, so that it needs an atomic one rarely.
#define MEZ_SETTINGS ((uint64_t)1 << 20)

// The first of so many that no other use has.
__attribute__((cold)) uint64_t mez_next_settings(void);

static inline void mez_kernel_use_renew_setting(mez_kernel_use *use)
{
    const uint64_t setting = use->setting;
    use->setting =
        __builtin_expect(setting % MEZ_SETTINGS == 0, 0) ? mez_next_settings() : setting + 1;
}

// A failed call may have set anything, so that nothing is known of the argument then. Values are noted before the call, so that they need
// not be read again after it.
__attribute__((cold)) mez_error mez_argument_set_failed(
    mez_kernel_use *use, uint32_t index, mez_error error);

// Sets a value of the size that is set already, unless it is the same.
static inline mez_error mez_argument_change(
    mez_kernel_use *use, uint32_t index, unsigned char *kept, const void *bytes, size_t size)
{
    if (memcmp(kept, bytes, size) == 0)
        return mez_ok();
    memcpy(kept, bytes, size);
    const mez_error error = ZE(zeKernelSetArgumentValue, use->ze, index, size, bytes);
    return __builtin_expect(mez_failed(error), 0) ? mez_argument_set_failed(use, index, error)
                                                  : error;
}

// Is it in one of the allocations that are known for this argument? NULL is in none.
static inline bool mez_argument_is_live(
    const mez_kernel_use *use, const mez_set_argument *set, const void *address)
{
    return (mez_live_range_holds(&set->live[0], address) ||
               mez_live_range_holds(&set->live[1], address)) &&
           set->frees == atomic_load_explicit(use->free_count, memory_order_relaxed);
}

// Passes what has been checked. `passed`: where the pointer stands; NULL for a null pointer.
static inline mez_error mez_argument_pass_pointer(mez_kernel_use *use, uint32_t index,
    mez_set_argument *set, const mez_arg *argument, const void *passed)
{
    memcpy(set->value, &argument->data, sizeof argument->data);
    const mez_error error =
        ZE(zeKernelSetArgumentValue, use->ze, index, sizeof argument->data, passed);
    return __builtin_expect(mez_failed(error), 0) ? mez_argument_set_failed(use, index, error)
                                                  : error;
}

// Has the value the size of the one that is set, which is of this kind?
static inline bool mez_argument_is_like(
    const mez_set_argument *set, const mez_arg *argument, uint32_t kind)
{
    return set->kind == kind && argument->kind == MEZ_ARG_VALUE && set->size == argument->size &&
           argument->data;
}

// Sets an argument of any sort.
mez_change mez_argument_change_rare(
    mez_kernel_use *use, uint32_t index, const mez_arg *argument, mez_error *error);

// The same where most are pointers and values of 4 or 8 bytes.
static inline mez_change mez_argument_change_any(mez_kernel_use *use, uint32_t index,
    mez_set_argument *set, const mez_arg *argument, mez_error *error)
{
    mez_error failure;
    if (argument->kind == MEZ_ARG_POINTER && set->kind == MEZ_ARG_POINTER) {
        const void *const address = argument->data;
        if (mez_same_bytes(set->value, &address, 8))
            return MEZ_CHANGE_MADE;
        if (__builtin_expect(!mez_argument_is_live(use, set, address), 0))
            return mez_argument_change_rare(use, index, argument, error);
        failure = mez_argument_pass_pointer(use, index, set, argument, &argument->data);
    } else if (mez_argument_is_like(set, argument, MEZ_ARG_VALUE)) {
        if (argument->size == 4)
            failure = mez_argument_change(use, index, set->value, argument->data, 4);
        else if (argument->size == 8)
            failure = mez_argument_change(use, index, set->value, argument->data, 8);
        else
            return mez_argument_change_rare(use, index, argument, error);
    } else {
        return mez_argument_change_rare(use, index, argument, error);
    }
    if (__builtin_expect(!mez_failed(failure), 1))
        return MEZ_CHANGE_MADE;
    *error = failure;
    return MEZ_CHANGE_FAILED;
}

// Sets those arguments of a launch that differ, from the first one on that may; there is one. Compilers that choose call it, and spend 20
// instructions on what is kept around the call.
static inline __attribute__((always_inline)) mez_change mez_arguments_change(
    mez_kernel_use *use, const mez_args *args, uint32_t first, mez_error *error)
{
    const uint32_t count = (uint32_t)args->count;
    const mez_arg *argument = &args->items[first];
    mez_set_argument *set = &use->arguments[first];
    uint32_t i = first;
    do {
        const mez_change change = mez_argument_change_any(use, i, set, argument, error);
        if (__builtin_expect(change != MEZ_CHANGE_MADE, 0))
            return change;
        argument++, set++;
    } while (++i < count);
    return MEZ_CHANGE_MADE;
}

#endif
