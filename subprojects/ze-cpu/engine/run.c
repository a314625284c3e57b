// SPDX-License-Identifier: MIT
//
// Runs work-groups: a worker is one thread's memory for local variables, exchanged values and
// coroutine frames.
//
// Loops over work-items are one call. Coroutines are one for each work-item: a sub-group runs until all its
// work-items wait for the work-group; when all sub-groups do, everybody is resumed. Where the work-items of a sub-group
// wait at different places, those that are behind go first: who is at the same place takes part in the same operation.

#include "run.h"
#include "lines.h"
#include "runtime.h"
#include "unwritten.h"
#include "worker.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE ((size_t)1 << 20)
#define ALIGNMENT ((size_t)64)

// The start of every coroutine frame, as LLVM lays it out; resume is NULL once the coroutine has
// ended.
struct frame {
    void (*resume)(struct frame *frame);
};

// A group of work-items that can wait.
struct team {
    uint64_t *item; // the one that runs
    struct frame **frames;
    uint64_t size;
    uint64_t sub_group_size;
    void *local_memory;
    uint64_t *active;                       // of the sub-group: who runs, for whoever asks
    zc_word waits_for;                      // written by the work-item that has just been suspended
    const struct zc_barrier_site *waits_at; // likewise, where kernels are checked
    zc_word orders;                         // what the barriers that they wait at order
    bool finds_divergence;
    bool has_stopped, differs; // since the last barrier: somebody; another one elsewhere
    struct zc_stop stop, other;
    struct zc_worker *worker;
};

// Read by a handler on this thread: the order counts, and no other thread.
static void set_in_kernel(struct zc_watch *watch, bool in_kernel)
{
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&watch->in_kernel, in_kernel, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
}

// The memory is there: from here on the group may be left at any time. False: it is not to be run.
bool zc_worker_enter_kernel(struct zc_worker *worker)
{
    if (worker->watch == NULL)
        return true;
    set_in_kernel(worker->watch, true);
    return !atomic_load(worker->watch->cancelled);
}

void zc_worker_leave_kernel(struct zc_worker *worker)
{
    if (worker->watch != NULL)
        set_in_kernel(worker->watch, false);
}

static struct chunk *add_chunk(struct zc_worker *worker, size_t needed)
{
    const size_t least = needed + ALIGNMENT;
    const size_t size = (least + CHUNK_SIZE - 1) / CHUNK_SIZE * CHUNK_SIZE;
    struct chunk *chunk = zc_map_memory(size);
    if (chunk == NULL)
        return NULL;
    *chunk = (struct chunk){.size = size, .used = ALIGNMENT};
    if (worker->current == NULL) {
        worker->chunks = chunk;
    } else {
        chunk->next = worker->current->next;
        worker->current->next = chunk;
    }
    return chunk;
}

// The kernel asks for it. NULL: there is no memory, or the group is not to go on.
static struct chunk *add_frames(struct zc_worker *worker, size_t needed)
{
    zc_worker_leave_kernel(worker);
    struct chunk *chunk = add_chunk(worker, needed);
    return zc_worker_enter_kernel(worker) ? chunk : NULL;
}

static void forget_frames(struct zc_worker *worker)
{
    for (struct chunk *chunk = worker->chunks; chunk != NULL; chunk = chunk->next)
        chunk->used = ALIGNMENT;
    worker->current = worker->chunks;
}

static bool has_room(const struct chunk *chunk, size_t size)
{
    return chunk != NULL && size <= chunk->size - chunk->used;
}

void *zc_frame_allocate(const struct zc_context *context, uint64_t size)
{
    struct zc_worker *worker = (struct zc_worker *)(uintptr_t)context->worker;
    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    while (!has_room(worker->current, size)) {
        struct chunk *next = worker->current != NULL ? worker->current->next : NULL;
        if (!has_room(next, size))
            next = add_frames(worker, size);
        if (next == NULL)
            return NULL;
        worker->current = next;
    }
    void *frame = (char *)worker->current + worker->current->used;
    worker->current->used += size;
    return frame;
}

static bool is_alive(const struct frame *frame)
{
    return frame->resume != NULL;
}

static void compare_stop(struct team *team, uint64_t item, const struct zc_barrier_site *site)
{
    const struct zc_stop stop = {item, site};
    if (!team->has_stopped)
        team->stop = stop;
    else if (!team->differs && site != team->stop.site)
        team->other = stop;
    team->differs |= site != team->stop.site;
    team->has_stopped = true;
}

// Where it waits for its sub-group; 0: it does not.
static zc_word note_stop(struct team *team, uint64_t item)
{
    const bool alive = is_alive(team->frames[item]);
    if (alive && team->waits_for & ZC_WAITS_FOR_SUB_GROUP)
        return team->waits_for;
    if (alive)
        team->orders |= team->waits_for;
    if (team->finds_divergence)
        compare_stop(team, item, alive ? team->waits_at : NULL);
    return 0;
}

