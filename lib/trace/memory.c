// SPDX-License-Identifier: MIT

#include "trace/memory.h"

#include <mezzanine/xpti.h>
#include <stdio.h>

#include "trace/allocations.h"
#include "trace/event.h"
#include "trace/streams.h"

// As SYCL runtimes call the parent of these: here it is the graph.
static void notify(uint16_t point, const void *pointer, size_t size)
{
    const mez_xpti_mem_alloc data = {.pointer = (uintptr_t)pointer, .size = size};
    mez_trace_notify(MEZ_TRACE_MEMORY, point, NULL, xptiGetUniversalId(), &data);
}

void mez_trace_alloc_begin(const mez_trace_allocation *allocation)
{
    notify(MEZ_XPTI_MEM_ALLOC_BEGIN, NULL, allocation->size);
}

static void describe(
    const mez_trace_node *node, const mez_trace_allocation *allocation, const void *pointer)
{
    mez_xpti_event *event = node->event;
    mez_trace_add_unsigned(event, "memory_object", (uintptr_t)pointer);
    if (!mez_trace_node_tells(node, MEZ_XPTI_DETAIL_NORMAL))
        return;
    if (allocation->device_name)
        mez_trace_add_text(event, "sycl_device_name", allocation->device_name);
    mez_trace_add_text(event, "allocation_type", allocation->kind);
    mez_trace_add_unsigned(event, "memory_ptr", (uintptr_t)pointer);
    mez_trace_add_unsigned(event, "memory_size", allocation->size);
    if (allocation->name)
        mez_trace_add_text(event, "debug_name", allocation->name);
}

static mez_trace_node *tell_allocation(const mez_trace_allocation *allocation, const void *pointer)
{
    char name[64];
    snprintf(name, sizeof name, "Allocate[%p]", pointer);
    mez_trace_node *node = mez_trace_node_create(name, allocation->where, 0);
    if (!node)
        return NULL;
    describe(node, allocation, pointer);
    mez_trace_node_tell(node, "memory_allocation_node");
    return node;
}

void mez_trace_alloc_end(const mez_trace_allocation *allocation, const void *pointer)
{
    notify(MEZ_XPTI_MEM_ALLOC_END, pointer, allocation->size);
    if (!pointer || !mez_trace_wanted(mez_trace_tasks_stream(), 0))
        return;
    const mez_trace_live live = {
        .pointer = pointer, .size = allocation->size, .node = tell_allocation(allocation, pointer)};
    mez_trace_allocations_add(&live);
}

mez_trace_live mez_trace_free_begin(const void *pointer)
{
    const mez_trace_live live = mez_trace_allocations_take(pointer);
    notify(MEZ_XPTI_MEM_RELEASE_BEGIN, pointer, live.size);
    return live;
}

static void tell_release(const mez_trace_live *live, const void *pointer)
{
    char name[64];
    snprintf(name, sizeof name, "Release[%p]", pointer);
    mez_trace_node *node = mez_trace_node_create(name, NULL, 0);
    if (!node)
        return;
    mez_trace_add_unsigned(node->event, "memory_object", (uintptr_t)pointer);
    if (mez_trace_node_tells(node, MEZ_XPTI_DETAIL_NORMAL)) {
        mez_trace_add_unsigned(node->event, "memory_ptr", (uintptr_t)pointer);
        mez_trace_add_unsigned(node->event, "memory_size", live->size);
    }
    mez_trace_node_tell(node, "memory_deallocation_node");
    mez_trace_edge(live->node, node, pointer);
    mez_trace_node_unref(node);
}

void mez_trace_free_end(mez_trace_live live, const void *pointer, bool freed)
{
    notify(MEZ_XPTI_MEM_RELEASE_END, pointer, live.size);
    if (freed) {
        if (mez_trace_wanted(mez_trace_tasks_stream(), MEZ_XPTI_NODE_CREATE))
            tell_release(&live, pointer);
        mez_trace_node_unref(live.node);
    } else if (live.pointer) {
        mez_trace_allocations_add(&live);
    }
}
