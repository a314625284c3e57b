// SPDX-License-Identifier: MIT
//
// From operations to a closed command list.

#include "base/alloc.h"
#include "recording/recording.h"

// --- The commands

// `behind_barrier`: nothing stands between the operation and the last barrier.
static mez_error append_operation(const mez_recording *recording, mez_recorded_list *list,
    const mez_command *command, bool *behind_barrier)
{
    ze_command_list_handle_t ze = list->encoding.list;
    const bool is_barrier = command->kind == MEZ_COMMAND_NOTHING;
    if (!*behind_barrier && (is_barrier || recording->in_order))
        MEZ_TRY(ZE(zeCommandListAppendBarrier, ze, NULL, 0, NULL));
    *behind_barrier = is_barrier;
    if (is_barrier)
        return mez_ok();
    mez_module *module = mez_command_asserting_module(command);
    MEZ_TRY(mez_readback_reserve(&list->encoding.readback));
    MEZ_TRY(mez_command_prepare(command, recording->device));
    MEZ_TRY(mez_command_append(command, ze, NULL, 0, NULL));
    if (module)
        mez_readback_add(&list->encoding.readback, module);
    return mez_ok();
}

static mez_error append_operations(const mez_recording *recording, mez_recorded_list *list)
{
    bool behind_barrier = true;
    for (uint32_t i = 0; i < recording->count; i++) {
        const mez_command *command = &recording->operations[i]->command;
        const mez_error error = append_operation(recording, list, command, &behind_barrier);
        if (mez_failed(error))
            return mez_error_add(error, "operation", "number %u", (unsigned)i);
    }
    return mez_ok();
}

static mez_error fill(const mez_recording *recording, mez_recorded_list *list)
{
    ze_command_list_handle_t ze = list->encoding.list;
    mez_readback *readback = &list->encoding.readback;
    mez_readback_empty(readback);
    MEZ_TRY(
        ZE(zeCommandListAppendBarrier, ze, NULL, 0, NULL)); // behind what came before on the queue
    MEZ_TRY(append_operations(recording, list));
    if (readback->module_count > 0)
        MEZ_TRY(recording->platform->assert_functions->append(readback, ze));
    return ZE(zeCommandListClose, ze);
}

// Makes the list what the recording is now. Allocations are counted before: one in between makes the list old, not wrong. The
// caller holds the lock.
static mez_error encode(const mez_recording *recording, mez_recorded_list *list)
{
    const uint64_t allocations =
        atomic_load_explicit(&recording->platform->allocation_generation, memory_order_acquire);
    list->version = 0;
    if (list->used)
        MEZ_TRY(ZE(zeCommandListReset, list->encoding.list));
    list->used = true;
    MEZ_TRY(fill(recording, list));
    list->version = recording->version;
    list->allocations = allocations;
    return mez_ok();
}

// --- The list

// The caller holds the lock: no locked instruction is needed.
static void count_lent(mez_recording *recording, int change)
{
    const unsigned lent = atomic_load_explicit(&recording->lent, memory_order_relaxed);
    atomic_store_explicit(&recording->lent, lent + (unsigned)change, memory_order_relaxed);
}

static void give_back(mez_encoding *encoding)
{
    mez_recorded_list *list = (mez_recorded_list *)encoding;
    mez_recording *recording = list->recording;
    mez_lock_take(&recording->lock);
    list->next = recording->spare;
    recording->spare = list;
    count_lent(recording, -1);
    mez_lock_release(&recording->lock);
    mez_recording_unref(recording);
}

static mez_error create(mez_recording *recording, mez_recorded_list **created)
{
    const ze_command_list_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
        .commandQueueGroupOrdinal = recording->device->compute.ordinal,
    };
    mez_recorded_list *list = mez_new(mez_recorded_list);
    if (!list)
        return mez_error_no_memory("a recorded list");
    const mez_error error = ZE(zeCommandListCreate, recording->platform->ze, recording->device->ze,
        &description, &list->encoding.list);
    if (mez_failed(error)) {
        mez_free_memory(list);
        return error;
    }
    mez_platform_count(recording->platform, MEZ_OBJECT_COMMAND_LIST);
    list->recording = recording;
    list->encoding.give_back = give_back;
    list->encoding.lender = recording;
    list->encoding.readback.platform = recording->platform;
    list->encoding.readback.lent = true;
    *created = list;
    return mez_ok();
}

void mez_recorded_list_destroy(mez_recorded_list *list)
{
    mez_platform_uncount(list->recording->platform, MEZ_OBJECT_COMMAND_LIST);
    mez_readback_finish(&list->encoding.readback);
    ZE_LOGGED(zeCommandListDestroy, list->encoding.list);
    mez_free_memory(list);
}

// --- Lending

static bool is_current(const mez_recording *recording, const mez_recorded_list *list)
{
    return list->version == recording->version &&
           list->allocations == atomic_load_explicit(&recording->platform->allocation_generation,
                                    memory_order_acquire);
}

// Takes the first spare list that can be lent as it is, else any; NULL: there is none. The caller holds the lock.
static mez_recorded_list *take_spare(mez_recording *recording)
{
    mez_recorded_list **link = &recording->spare;
    while (*link && !is_current(recording, *link))
        link = &(*link)->next;
    if (!*link)
        link = &recording->spare;
    mez_recorded_list *list = *link;
    if (list)
        *link = list->next;
    return list;
}

// Not inlined: its frame would be paid for by the replays that need no search. The caller holds the lock.
__attribute__((noinline)) static mez_error find_or_make(
    mez_recording *recording, mez_recorded_list **found)
{
    *found = take_spare(recording);
    if (!*found)
        MEZ_TRY(create(recording, found));
    if (is_current(recording, *found))
        return mez_ok();
    const mez_error error = encode(recording, *found);
    if (mez_failed(error)) {
        (*found)->next = recording->spare;
        recording->spare = *found;
    }
    return error;
}

// Mostly the list that came back last. The caller holds the lock.
static inline mez_error take_current(mez_recording *recording, mez_recorded_list **taken)
{
    mez_recorded_list *list = recording->spare;
    if (!list || !is_current(recording, list))
        return find_or_make(recording, taken);
    recording->spare = list->next;
    *taken = list;
    return mez_ok();
}

mez_error mez_recording_borrow(mez_recording *recording, mez_recorded_list **list)
{
    mez_lock_take(&recording->lock);
    const mez_error error = take_current(recording, list);
    if (!mez_failed(error))
        count_lent(recording, 1);
    mez_lock_release(&recording->lock);
    if (mez_failed(error))
        return error;
    mez_ref_init(&(*list)->encoding.ref);
    mez_ref_get(&recording->ref);
    return error;
}
