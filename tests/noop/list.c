// SPDX-License-Identifier: MIT
// Command lists. Appends do nothing on the way past but what somebody can notice: their events, and
// the copies if asked for. Immediate lists do it on the spot; regular lists record it for each
// execution.
//
// An append without an event, to a driver that is not held, is what benchmarks count instructions
// of: it must stay a handful of them.
#include "internal.h"

#include <stdlib.h>

// Of functions with the parameters of an entry point, which jumps there without moving any.
#ifdef __clang__
#define KEEPS_ITS_PARAMETERS __attribute__((noinline))
#else
#define KEEPS_ITS_PARAMETERS __attribute__((noipa))
#endif

enum { MAX_PATTERN = 128 };

// Specification 1.7, of queues and immediate lists, and of regular lists.
enum { IN_ORDER_QUEUE = 1 << 1, IN_ORDER_LIST = 1 << 3 };

enum command_kind { SIGNAL, RESET, COPY, FILL, LAUNCH };

struct noop_command {
    enum command_kind kind;
    ze_event_handle_t event; // SIGNAL, RESET
    char *to;                // COPY, FILL
    const void *from;        // COPY
    size_t size;
    size_t pattern_size; // FILL
    char pattern[MAX_PATTERN];
};

static _Atomic uint64_t launches;

uint64_t noop_launches(void)
{
    return launches;
}

void noop_list_forget_launches(void)
{
    launches = 0;
}

// A place at the end of the list's commands, or NULL when memory is short.
static struct noop_command *add_command(ze_command_list_handle_t list)
{
    if (list->command_count == list->command_capacity) {
        const size_t capacity = list->command_capacity * 2 + 16;
        struct noop_command *grown = realloc(list->commands, capacity * sizeof *grown);
        if (grown == NULL)
            return NULL;
        list->commands = grown;
        list->command_capacity = capacity;
    }
    return &list->commands[list->command_count++];
}

static ze_result_t record(ze_command_list_handle_t list, const struct noop_command *command)
{
    struct noop_command *place = add_command(list);
    if (place == NULL)
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    *place = *command;
    return ZE_RESULT_SUCCESS;
}

// Fills in place: benchmarks of regular lists count these instructions.
static ze_result_t record_signal(ze_command_list_handle_t list, ze_event_handle_t event)
{
    struct noop_command *place = add_command(list);
    if (place == NULL)
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    place->kind = SIGNAL;
    place->event = event;
    return ZE_RESULT_SUCCESS;
}

static void fill(const struct noop_command *command)
{
    for (size_t done = 0; done < command->size; done += command->pattern_size) {
        const size_t left = command->size - done;
        const size_t size = left < command->pattern_size ? left : command->pattern_size;
        memcpy(command->to + done, command->pattern, size);
    }
}

static void execute(const struct noop_command *command, uint64_t ticket)
{
    switch (command->kind) {
    case SIGNAL:
        noop_ticket_set(&command->event->ticket, ticket);
        break;
    case RESET:
        noop_ticket_set(&command->event->ticket, NOOP_TICKET_NEVER);
        break;
    case COPY:
        memmove(command->to, command->from, command->size);
        break;
    case FILL:
        fill(command);
        break;
    case LAUNCH:
        launches++;
        break;
    }
}

void noop_list_execute(ze_command_list_handle_t list, uint64_t ticket)
{
    for (size_t i = 0; i < list->command_count; i++)
        execute(&list->commands[i], ticket);
}

static ze_result_t do_or_record(ze_command_list_handle_t list, const struct noop_command *command)
{
    if (!list->immediate)
        return record(list, command);
    execute(command, NOOP_TICKET_DONE);
    return ZE_RESULT_SUCCESS;
}

static __attribute__((noinline)) ze_result_t end_append(
    ze_command_list_handle_t list, ze_event_handle_t signal)
{
    if (!list->immediate)
        return signal != NULL ? record_signal(list, signal) : ZE_RESULT_SUCCESS;
    const uint64_t ticket = noop_ticket_draw();
    noop_ticket_set(&list->ticket, ticket);
    if (signal != NULL)
        noop_ticket_set(&signal->ticket, ticket);
    return ZE_RESULT_SUCCESS;
}

