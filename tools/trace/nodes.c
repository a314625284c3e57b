// SPDX-License-Identifier: MIT

#include "nodes.h"

#include <string.h>

#include "base/alloc.h"
#include "kernel_arguments.h"
#include "read_values.h"
#include "strings.h"

enum { SETS = 1 << 14, WAYS = 4 };

struct trace_nodes {
    uint64_t serial;
    struct trace_node nodes[SETS][WAYS];
    struct trace_kernel_arguments arguments; // of the node that is being read
    bool has_arguments;                      // any node
};

struct trace_nodes *trace_nodes_create(void)
{
    return mez_new(struct trace_nodes);
}

void trace_nodes_destroy(struct trace_nodes **nodes)
{
    const size_t count = *nodes && (*nodes)->has_arguments ? trace_nodes_count() : 0;
    for (size_t i = 0; i < count; i++)
        mez_free_memory(trace_nodes_at(*nodes, i)->arguments);
    mez_free_memory(*nodes);
    *nodes = NULL;
}

// Ids are addresses: their low bits are all the same.
static struct trace_node *set_of(struct trace_nodes *nodes, uint64_t id)
{
    const uint64_t mixed = id * UINT64_C(0x9e3779b97f4a7c15);
    return nodes->nodes[(mixed >> 32) % SETS];
}

struct trace_node *trace_nodes_find(struct trace_nodes *nodes, uint64_t id)
{
    struct trace_node *set = set_of(nodes, id);
    for (size_t i = 0; i < WAYS; i++)
        if (set[i].serial && set[i].id == id)
            return &set[i];
    return NULL;
}

struct trace_node *trace_nodes_of(struct trace_nodes *nodes, const struct trace_record *record)
{
    struct trace_node *node = record->object ? trace_nodes_find(nodes, record->object) : NULL;
    const bool same = node && node->place == record->name && node->file_place == record->file &&
                      node->line == record->line;
    return same ? node : NULL;
}

static struct trace_node *oldest(struct trace_node *set)
{
    struct trace_node *found = set;
    for (size_t i = 1; i < WAYS; i++)
        if (set[i].serial < found->serial)
            found = &set[i];
    return found;
}

// --- What its values say

static void take_launch(struct trace_node *node, const struct trace_read_value *value)
{
    if (value->size < 6 * sizeof(uint64_t))
        return;
    memcpy(node->global_size, value->bytes, sizeof node->global_size);
    memcpy(node->local_size, (const char *)value->bytes + sizeof node->global_size,
        sizeof node->local_size);
}

static void take(struct trace_node *node, const struct trace_read_value *value)
{
    if (strcmp(value->key, "kernel_name") == 0 && *value->text)
        node->name = value->text;
    else if (strcmp(value->key, "sycl_device_name") == 0)
        node->device = value->text;
    else if (strcmp(value->key, "memory_size") == 0)
        node->bytes = value->number;
    else if (strcmp(value->key, "enqueue_kernel_data") == 0)
        take_launch(node, value);
    else if (strcmp(value->key, "queue_id") == 0) {
        node->queue = value->number;
        node->has_queue = true;
    } else if (strcmp(value->key, "sym_caller_name") == 0)
        node->caller = value->text;
}

struct trace_node *trace_nodes_place(struct trace_nodes *nodes, uint64_t id)
{
    struct trace_node *node = trace_nodes_find(nodes, id);
    return node ? node : oldest(set_of(nodes, id));
}

void trace_nodes_put(struct trace_nodes *nodes, struct trace_node *node,
    const struct trace_memory *memory, const struct trace_record *record)
{
    mez_free_memory(node->arguments);
    *node = (struct trace_node){
        .id = record->object,
        .serial = ++nodes->serial,
        .place = record->name,
        .file_place = record->file,
        .name = trace_string_get(memory, record->name),
        .kind = trace_string_get(memory, record->text),
        .file = trace_file_get(memory, record->file),
        .device = "",
        .caller = "",
        .line = record->line,
    };
    struct trace_value_reader reader = trace_read_values(memory, record);
    struct trace_read_value value;
    nodes->arguments.has = 0;
    while (trace_read_value(&reader, &value))
        if (!trace_kernel_arguments_take(&nodes->arguments, &value))
            take(node, &value);
    if (!nodes->arguments.has)
        return;
    node->arguments = trace_kernel_arguments_print(&nodes->arguments);
    nodes->has_arguments = true;
}

size_t trace_nodes_count(void)
{
    return SETS * WAYS;
}

struct trace_node *trace_nodes_at(struct trace_nodes *nodes, size_t index)
{
    return &nodes->nodes[index / WAYS][index % WAYS];
}
