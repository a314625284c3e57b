// SPDX-License-Identifier: MIT
//
// Commands and allocations as nodes of the graph that tools draw.

#include "trace/graph.h"

#include <stdio.h>

#include <mezzanine/xpti.h>

#include "base/alloc.h"
#include "base/lock.h"
#include "trace/xpti.h"

// --- Commands

static void add_place(const mez_trace_node *node, const char *name, const mez_location *where)
{
    if (!mez_trace_node_wants(node, MEZ_XPTI_DETAIL_VERBOSE))
        return;
    mez_trace_add_boolean(node->event, "from_source", where && where->file);
    mez_trace_add_text(node->event, "sym_function_name", name);
    mez_trace_add_text(node->event, "sym_caller_name", mez_trace_function(where));
    mez_trace_add_text(node->event, "sym_source_file_name", mez_trace_file(where));
    mez_trace_add_signed(node->event, "sym_line_no", where ? where->line : 0);
    mez_trace_add_signed(node->event, "sym_column_no", where ? where->column : 0);
}

bool mez_trace_nodes_wanted(void)
{
    return mez_trace_wanted(mez_trace_tasks_stream(), 0) || mez_trace_wanted(MEZ_TRACE_DEVICE, 0);
}

mez_trace_node *mez_trace_node_create(
    const char *name, const mez_location *where, uint64_t queue_id)
{
    mez_trace_node *node = mez_new(mez_trace_node);
    if (!node)
        return NULL;
    mez_ref_init(&node->ref);
    node->event = mez_trace_make_event(name, where, &node->instance);
    if (!node->event) {
        mez_free_memory(node);
        return NULL;
    }
    node->stream = mez_trace_tasks_stream();
    node->detail = mez_trace_detail(node->stream);
    node->queue_id = queue_id;
    add_place(node, name, where);
    return node;
}

void mez_trace_node_ref(mez_trace_node *node)
{
    if (node)
        mez_ref_get(&node->ref);
}

void mez_trace_node_unref(mez_trace_node *node)
{
    if (!node || !mez_ref_put(&node->ref))
        return;
    xptiReleaseEvent(node->event);
    mez_free_memory(node);
}

void mez_trace_node_drop(mez_trace_node **node)
{
    mez_trace_node_unref(*node);
    *node = NULL;
}

static void notify_of_node(const mez_trace_node *node, uint16_t point, const void *user_data)
{
    mez_trace_notify(node->stream, point, node->event, node->instance, user_data);
}

void mez_trace_node_notify(const mez_trace_node *node, const char *kind)
{
    if (!node)
        return;
    if (node->queue_id)
        xptiStashTuple("queue_id", node->queue_id);
    notify_of_node(node, MEZ_XPTI_NODE_CREATE, kind);
}

void mez_trace_edge(const mez_trace_node *from, const mez_trace_node *to, const void *event)
{
    char name[40];
    uint64_t instance;
    if (!from || !to || !mez_trace_wanted(to->stream, MEZ_XPTI_EDGE_CREATE))
        return;
    snprintf(name, sizeof name, event ? "Event[%p]" : "Order", event);
    mez_xpti_event *edge = mez_trace_make_event(name, NULL, &instance);
    if (!edge)
        return;
    edge->source_id = from->event->unique_id;
    edge->target_id = to->event->unique_id;
    edge->flags |= MEZ_XPTI_EVENT_HAS_SOURCE | MEZ_XPTI_EVENT_HAS_TARGET;
    if (event && mez_trace_node_wants(to, MEZ_XPTI_DETAIL_NORMAL))
        mez_trace_add_unsigned(edge, "event", (uintptr_t)event);
    mez_trace_notify(to->stream, MEZ_XPTI_EDGE_CREATE, edge, instance, NULL);
    xptiReleaseEvent(edge);
}