static bool can_signal(ze_command_list_handle_t list, ze_event_handle_t event)
{
    if (event == NULL || !event->counter_based)
        return true;
    return list->in_order && (event->device == NULL || event->device == list->device);
}

static __attribute__((noinline, cold)) ze_result_t watched_append(enum noop_entry entry,
    ze_command_list_handle_t list, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits)
{
    const ze_result_t planned = noop_enter(entry);
    noop_log_append(entry, list, signal, wait_count, waits);
    if (planned != ZE_RESULT_SUCCESS)
        return planned;
    if (!can_signal(list, signal))
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    return end_append(list, signal);
}

static inline bool is_watched(void)
{
    return __builtin_expect(atomic_load_explicit(&noop_watching, memory_order_relaxed), 0);
}

// All that most appends do. Nobody can notice one without an event, unless completion is held, and
// then it is watched. The rare ways are calls in tail position, so that the frequent one needs no
// stack frame.
static inline ze_result_t append_unwatched(
    enum noop_entry entry, ze_command_list_handle_t list, ze_event_handle_t signal)
{
    noop_count(entry);
    return signal == NULL ? ZE_RESULT_SUCCESS : end_append(list, signal);
}

static inline ze_result_t append(enum noop_entry entry, ze_command_list_handle_t list,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits)
{
    return is_watched() ? watched_append(entry, list, signal, wait_count, waits)
                        : append_unwatched(entry, list, signal);
}

// --- Life

