// SPDX-License-Identifier: MIT

#include "trace/node.h"

#include <stdio.h>

#include "base/alloc.h"
#include "trace/xpti.h"

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

static void notify(const mez_trace_node *node, uint16_t point, const void *user_data)
{
    mez_trace_notify(node->stream, point, node->event, node->instance, user_data);
}

void mez_trace_node_notify(const mez_trace_node *node, const char *kind)
{
    if (!node)
        return;
    if (node->queue_id)
        xptiStashTuple("queue_id", node->queue_id);
    notify(node, MEZ_XPTI_NODE_CREATE, kind);
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
    notify(node, MEZ_XPTI_TASK_BEGIN, NULL);
}

void mez_trace_node_end(mez_trace_node *node)
{
    if (!node)
        return;
    notify(node, MEZ_XPTI_TASK_END, NULL);
    mez_trace_scope_leave(node->outer);
}

void mez_trace_node_signal(const mez_trace_node *node, const void *native)
{
    if (node && native)
        notify(node, MEZ_XPTI_SIGNAL, native);
}

void mez_trace_node_ran(const mez_trace_node *node, const mez_trace_execution *execution)
{
    if (!node)
        return;
    mez_trace_notify(MEZ_TRACE_DEVICE, MEZ_XPTI_TASK_BEGIN, node->event, node->instance, execution);
    mez_trace_notify(MEZ_TRACE_DEVICE, MEZ_XPTI_TASK_END, node->event, node->instance, execution);
}