void mez_trace_node_begin(mez_trace_node *node)
{
    if (!node)
        return;
    node->submitted = mez_time_now();
    node->outer = mez_trace_scope_enter(node->event->unique_id);
    notify_of_node(node, MEZ_XPTI_TASK_BEGIN, NULL);
}

void mez_trace_node_end(mez_trace_node *node)
{
    if (!node)
        return;
    notify_of_node(node, MEZ_XPTI_TASK_END, NULL);
    mez_trace_scope_leave(node->outer);
}

void mez_trace_node_signal(const mez_trace_node *node, const void *native)
{
    if (node && native)
        notify_of_node(node, MEZ_XPTI_SIGNAL, native);
}

void mez_trace_node_ran(const mez_trace_node *node, const mez_trace_execution *execution)
{
    if (!node)
        return;
    mez_trace_notify(MEZ_TRACE_DEVICE, MEZ_XPTI_TASK_BEGIN, node->event, node->instance, execution);
    mez_trace_notify(MEZ_TRACE_DEVICE, MEZ_XPTI_TASK_END, node->event, node->instance, execution);
}

// --- Allocations that have not been freed, found by address

#define FIRST_CAPACITY 64 // a power of two, as all are

// Open addressing. The lock guards all three.
static mez_lock lock;
static mez_trace_live *table;
static size_t capacity, count;

