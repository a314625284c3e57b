// SPDX-License-Identifier: MIT

#include "recording/recording.h"

#include "base/alloc.h"
#include "base/list.h"
#include "base/version.h"
#include "device/platform.h"
#include "memory/memory.h"
#include "submit/ranges.h"
#include "task/mailbox.h"
#include "traced_calls.h"

// It is not lent.
static void recorded_list_destroy(mez_recorded_list *list)
{
    mez_platform_uncount(list->recording->platform, MEZ_OBJECT_COMMAND_LIST);
    mez_readback_finish(&list->encoding.readback);
    ZE_LOGGED(zeCommandListDestroy, list->encoding.list);
    mez_free_memory(list);
}

// Nothing is lent. Kernels go after what the driver made of them.
static void recording_free(mez_recording *recording)
{
    mez_platform *platform = recording->platform;
    mez_recorded_list *list;
    while (mez_list_pop(&recording->spare, list, next))
        recorded_list_destroy(list);
    mez_kernel_uses_destroy_of_queue(platform, &recording->kernels.all);
    for (uint32_t i = 0; i < recording->operations.count; i++)
        mez_command_free(recording->operations.items[i]);
    mez_vector_finish(&recording->operations);
    mez_free_memory(recording->name);
    mez_free_memory(recording);
    mez_platform_unref(platform);
}

static void recording_unref(mez_recording *recording)
{
    if (mez_ref_put(&recording->ref))
        recording_free(recording);
}

// No list can be lent any more: a replay first makes room, and is refused there.
static void be_closed(mez_object *object)
{
    mez_recording *recording = (mez_recording *)((char *)object - offsetof(mez_recording, object));
    atomic_store(&recording->lent, MEZ_MOST_REPLAYS);
}

static mez_error recording_create(const mez_location *where, mez_context *context,
    const mez_recording_params *params, mez_recording **created)
{
    mez_platform *platform = mez_platform_of(context);
    mez_device *device;
    MEZ_TRY_RESERVED(mez_recording_params, params);
    MEZ_TRY(mez_platform_device(platform, params->device, &device));
    if (params->order > MEZ_OUT_OF_ORDER)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "recording order %d does not exist", (int)params->order);
    mez_recording *recording = mez_new(mez_recording);
    char *name = mez_copy_string(params->debug_name ? params->debug_name : "recording");
    if (!recording || !name) {
        mez_free_memory(recording);
        mez_free_memory(name);
        return mez_error_no_memory("a recording");
    }
    mez_ref_init(&recording->ref);
    recording->platform = platform;
    mez_platform_ref(platform);
    recording->device = device;
    recording->name = name;
    recording->in_order = params->order == MEZ_IN_ORDER;
    recording->version = 1;
    recording->object.close = be_closed;
    mez_object_add(platform, &recording->object, MEZ_OBJECT_RECORDING, name);
    mez_object_set_place(platform, &recording->object, where);
    *created = recording;
    return mez_ok();
}

MEZ_TRACE_BODY mez_error create(const mez_location *where, mez_context *context,
    const mez_recording_params *params, mez_recording **created)
{
    static const mez_recording_params defaults;
    return mez_error_add_place(
        recording_create(where, context, params ? params : &defaults, created), where);
}

MEZ_TRACED_CALL(mez_recording_create, create)

mez_error mez_recording_create_at(const mez_location *where, mez_context *context,
    const mez_recording_params *params, mez_recording **recording)
{
    MEZ_REQUIRE(recording, where);
    *recording = NULL;
    MEZ_REQUIRE(context, where);
    MEZ_TRACE_CALL(mez_recording_create, where, create, where, context, params, recording);
}

MEZ_TRACE_BODY void destroy(const mez_location *where, mez_recording **destroyed)
{
    (void)where;
    mez_recording *recording = *destroyed;
    *destroyed = NULL;
    mez_object_remove(recording->platform, &recording->object);
    recording_unref(recording);
}

MEZ_TRACED_CALL(mez_recording_destroy, destroy)

void mez_recording_destroy_at(const mez_location *where, mez_recording **recording)
{
    MEZ_TRACE_DESTROY(mez_recording_destroy, where, destroy, recording);
}

mez_error mez_recording_add_facts(mez_error error, const mez_location *where,
    const mez_recording *recording, const mez_task_params *task)
{
    if (!mez_failed(error))
        return error;
    error = mez_error_add(error, "recording", "\"%s\"", recording->name);
    if (task && task->debug_name)
        error = mez_error_add(error, "task", "\"%s\"", task->debug_name);
    return mez_platform_note_loss(recording->platform, mez_error_add_place(error, where));
}

// --- From operations to a closed command list

// --- The commands

// A replay is one task, so all its launches are one in the mailbox, which is the list's own: it is in flight once at a time.
static mez_error point_at_mailbox(mez_readback *readback, mez_kernel_use *use)
{
    mez_platform *platform = readback->platform;
    const bool collects = atomic_load_explicit(&platform->assert_needs->many, memory_order_relaxed);
    if (!readback->mailbox)
        MEZ_TRY(mez_mailbox_create(platform, collects, &readback->mailbox));
    return mez_mailbox_point_at(readback->mailbox, use, 0);
}

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
    if (recording->platform->memory->checked)
        MEZ_TRY(mez_ranges_check_all(recording->platform, command));
    MEZ_TRY(mez_command_prepare(command, recording->device));
    if (module && command->launch.use->posts)
        MEZ_TRY(point_at_mailbox(&list->encoding.readback, command->launch.use));
    MEZ_TRY(mez_command_append(command, ze, NULL, 0, NULL));
    if (module)
        mez_readback_add(&list->encoding.readback, module);
    return mez_ok();
}

static mez_error append_operations(const mez_recording *recording, mez_recorded_list *list)
{
    bool behind_barrier = true;
    for (uint32_t i = 0; i < recording->operations.count; i++) {
        const mez_command *command = recording->operations.items[i];
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
    if (readback->modules.count > 0)
        MEZ_TRY(recording->platform->assert_functions->hooks.append(readback, NULL, ze));
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
    mez_list_push(&recording->spare, list, next);
    count_lent(recording, -1);
    mez_lock_release(&recording->lock);
    recording_unref(recording);
}

static mez_error create_list(mez_recording *recording, mez_recorded_list **created)
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
        MEZ_TRY(create_list(recording, found));
    if (is_current(recording, *found))
        return mez_ok();
    const mez_error error = encode(recording, *found);
    if (mez_failed(error))
        mez_list_push(&recording->spare, *found, next);
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