static uint64_t end_of_sub_group(const struct team *team, uint64_t first)
{
    const uint64_t end = first + team->sub_group_size;
    return end < team->size ? end : team->size;
}

// Those that wait at the same place as the one that is most behind (wait_order.c), a bit for each.
static uint64_t choose_active(const zc_word *places, uint64_t count)
{
    zc_word first = ~(zc_word)0;
    uint64_t active = 0;
    for (uint64_t i = 0; i < count; i++) {
        const zc_word place = places[i] >> ZC_WAIT_PLACE_SHIFT;
        if (places[i] == 0 || place > first)
            continue;
        active = place == first ? active : 0;
        active |= UINT64_C(1) << i;
        first = place;
    }
    return active;
}

// Resumes the sub-group's work-items that wait for it, until none does.
static void run_sub_group(struct team *team, uint64_t first, zc_word *places)
{
    const uint64_t count = end_of_sub_group(team, first) - first;
    uint64_t active;
    while ((active = choose_active(places, count)) != 0) {
        *team->active = active;
        const zc_word wait = places[__builtin_ctzll(active)]; // that of all who are active
        if (!(wait & ZC_WAIT_ORDERS_NOTHING))
            zc_races_end_round(&team->worker->races);
        for (uint64_t i = 0; i < count; i++) {
            if (!(active >> i & 1))
                continue;
            struct frame *frame = team->frames[first + i];
            *team->item = first + i;
            frame->resume(frame);
            places[i] = note_stop(team, first + i);
        }
    }
}

typedef void loop_entry(
    const struct zc_context *context, const void *blob, void *local_memory, void *items);
typedef struct frame *coroutine_entry(
    const struct zc_context *context, const void *blob, void *local_memory);

// Starts a sub-group's work-items and runs them to the first work-group barrier.
static bool start_sub_group(struct zc_worker *worker, struct team *team, uint64_t first,
    coroutine_entry *entry, const void *blob)
{
    zc_word places[ZC_MAX_SUB_GROUP_SIZE];
    zc_races_begin_sub_group(&team->worker->races);
    for (uint64_t i = first; i < end_of_sub_group(team, first); i++) {
        zc_worker_local_id(worker, i, worker->context.local_id);
        *team->item = i;
        team->frames[i] = entry(&worker->context, blob, team->local_memory);
        if (team->frames[i] == NULL)
            return false;
        places[i - first] = note_stop(team, i);
    }
    run_sub_group(team, first, places);
    return true;
}

// Takes a sub-group from one work-group barrier to the next; is anyone left?
static bool resume_sub_group(struct team *team, uint64_t first)
{
    zc_word places[ZC_MAX_SUB_GROUP_SIZE];
    bool any = false;
    zc_races_begin_sub_group(&team->worker->races);
    for (uint64_t i = first; i < end_of_sub_group(team, first); i++) {
        struct frame *frame = team->frames[i];
        places[i - first] = 0;
        if (!is_alive(frame))
            continue;
        any = true;
        *team->item = i;
        frame->resume(frame);
        places[i - first] = note_stop(team, i);
    }
    run_sub_group(team, first, places);
    return any;
}

// All have ended or wait for the group.
static void check_team(struct zc_worker *worker, struct team *team)
{
    if (team->differs)
        zc_report_barrier(worker, team->stop, team->other);
    if (team->finds_divergence)
        zc_checked_end_copy(worker, team->stop.site);
    zc_races_end_epoch(worker, team->orders);
    team->orders = 0;
    team->has_stopped = false;
}

static bool run_team(
    struct zc_worker *worker, struct team *team, coroutine_entry *entry, const void *blob)
{
    for (uint64_t first = 0; first < team->size; first += team->sub_group_size) {
        if (!start_sub_group(worker, team, first, entry, blob))
            return false;
    }
    bool alive;
    do {
        check_team(worker, team);
        alive = false;
        for (uint64_t first = 0; first < team->size; first += team->sub_group_size)
            alive |= resume_sub_group(team, first);
    } while (alive);
    return true;
}

static bool run_coroutines(
    struct zc_worker *worker, const struct zc_kernel_code *code, const void *blob)
{
    struct zc_context *context = &worker->context;
    const zc_word *local = context->local_size;
    struct team team = {.item = &worker->item,
        .size = local[0] * local[1] * local[2],
        .sub_group_size = code->public.sub_group_size,
        .local_memory = zc_worker_local_memory(worker),
        .finds_divergence = worker->checking.finds_divergence,
        .worker = worker};
    zc_worker_leave_kernel(worker); // for as long as memory changes
    if (!zc_block_reserve(&worker->handles, team.size * sizeof(*team.frames)) ||
        !zc_exchange_reserve(worker, team.size))
        return false;
    team.frames = worker->handles.memory;
    team.active = zc_exchange_active(worker);
    context->waits_for = (uintptr_t)&team.waits_for;
    forget_frames(worker);
    coroutine_entry *entry = __extension__(coroutine_entry *) code->entry;
    return zc_worker_enter_kernel(worker) && run_team(worker, &team, entry, blob);
}