static size_t home(const void *pointer, size_t places)
{
    return (size_t)(((uintptr_t)pointer >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (places - 1);
}

// The place of the pointer, or the empty one where it would stand. There is an empty one.
static mez_trace_live *place_of(mez_trace_live *places, size_t size, const void *pointer)
{
    size_t i = home(pointer, size);
    while (places[i].pointer && places[i].pointer != pointer)
        i = (i + 1) & (size - 1);
    return &places[i];
}

// Keeps a quarter of the places empty.
static bool make_room(void)
{
    if (count + 1 <= capacity / 4 * 3)
        return true;
    const size_t larger = capacity ? capacity * 2 : FIRST_CAPACITY;
    mez_trace_live *places = mez_alloc_array(larger, sizeof *places);
    if (!places)
        return false;
    for (size_t i = 0; i < capacity; i++)
        if (table[i].pointer)
            *place_of(places, larger, table[i].pointer) = table[i];
    mez_free_memory(table);
    table = places;
    capacity = larger;
    return true;
}

// Takes over the node's reference. Without memory it is given up: the release will have no edge.
static void add_allocation(const mez_trace_live *live)
{
    mez_trace_node *old = live->node;
    mez_lock_take(&lock);
    if (make_room()) {
        mez_trace_live *place = place_of(table, capacity, live->pointer);
        count += !place->pointer;
        old = place->node;
        *place = *live;
    }
    mez_lock_release(&lock);
    mez_trace_node_unref(old);
}

// What stood behind the gap and could not stand at home moves up, so that it is found.
static void close_gap(size_t gap)
{
    for (size_t i = (gap + 1) & (capacity - 1); table[i].pointer; i = (i + 1) & (capacity - 1)) {
        const size_t wanted = home(table[i].pointer, capacity);
        if (((i - wanted) & (capacity - 1)) < ((i - gap) & (capacity - 1)))
            continue;
        table[gap] = table[i];
        gap = i;
    }
    table[gap] = (mez_trace_live){.pointer = NULL};
}

static void empty_table(void)
{
    mez_free_memory(table);
    table = NULL;
    capacity = 0;
}

// Takes it out, and hands the node's reference over. All zero where nothing is known.
static mez_trace_live take_allocation(const void *pointer)
{
    mez_trace_live found = {.pointer = NULL};
    mez_lock_take(&lock);
    mez_trace_live *place = count > 0 ? place_of(table, capacity, pointer) : NULL;
    if (place && place->pointer) {
        found = *place;
        close_gap((size_t)(place - table));
        if (--count == 0)
            empty_table();
    }
    mez_lock_release(&lock);
    return found;
}

// --- Trace points of allocations

// As SYCL runtimes call the parent of these: here it is the graph.
static void notify_of_memory(uint16_t point, const void *pointer, size_t size)
{
    const mez_xpti_mem_alloc data = {.pointer = (uintptr_t)pointer, .size = size};
    mez_trace_notify(MEZ_TRACE_MEMORY, point, NULL, xptiGetUniversalId(), &data);
}

void mez_trace_alloc_begin(const mez_trace_allocation *allocation)
{
    notify_of_memory(MEZ_XPTI_MEM_ALLOC_BEGIN, NULL, allocation->size);
}

static void describe(
    const mez_trace_node *node, const mez_trace_allocation *allocation, const void *pointer)
{
    mez_xpti_event *event = node->event;
    mez_trace_add_unsigned(event, "memory_object", (uintptr_t)pointer);
    if (!mez_trace_node_wants(node, MEZ_XPTI_DETAIL_NORMAL))
        return;
    if (allocation->device_name)
        mez_trace_add_text(event, "sycl_device_name", allocation->device_name);
    mez_trace_add_text(event, "allocation_type", allocation->kind);
    mez_trace_add_unsigned(event, "memory_ptr", (uintptr_t)pointer);
    mez_trace_add_unsigned(event, "memory_size", allocation->size);
    if (allocation->name)
        mez_trace_add_text(event, "debug_name", allocation->name);
}

static mez_trace_node *notify_allocation(
    const mez_trace_allocation *allocation, const void *pointer)
{
    char name[64];
    snprintf(name, sizeof name, "Allocate[%p]", pointer);
    mez_trace_node *node = mez_trace_node_create(name, allocation->where, 0);
    if (!node)
        return NULL;
    describe(node, allocation, pointer);
    mez_trace_node_notify(node, "memory_allocation_node");
    return node;
}

void mez_trace_alloc_end(const mez_trace_allocation *allocation, const void *pointer)
{
    notify_of_memory(MEZ_XPTI_MEM_ALLOC_END, pointer, allocation->size);
    if (!pointer || !mez_trace_wanted(mez_trace_tasks_stream(), 0))
        return;
    const mez_trace_live live = {.pointer = pointer,
        .size = allocation->size,
        .node = notify_allocation(allocation, pointer)};
    add_allocation(&live);
}

mez_trace_live mez_trace_free_begin(const void *pointer)
{
    const mez_trace_live live = take_allocation(pointer);
    notify_of_memory(MEZ_XPTI_MEM_RELEASE_BEGIN, pointer, live.size);
    return live;
}

static void notify_release(
    const mez_trace_live *live, const mez_location *where, const void *pointer)
{
    char name[64];
    snprintf(name, sizeof name, "Release[%p]", pointer);
    mez_trace_node *node = mez_trace_node_create(name, where, 0);
    if (!node)
        return;
    mez_trace_add_unsigned(node->event, "memory_object", (uintptr_t)pointer);
    if (mez_trace_node_wants(node, MEZ_XPTI_DETAIL_NORMAL)) {
        mez_trace_add_unsigned(node->event, "memory_ptr", (uintptr_t)pointer);
        mez_trace_add_unsigned(node->event, "memory_size", live->size);
    }
    mez_trace_node_notify(node, "memory_deallocation_node");
    mez_trace_edge(live->node, node, pointer);
    mez_trace_node_unref(node);
}

void mez_trace_free_end(
    mez_trace_live live, const mez_location *where, const void *pointer, bool freed)
{
    notify_of_memory(MEZ_XPTI_MEM_RELEASE_END, pointer, live.size);
    if (freed) {
        if (mez_trace_wanted(mez_trace_tasks_stream(), MEZ_XPTI_NODE_CREATE))
            notify_release(&live, where, pointer);
        mez_trace_node_unref(live.node);
    } else if (live.pointer) {
        add_allocation(&live);
    }
}