ze_result_t noop_zeCommandListCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_command_list_desc_t *desc, ze_command_list_handle_t *list)
{
    NOOP_ENTER(zeCommandListCreate);
    (void)context;
    const ze_result_t result = NOOP_CREATE(NOOP_COMMAND_LIST, list);
    if (result != ZE_RESULT_SUCCESS)
        return result;
    (*list)->device = device;
    (*list)->in_order = desc->flags & IN_ORDER_LIST;
    (*list)->ordinal = desc->commandQueueGroupOrdinal;
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeCommandListCreateImmediate(ze_context_handle_t context,
    ze_device_handle_t device, const ze_command_queue_desc_t *desc, ze_command_list_handle_t *list)
{
    NOOP_ENTER(zeCommandListCreateImmediate);
    (void)context;
    const ze_result_t result = NOOP_CREATE(NOOP_COMMAND_LIST, list);
    if (result != ZE_RESULT_SUCCESS)
        return result;
    (*list)->device = device;
    (*list)->immediate = true;
    (*list)->in_order = desc->flags & IN_ORDER_QUEUE;
    (*list)->ordinal = desc->ordinal;
    noop_log_queue(desc);
    return result;
}

ze_result_t noop_zeCommandListDestroy(ze_command_list_handle_t list)
{
    const ze_result_t planned = noop_enter(NOOP_zeCommandListDestroy);
    if (list == NULL)
        return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    noop_object_check(list, NOOP_COMMAND_LIST);
    free(list->commands);
    return noop_object_end(list, NOOP_COMMAND_LIST, planned);
}

ze_result_t noop_zeCommandListClose(ze_command_list_handle_t list)
{
    NOOP_ENTER(zeCommandListClose);
    list->closed = true;
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeCommandListReset(ze_command_list_handle_t list)
{
    NOOP_ENTER(zeCommandListReset);
    list->closed = false;
    list->command_count = 0;
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeCommandListIsImmediate(ze_command_list_handle_t list, ze_bool_t *immediate)
{
    NOOP_ENTER(zeCommandListIsImmediate);
    *immediate = list->immediate;
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeCommandListHostSynchronize(ze_command_list_handle_t list, uint64_t timeout)
{
    NOOP_ENTER(zeCommandListHostSynchronize);
    return list->immediate ? noop_ticket_wait(&list->ticket, timeout)
                           : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

// --- Kernels

static KEEPS_ITS_PARAMETERS ze_result_t watched_launch(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, const ze_group_count_t *groups, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    static const struct noop_command launch = {.kind = LAUNCH};
    (void)kernel, (void)groups;
    const ze_result_t result =
        watched_append(NOOP_zeCommandListAppendLaunchKernel, list, signal, wait_count, waits);
    return result == ZE_RESULT_SUCCESS ? do_or_record(list, &launch) : result;
}

static KEEPS_ITS_PARAMETERS ze_result_t signalling_launch(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, const ze_group_count_t *groups, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    (void)kernel, (void)groups, (void)wait_count, (void)waits;
    return end_append(list, signal);
}

ze_result_t noop_zeCommandListAppendLaunchKernel(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, const ze_group_count_t *groups, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    if (is_watched())
        return watched_launch(list, kernel, groups, signal, wait_count, waits);
    noop_count(NOOP_zeCommandListAppendLaunchKernel);
    return signal == NULL ? ZE_RESULT_SUCCESS
                          : signalling_launch(list, kernel, groups, signal, wait_count, waits);
}

ze_result_t noop_zeCommandListAppendLaunchCooperativeKernel(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, const ze_group_count_t *groups, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    (void)kernel, (void)groups;
    return append(NOOP_zeCommandListAppendLaunchCooperativeKernel, list, signal, wait_count, waits);
}

ze_result_t noop_zeCommandListAppendLaunchKernelIndirect(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, const ze_group_count_t *groups, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    (void)kernel, (void)groups;
    return append(NOOP_zeCommandListAppendLaunchKernelIndirect, list, signal, wait_count, waits);
}

ze_result_t noop_zeCommandListAppendLaunchMultipleKernelsIndirect(ze_command_list_handle_t list,
    uint32_t count, ze_kernel_handle_t *kernels, const uint32_t *device_count,
    const ze_group_count_t *groups, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits)
{
    (void)count, (void)kernels, (void)device_count, (void)groups;
    return append(
        NOOP_zeCommandListAppendLaunchMultipleKernelsIndirect, list, signal, wait_count, waits);
}

// Specification 1.14.
ze_result_t noop_zeCommandListAppendLaunchKernelWithArguments(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, ze_group_count_t groups, ze_newer_group_size_t group_size,
    void **arguments, const void *next, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits)
{
    (void)kernel, (void)groups, (void)group_size, (void)arguments, (void)next;
    return append(
        NOOP_zeCommandListAppendLaunchKernelWithArguments, list, signal, wait_count, waits);
}

// --- Memory

static __attribute__((noinline)) ze_result_t append_work(enum noop_entry entry,
    ze_command_list_handle_t list, const struct noop_command *work, ze_event_handle_t signal)
{
    ze_result_t result = noop_enter(entry);
    if (result == ZE_RESULT_SUCCESS)
        result = do_or_record(list, work);
    return result != ZE_RESULT_SUCCESS ? result : end_append(list, signal);
}

static inline bool executes_copies(void)
{
    return atomic_load_explicit(&noop_executes_copies, memory_order_relaxed);
}

static KEEPS_ITS_PARAMETERS ze_result_t append_noticed_copy(ze_command_list_handle_t list, void *to,
    const void *from, size_t size, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits)
{
    const enum noop_entry entry = NOOP_zeCommandListAppendMemoryCopy;
    const struct noop_command work = {.kind = COPY, .to = to, .from = from, .size = size};
    if (!executes_copies())
        return watched_append(entry, list, signal, wait_count, waits);
    noop_log_append(entry, list, signal, wait_count, waits);
    return append_work(entry, list, &work, signal);
}

static KEEPS_ITS_PARAMETERS ze_result_t append_noticed_fill(ze_command_list_handle_t list, void *to,
    const void *pattern, size_t pattern_size, size_t size, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    const enum noop_entry entry = NOOP_zeCommandListAppendMemoryFill;
    if (!executes_copies())
        return watched_append(entry, list, signal, wait_count, waits);
    noop_log_append(entry, list, signal, wait_count, waits);
    if (pattern_size == 0 || pattern_size > MAX_PATTERN)
        return noop_answer(entry, ZE_RESULT_ERROR_INVALID_SIZE);
    struct noop_command work = {.kind = FILL, .to = to, .size = size, .pattern_size = pattern_size};
    memcpy(work.pattern, pattern, pattern_size);
    return append_work(entry, list, &work, signal);
}

static KEEPS_ITS_PARAMETERS ze_result_t signalling_copy(ze_command_list_handle_t list, void *to,
    const void *from, size_t size, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits)
{
    (void)to, (void)from, (void)size, (void)wait_count, (void)waits;
    return end_append(list, signal);
}

ze_result_t noop_zeCommandListAppendMemoryCopy(ze_command_list_handle_t list, void *to,
    const void *from, size_t size, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits)
{
    if (executes_copies() || is_watched())
        return append_noticed_copy(list, to, from, size, signal, wait_count, waits);
    noop_count(NOOP_zeCommandListAppendMemoryCopy);
    return signal == NULL ? ZE_RESULT_SUCCESS
                          : signalling_copy(list, to, from, size, signal, wait_count, waits);
}

ze_result_t noop_zeCommandListAppendMemoryCopyFromContext(ze_command_list_handle_t list, void *to,
    ze_context_handle_t context, const void *from, size_t size, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    (void)context;
    const enum noop_entry entry = NOOP_zeCommandListAppendMemoryCopyFromContext;
    const struct noop_command work = {.kind = COPY, .to = to, .from = from, .size = size};
    if (executes_copies())
        return append_work(entry, list, &work, signal);
    return append(entry, list, signal, wait_count, waits);
}

ze_result_t noop_zeCommandListAppendMemoryFill(ze_command_list_handle_t list, void *to,
    const void *pattern, size_t pattern_size, size_t size, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    if (executes_copies() || is_watched())
        return append_noticed_fill(
            list, to, pattern, pattern_size, size, signal, wait_count, waits);
    return append_unwatched(NOOP_zeCommandListAppendMemoryFill, list, signal);
}

ze_result_t noop_zeCommandListAppendMemoryCopyRegion(ze_command_list_handle_t list, void *to,
    const ze_copy_region_t *to_region, uint32_t to_pitch, uint32_t to_slice_pitch, const void *from,
    const ze_copy_region_t *from_region, uint32_t from_pitch, uint32_t from_slice_pitch,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits)
{
    (void)to, (void)to_region, (void)to_pitch, (void)to_slice_pitch;
    (void)from, (void)from_region, (void)from_pitch, (void)from_slice_pitch;
    return append(NOOP_zeCommandListAppendMemoryCopyRegion, list, signal, wait_count, waits);
}

ze_result_t noop_zeCommandListAppendMemoryPrefetch(
    ze_command_list_handle_t list, const void *pointer, size_t size)
{
    (void)pointer, (void)size;
    return append(NOOP_zeCommandListAppendMemoryPrefetch, list, NULL, 0, NULL);
}

ze_result_t noop_zeCommandListAppendMemAdvise(ze_command_list_handle_t list,
    ze_device_handle_t device, const void *pointer, size_t size, ze_memory_advice_t advice)
{
    (void)device, (void)pointer, (void)size, (void)advice;
    return append(NOOP_zeCommandListAppendMemAdvise, list, NULL, 0, NULL);
}

// --- Images

ze_result_t noop_zeCommandListAppendImageCopy(ze_command_list_handle_t list, ze_image_handle_t to,
    ze_image_handle_t from, ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits)
{
    (void)to, (void)from;
    return append(NOOP_zeCommandListAppendImageCopy, list, signal, wait_count, waits);
}

ze_result_t noop_zeCommandListAppendImageCopyRegion(ze_command_list_handle_t list,
    ze_image_handle_t to, ze_image_handle_t from, const ze_image_region_t *to_region,
    const ze_image_region_t *from_region, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits)
{
    (void)to, (void)from, (void)to_region, (void)from_region;
    return append(NOOP_zeCommandListAppendImageCopyRegion, list, signal, wait_count, waits);
}

ze_result_t noop_zeCommandListAppendImageCopyToMemory(ze_command_list_handle_t list, void *to,
    ze_image_handle_t from, const ze_image_region_t *region, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    (void)to, (void)from, (void)region;
    return append(NOOP_zeCommandListAppendImageCopyToMemory, list, signal, wait_count, waits);
}

ze_result_t noop_zeCommandListAppendImageCopyFromMemory(ze_command_list_handle_t list,
    ze_image_handle_t to, const void *from, const ze_image_region_t *region,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits)
{
    (void)to, (void)from, (void)region;
    return append(NOOP_zeCommandListAppendImageCopyFromMemory, list, signal, wait_count, waits);
}

// --- Events and order

ze_result_t noop_zeCommandListAppendBarrier(ze_command_list_handle_t list, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    return append(NOOP_zeCommandListAppendBarrier, list, signal, wait_count, waits);
}

ze_result_t noop_zeCommandListAppendMemoryRangesBarrier(ze_command_list_handle_t list,
    uint32_t range_count, const size_t *sizes, const void **ranges, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    (void)range_count, (void)sizes, (void)ranges;
    return append(NOOP_zeCommandListAppendMemoryRangesBarrier, list, signal, wait_count, waits);
}

ze_result_t noop_zeCommandListAppendSignalEvent(
    ze_command_list_handle_t list, ze_event_handle_t event)
{
    return append(NOOP_zeCommandListAppendSignalEvent, list, event, 0, NULL);
}

ze_result_t noop_zeCommandListAppendWaitOnEvents(
    ze_command_list_handle_t list, uint32_t count, ze_event_handle_t *events)
{
    return append(NOOP_zeCommandListAppendWaitOnEvents, list, NULL, count, events);
}

ze_result_t noop_zeCommandListAppendEventReset(
    ze_command_list_handle_t list, ze_event_handle_t event)
{
    const struct noop_command work = {.kind = RESET, .event = event};
    return append_work(NOOP_zeCommandListAppendEventReset, list, &work, NULL);
}

ze_result_t noop_zeCommandListAppendWriteGlobalTimestamp(ze_command_list_handle_t list,
    uint64_t *to, ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits)
{
    (void)to;
    return append(NOOP_zeCommandListAppendWriteGlobalTimestamp, list, signal, wait_count, waits);
}

ze_result_t noop_zeCommandListAppendQueryKernelTimestamps(ze_command_list_handle_t list,
    uint32_t count, ze_event_handle_t *events, void *to, const size_t *offsets,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits)
{
    (void)count, (void)events, (void)to, (void)offsets;
    return append(NOOP_zeCommandListAppendQueryKernelTimestamps, list, signal, wait_count, waits);
}

// Specification 1.17. A regular list can't call anybody.
ze_result_t noop_zeCommandListAppendHostFunction(ze_command_list_handle_t list,
    void (*function)(void *data), void *data, const void *next, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    NOOP_ENTER(zeCommandListAppendHostFunction);
    (void)next, (void)wait_count, (void)waits;
    if (!list->immediate)
        return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    const uint64_t ticket = noop_ticket_draw();
    noop_ticket_set(&list->ticket, ticket);
    if (signal != NULL)
        noop_ticket_set(&signal->ticket, ticket);
    noop_ticket_call(ticket, function, data);
    return ZE_RESULT_SUCCESS;
}

// Specification 1.9, experimental.
ze_result_t noop_zeCommandListImmediateAppendCommandListsExp(ze_command_list_handle_t list,
    uint32_t count, ze_command_list_handle_t *lists, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits)
{
    NOOP_ENTER(zeCommandListImmediateAppendCommandListsExp);
    (void)wait_count, (void)waits;
    const uint64_t ticket = noop_ticket_draw();
    for (uint32_t i = 0; i < count; i++)
        noop_list_execute(lists[i], ticket);
    noop_ticket_set(&list->ticket, ticket);
    if (signal != NULL)
        noop_ticket_set(&signal->ticket, ticket);
    return ZE_RESULT_SUCCESS;
}
