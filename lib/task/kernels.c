// SPDX-License-Identifier: MIT

#include "task/kernels.h"

#include "base/alloc.h"

void mez_used_kernels_init(mez_used_kernels *kernels)
{
    kernels->slots = kernels->few;
    kernels->mask = MEZ_FEW_KERNELS - 1;
}

void mez_used_kernels_finish(mez_used_kernels *kernels)
{
    if (kernels->slots != kernels->few)
        mez_free_memory(kernels->slots);
    mez_used_kernels_init(kernels);
}

mez_used_kernel_slot *mez_used_kernels_look_on(
    const mez_used_kernels *kernels, const mez_kernel *kernel)
{
    for (uint64_t i = kernel->id;; i++) {
        mez_used_kernel_slot *slot = &kernels->slots[i & kernels->mask];
        if (slot->kernel_id == kernel->id)
            return slot;
        if (slot->kernel_id == 0)
            return NULL;
    }
}

// --- Variants

#define MOST_MISSES 16

static void expect(mez_used_kernels *kernels, mez_kernel_use *use)
{
    mez_used_kernel_slot *slot = mez_used_kernels_look_on(kernels, use->kernel);
    if (slot)
        slot->use = use;
}

void mez_used_kernels_expect_next(mez_used_kernels *kernels, const mez_kernel_use *use)
{
    expect(kernels, use->follows);
}

// They were of no use: the kernel has one again, and is not given others. These go with the queue or the kernel.
__attribute__((cold)) static mez_kernel_use *give_up_variants(
    mez_used_kernels *kernels, mez_kernel_use *use)
{
    mez_kernel_use *variant = use;
    do {
        mez_kernel_use *next = variant->next_variant;
        variant->next_variant = variant->follows = variant;
        variant->is_variant = true;
        variant->returns = MEZ_ENOUGH_RETURNS; // makes no other
        variant = next;
    } while (variant != use);
    use->is_variant = false;
    expect(kernels, use);
    return use;
}

mez_kernel_use *mez_used_kernels_choose(mez_used_kernels *kernels, mez_kernel_use *expected,
    const mez_range *range, const mez_args *args, bool *same)
{
    mez_kernel_use *found = NULL, *oldest = expected, *newest = expected, *use = expected;
    do {
        if (use->last_task > newest->last_task)
            newest = use;
        if (use->last_task < oldest->last_task)
            oldest = use;
        if (!found && mez_kernel_use_is_same(use, range, args))
            found = use;
        use = use->next_variant;
    } while (use != expected);
    *same = found != NULL;
    if (!found)
        found = oldest;
    found->misses = *same ? 0 : (uint8_t)(newest->misses + 1);
    if (found->misses == MOST_MISSES)
        return give_up_variants(kernels, expected);
    newest->follows = found;
    expect(kernels, found);
    return found;
}

void mez_used_kernels_add_variant(
    mez_used_kernels *kernels, const mez_kernel *kernel, mez_kernel_use *variant)
{
    mez_kernel_use *use = mez_used_kernels_look_up(kernels, kernel);
    variant->is_variant = true;
    if (!use) // left out of the slots meanwhile: it waits for the queue's end
        return;
    variant->next_variant = use->next_variant;
    use->next_variant = variant;
}

// --- Making uses

// A kernel has one for each queue that has run it, and for each prepared launch.
static mez_kernel_use *find(mez_used_kernels *kernels, const mez_kernel *kernel)
{
    mez_platform *platform = kernel->image->platform;
    pthread_mutex_lock(&platform->kernel_uses->lock);
    mez_kernel_use *use = kernel->uses;
    while (use && (use->queue_list != &kernels->all || use->is_variant))
        use = use->of_kernel.next;
    pthread_mutex_unlock(&platform->kernel_uses->lock);
    return use;
}

mez_error mez_used_kernels_find(
    mez_used_kernels *kernels, mez_kernel *kernel, mez_device *device, mez_kernel_use **use)
{
    *use = find(kernels, kernel);
    return *use ? mez_ok() : mez_kernel_use_create(kernel, device, &kernels->all, use);
}

// --- Slots

// It is in none yet, and at least one is free.
static void put(mez_used_kernels *kernels, mez_kernel_use *use)
{
    uint64_t i = use->kernel->id;
    while (kernels->slots[i & kernels->mask].kernel_id != 0)
        i++;
    kernels->slots[i & kernels->mask] =
        (mez_used_kernel_slot){.kernel_id = use->kernel->id, .use = use};
    kernels->taken++;
}

// A quarter of them is enough for the kernels that there are; without memory as many as there can be.
static void take_slots(mez_used_kernels *kernels, uint64_t count)
{
    uint64_t size = MEZ_FEW_KERNELS;
    while (size < 4 * count)
        size *= 2;
    mez_used_kernel_slot *slots =
        size > MEZ_FEW_KERNELS ? mez_alloc_array(size, sizeof *slots) : NULL;
    mez_used_kernels_finish(kernels);
    memset(kernels->few, 0, sizeof kernels->few);
    kernels->taken = 0;
    if (!slots)
        return;
    kernels->slots = slots;
    kernels->mask = size - 1;
}

static bool has_room(const mez_used_kernels *kernels)
{
    return 2 * (kernels->taken + 1) <= kernels->mask + 1;
}

// Leaves out kernels that are gone. Where there is no memory for all, those that are left out are found by the long way.
static void renew_slots(mez_used_kernels *kernels, const mez_kernel *kernel)
{
    mez_platform *platform = kernel->image->platform;
    uint64_t count = 0;
    pthread_mutex_lock(&platform->kernel_uses->lock);
    for (const mez_kernel_use *use = kernels->all; use; use = use->of_queue.next)
        count++;
    take_slots(kernels, count);
    for (mez_kernel_use *use = kernels->all; use && has_room(kernels); use = use->of_queue.next)
        if (use->kernel != kernel && !use->is_variant)
            put(kernels, use);
    pthread_mutex_unlock(&platform->kernel_uses->lock);
}

void mez_used_kernels_show(mez_used_kernels *kernels, mez_kernel_use *use)
{
    if (mez_used_kernels_look_up(kernels, use->kernel)) // another thread was first
        return;
    if (!has_room(kernels))
        renew_slots(kernels, use->kernel);
    put(kernels, use);
}
