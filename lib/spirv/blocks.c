// SPDX-License-Identifier: MIT
//
// Reverse postorder: from the entry, a block comes when all that it leads to has a place behind it.

#include "spirv/pieces.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "spirv/reader.h"

#define NO_BLOCK UINT32_MAX

static bool is_branch(uint16_t opcode)
{
    return opcode >= MEZ_OP_Branch && opcode <= MEZ_OP_Switch;
}

static void mark_targets(
    const struct mez_spirv_module *module, struct mez_spirv_instruction branch, uint8_t *seen)
{
    struct mez_spirv_id_iter iter = mez_spirv_ids(module, branch);
    struct mez_spirv_id id;
    while (mez_spirv_next_id(&iter, &id)) {
        const struct mez_spirv_def *def = mez_spirv_find_def(module, id.value);
        if (def)
            seen[def - module->defs] = 1;
    }
}

bool mez_spirv_blocks_are_ordered(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function, uint8_t *seen)
{
    bool is_first = true;
    mez_spirv_each_instruction(module, in, function->first, function->end)
    {
        if (is_branch(in.opcode))
            mark_targets(module, in, seen);
        if (in.opcode != MEZ_OP_Label)
            continue;
        if (!is_first && !seen[mez_spirv_find_def(module, in.words[1]) - module->defs])
            return false;
        is_first = false;
    }
    return true;
}

uint32_t mez_spirv_count_blocks(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function)
{
    uint32_t count = 0;
    mez_spirv_each_instruction(module, in, function->first, function->end) count +=
        in.opcode == MEZ_OP_Label;
    return count;
}

// The function, with its blocks in the order of the file.
struct graph {
    const struct mez_spirv_module *module;
    struct mez_spirv_block *blocks;
    uint32_t count;
    uint32_t *first_edge,
        *edges; // blocks that block i leads to: edges[first_edge[i]] up to edges[first_edge[i + 1]]
    uint32_t *next;   // edge that is followed next; NO_BLOCK: the block was not seen yet
    uint32_t *path;   // blocks from the entry to where the walk stands
    uint32_t *places; // blocks in their new order
};

static void find_blocks(struct graph *graph, const struct mez_spirv_function *function)
{
    mez_spirv_each_instruction(graph->module, in, function->first, function->end)
    {
        const bool ends = in.opcode == MEZ_OP_Label || in.opcode == MEZ_OP_FunctionEnd;
        if (ends && graph->count)
            graph->blocks[graph->count - 1].end = in.at;
        if (in.opcode == MEZ_OP_Label)
            graph->blocks[graph->count++].first = in.at;
    }
}

static int compare_blocks(const void *key, const void *item)
{
    const uint32_t word = *(const uint32_t *)key;
    const struct mez_spirv_block *block = item;
    return (word > block->first) - (word < block->first);
}

// The block that the id is the label of.
static uint32_t find_block(const struct graph *graph, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(graph->module, id);
    const struct mez_spirv_block *block =
        def ? bsearch(&def->word, graph->blocks, graph->count, sizeof *block, compare_blocks)
            : NULL;
    return block ? (uint32_t)(block - graph->blocks) : NO_BLOCK;
}

// Follows the edges of a block; `edges` NULL: only counts them.
static uint32_t follow_edges(const struct graph *graph, uint32_t block, uint32_t *edges)
{
    uint32_t count = 0;
    mez_spirv_each_instruction(
        graph->module, in, graph->blocks[block].first, graph->blocks[block].end)
    {
        if (!is_branch(in.opcode))
            continue;
        struct mez_spirv_id_iter iter = mez_spirv_ids(graph->module, in);
        struct mez_spirv_id id;
        while (mez_spirv_next_id(&iter, &id)) {
            const uint32_t target = find_block(graph, id.value);
            if (target == NO_BLOCK)
                continue;
            if (edges)
                edges[count] = target;
            count++;
        }
    }
    return count;
}

// The first in the file is followed last, and so comes first.
static int compare_backwards(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (right > left) - (right < left);
}

static bool find_edges(struct graph *graph)
{
    for (uint32_t i = 0; i < graph->count; i++)
        graph->first_edge[i + 1] = graph->first_edge[i] + follow_edges(graph, i, NULL);
    if (!mez_spirv_make_list(&graph->edges, graph->first_edge[graph->count], sizeof *graph->edges))
        return false;
    for (uint32_t i = 0; i < graph->count; i++) {
        uint32_t *edges = graph->edges + graph->first_edge[i];
        const uint32_t count = follow_edges(graph, i, edges);
        qsort(edges, count, sizeof *edges, compare_backwards);
    }
    return true;
}

// Gives each block that can be reached a place, from the last on; returns the first place that was given.
static uint32_t walk(struct graph *graph)
{
    uint32_t depth = 0, place = graph->count;
    for (uint32_t i = 0; i < graph->count; i++)
        graph->next[i] = NO_BLOCK;
    graph->path[depth++] = 0;
    graph->next[0] = graph->first_edge[0];
    while (depth) {
        const uint32_t block = graph->path[depth - 1];
        if (graph->next[block] == graph->first_edge[block + 1]) {
            graph->places[--place] = block;
            depth--;
            continue;
        }
        const uint32_t target = graph->edges[graph->next[block]++];
        if (graph->next[target] == NO_BLOCK) {
            graph->next[target] = graph->first_edge[target];
            graph->path[depth++] = target;
        }
    }
    return place;
}

// What nothing leads to stands at the end.
static void place_blocks(struct graph *graph, struct mez_spirv_block *blocks)
{
    uint32_t placed = 0;
    for (uint32_t place = walk(graph); place < graph->count; place++)
        blocks[placed++] = graph->blocks[graph->places[place]];
    for (uint32_t i = 0; i < graph->count; i++) {
        if (graph->next[i] == NO_BLOCK)
            blocks[placed++] = graph->blocks[i];
    }
}

static bool make_graph(struct graph *graph, uint32_t count)
{
    return mez_spirv_make_list(&graph->blocks, count, sizeof *graph->blocks) &&
           mez_spirv_make_list(&graph->first_edge, count + 1, sizeof *graph->first_edge) &&
           mez_spirv_make_list(&graph->next, count, sizeof *graph->next) &&
           mez_spirv_make_list(&graph->path, count, sizeof *graph->path) &&
           mez_spirv_make_list(&graph->places, count, sizeof *graph->places);
}

enum mez_spirv_status mez_spirv_order_blocks(const struct mez_spirv_module *module,
    const struct mez_spirv_function *function, struct mez_spirv_problem *problem,
    struct mez_spirv_block *blocks)
{
    struct graph graph = {.module = module};
    bool ok = make_graph(&graph, mez_spirv_count_blocks(module, function));
    if (ok) {
        find_blocks(&graph, function);
        ok = find_edges(&graph);
    }
    if (ok && graph.count)
        place_blocks(&graph, blocks);
    mez_free_memory(graph.blocks);
    mez_free_memory(graph.first_edge);
    mez_free_memory(graph.edges);
    mez_free_memory(graph.next);
    mez_free_memory(graph.path);
    mez_free_memory(graph.places);
    return ok ? MEZ_SPIRV_OK
              : mez_spirv_fail(problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory to order a function");
}
