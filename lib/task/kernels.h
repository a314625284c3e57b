// SPDX-License-Identifier: MIT
//
// The kernels that a queue has run, found fast by the kernel's number. See kernel/use.h.
//
// Programs launch a kernel with two sets of arguments in turn, such as buffers that are read and written alternately. Then the queue has
// a use for each set, a variant, so that nothing is set again, and a batch goes on repeating. A variant is made when a pointer has become
// what it was before a few times, and variants are given up where no launch is the same as any for a while. The slot names the variant
// that is expected next: the one that came behind this when it was last launched.

#ifndef MEZ_TASK_KERNELS_H
#define MEZ_TASK_KERNELS_H

#include "kernel/use.h"

// A slot may name a kernel that is gone, and its use with it: the number is compared first, and no kernel has it again.
typedef struct mez_used_kernel_slot {
    uint64_t kernel_id;
    mez_kernel_use *use;
} mez_used_kernel_slot;

#define MEZ_FEW_KERNELS 16

typedef struct mez_used_kernels {
    // By number, from the slot on that its last bits name, to the first free one. At least half of the slots are free.
    mez_used_kernel_slot *slots;               // guarded by the queue's lock
    uint64_t mask;                             // their count - 1; a power of two
    uint64_t taken;                            // of them
    mez_used_kernel_slot few[MEZ_FEW_KERNELS]; // the slots, as long as these are enough
    mez_kernel_use *all;                       // guarded by the context's lock of uses
    mez_kernel_use *prepared;                  // of prepared launches; guarded in the same way
    mez_kernel_use *busy;                      // kernels whose tasks may still run
} mez_used_kernels;

void mez_used_kernels_init(mez_used_kernels *kernels);
void mez_used_kernels_finish(
    mez_used_kernels *kernels); // its uses are destroyed by their own function

// For quick paths. NULL: the queue has not run this kernel, or another one is in the slot that its last bits name.
static inline mez_used_kernel_slot *mez_used_kernels_look_once(
    const mez_used_kernels *kernels, const mez_kernel *kernel)
{
    mez_used_kernel_slot *slot = &kernels->slots[kernel->id & kernels->mask];
    if (slot->kernel_id != kernel->id)
        return NULL;
    if (!slot->use) // spares who calls a comparison: numbers start at 1, so a slot with one has a use
        __builtin_unreachable();
    return slot;
}

// Looks into the slots behind that one, too.
mez_used_kernel_slot *mez_used_kernels_look_on(
    const mez_used_kernels *kernels, const mez_kernel *kernel);

// NULL: the queue has not run this kernel.
static inline mez_kernel_use *mez_used_kernels_look_up(
    const mez_used_kernels *kernels, const mez_kernel *kernel)
{
    const mez_used_kernel_slot *slot = mez_used_kernels_look_once(kernels, kernel);
    if (!slot)
        slot = mez_used_kernels_look_on(kernels, kernel);
    return slot ? slot->use : NULL;
}

// --- Variants. The caller holds the queue's lock.

#define MEZ_ENOUGH_RETURNS 8

static inline bool mez_kernel_use_has_variants(const mez_kernel_use *use)
{
    return __builtin_expect(use->next_variant != use, 0);
}

// The launch is not the same as the last of this use, which was expected. Finds the variant of which it is; *same: there is one. Else the
// one that was launched longest ago, to be set for it. That is what mez_used_kernels_look_up finds until the launch is submitted.
mez_kernel_use *mez_used_kernels_choose(mez_used_kernels *kernels, mez_kernel_use *expected,
    const mez_range *range, const mez_args *args, bool *same);

// A launch of this use is submitted.
void mez_used_kernels_expect_next(mez_used_kernels *kernels, const mez_kernel_use *use);

// This argument is set to something else. True: pointers have become what they were before a few times, so that it is worth while to
// make a variant.
static inline bool mez_kernel_use_note_return(
    mez_kernel_use *use, const mez_set_argument *set, const mez_arg *argument)
{
    if (argument->kind != MEZ_ARG_POINTER)
        return false;
    const uint64_t old = use->before;
    memcpy(&use->before, set->value, sizeof use->before);
    return __builtin_expect((uintptr_t)argument->data == old, 0) &&
           use->returns < MEZ_ENOUGH_RETURNS && ++use->returns == MEZ_ENOUGH_RETURNS;
}

// The use for a launch: of several variants the one that is the same, or is to be set for it. *same: all is set already, and a few
// instructions have shown it. NULL: the queue has not run the kernel.
static inline mez_kernel_use *mez_used_kernels_take(mez_used_kernels *kernels,
    const mez_kernel *kernel, const mez_range *range, const mez_args *args, bool *same)
{
    mez_kernel_use *use = mez_used_kernels_look_up(kernels, kernel);
    *same = use && mez_kernel_use_is_clearly_same(use, range, args);
    if (use && !*same && mez_kernel_use_has_variants(use))
        return mez_used_kernels_choose(kernels, use, range, args, same);
    return use;
}

// Adds a variant that was made (mez_kernel_use_create) while the lock was let go.
void mez_used_kernels_add_variant(
    mez_used_kernels *kernels, const mez_kernel *kernel, mez_kernel_use *variant);

// The use of this kernel, made if there is none. The caller does not hold the queue's lock: this may compile. Errors: as
// mez_kernel_build.
mez_error mez_used_kernels_find(
    mez_used_kernels *kernels, mez_kernel *kernel, mez_device *device, mez_kernel_use **use);

// Puts a use where mez_used_kernels_look_up sees it. The caller holds the queue's lock.
void mez_used_kernels_show(mez_used_kernels *kernels, mez_kernel_use *use);

// Keeps the kernel while its tasks may run.
static inline void mez_used_kernels_keep(mez_used_kernels *kernels, mez_kernel_use *use)
{
    use->busy = true;
    mez_kernel_ref(use->kernel);
    use->next_busy = kernels->busy;
    kernels->busy = use;
}

// A task of this kernel has been appended.
static inline void mez_used_kernels_note(
    mez_used_kernels *kernels, mez_kernel_use *use, uint64_t task)
{
    use->last_task = task;
    if (__builtin_expect(!use->busy, 0))
        mez_used_kernels_keep(kernels, use);
}

// Tasks up to this one have ended: gives the kernels back.
static inline void mez_used_kernels_complete(mez_used_kernels *kernels, uint64_t task)
{
    for (mez_kernel_use **link = &kernels->busy; *link;) {
        mez_kernel_use *use = *link;
        if (use->last_task > task) {
            link = &use->next_busy;
            continue;
        }
        mez_kernel *kernel = use->kernel;
        *link = use->next_busy;
        use->busy = false;
        if (__builtin_expect(use->given_up, 0))
            mez_kernel_use_make_spare(use);
        mez_kernel_unref(kernel); // may be the last, and take the use along
    }
}

#endif