static void copy_sizes(zc_word to[3], const uint64_t from[3])
{
    memcpy(to, from, 3 * sizeof(zc_word));
}

static struct zc_context describe(
    struct zc_worker *worker, const struct zc_kernel *kernel, const struct zc_group *group)
{
    struct zc_context context = {.local_id = {ZC_UNKNOWN_ID, ZC_UNKNOWN_ID, ZC_UNKNOWN_ID},
        .dimensions = group->dimensions,
        .sub_group_size = kernel->sub_group_size,
        .worker = (uintptr_t)worker};
    copy_sizes(context.local_size, group->local_size);
    copy_sizes(context.group_id, group->group_id);
    copy_sizes(context.group_count, group->group_count);
    copy_sizes(context.global_offset, group->global_offset);
    return context;
}

static void go_to_next_group(struct zc_context *context)
{
    for (int d = 0; d < 3; d++) {
        if (++context->group_id[d] < context->group_count[d])
            return;
        context->group_id[d] = 0;
    }
}

static bool run_one(struct zc_worker *worker, const struct zc_kernel_code *code, const void *blob)
{
    struct zc_context *context = &worker->context;
    if (code->public.runs_coroutines)
        return run_coroutines(worker, code, blob);
    (__extension__(loop_entry *) code->entry)(
        context, blob, zc_worker_local_memory(worker), worker->items.memory);
    return true;
}

// The loops of a kernel with barriers keep a group's values in arrays of whole chunks.
static bool reserve_items(struct zc_worker *worker, const struct zc_kernel *kernel)
{
    if (!kernel->has_barrier || kernel->runs_coroutines)
        return true;
    const zc_word *size = worker->context.local_size;
    const size_t items = (size[0] * size[1] * size[2] + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!zc_block_reserve(&worker->items, items * kernel->private_size) ||
        !zc_exchange_reserve(worker, items))
        return false;
    *zc_exchange_active(worker) = ~UINT64_C(0);
    return true;
}

bool zc_run_groups(struct zc_worker *worker, const struct zc_kernel *kernel,
    const struct zc_group *group, uint64_t count, const void *blob)
{
    const struct zc_kernel_code *code = (const struct zc_kernel_code *)kernel;
    if (code->entry == NULL ||
        !zc_local_memory_reserve(&worker->local_memory, group->local_memory_size))
        return false;
    worker->context = describe(worker, kernel, group);
    worker->item = ZC_UNKNOWN_ID;
    worker->stack = (uintptr_t)__builtin_frame_address(0);
    const bool checks_uninitialized =
        group->checker != NULL && group->checker->checks & ZC_CHECK_UNINITIALIZED;
    worker->checking.finds_divergence =
        group->checker != NULL && group->checker->checks & ZC_CHECK_DIVERGENCE;
    worker->local_memory_size = group->local_memory_size;
    if (!reserve_items(worker, kernel) || !zc_races_begin(worker, group->checker) ||
        (group->checker != NULL && !zc_checked_begin(worker, kernel, group)))
        return false;
    if (kernel->uses_assert)
        zc_assert_listen(group->listener);
    worker->watch = group->watch;
    bool ok = zc_worker_enter_kernel(worker);
    for (uint64_t i = 0; ok && i < count; i++) {
        if (checks_uninitialized)
            zc_unwritten_begin_group(worker);
        zc_races_begin_group(worker);
        ok = run_one(worker, code, blob);
        go_to_next_group(&worker->context);
    }
    zc_worker_leave_kernel(worker);
    if (checks_uninitialized)
        zc_unwritten_end(worker);
    return ok;
}

// A loop that writes its ids down has written over the first one.
static void set_local_id_of(const struct zc_worker *worker, struct zc_place *place)
{
    memcpy(place->local_id, worker->context.local_id, sizeof place->local_id);
    if (worker->item != ZC_UNKNOWN_ID)
        zc_worker_local_id(worker, worker->item, place->local_id);
    place->has_local_id = place->local_id[0] != ZC_UNKNOWN_ID;
}

void zc_worker_locate(const struct zc_worker *worker, const struct zc_kernel *kernel,
    const uintptr_t *code, size_t count, struct zc_place *place)
{
    const struct zc_kernel_code *running = (const struct zc_kernel_code *)kernel;
    *place = (struct zc_place){.line = 0};
    memcpy(place->group_id, worker->context.group_id, sizeof place->group_id);
    set_local_id_of(worker, place);
    zc_lines_find(running, code, count, place);
}
