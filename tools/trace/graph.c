// SPDX-License-Identifier: MIT
//
// The graph of tasks, as DOT or drawn by Graphviz: a box for each command with the line that submitted it, an arrow to each that
// had to wait for it. Only the first commands are drawn: nobody reads a picture of more, and layouts would take for ever.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "graphviz.h"
#include "picture.h"

enum { MOST_NODES = 500, MOST_EDGES = 2000 };

struct graph {
    struct trace_picture picture;
    FILE *file;
    char *name;
    // What DOT goes to: the file, or where that gets a drawing a stream in memory.
    FILE *dot;
    char *text;
    size_t size;
    uint64_t serials[MOST_NODES]; // of those that are drawn, in ascending order
    uint64_t nodes, edges;
    uint64_t nodes_left_out, edges_left_out;
};

static int compare(const void *key, const void *element)
{
    const uint64_t one = *(const uint64_t *)key, other = *(const uint64_t *)element;
    return (one > other) - (one < other);
}

static bool is_drawn(const struct graph *graph, const struct trace_node *node)
{
    return bsearch(&node->serial, graph->serials, graph->nodes, sizeof *graph->serials, compare);
}

// --- Nodes and edges

static const struct {
    const char *kind, *colour;
} colours[] = {
    {"command_group_node", "#cfe8cf"},
    {"memory_transfer_node", "#d9d2f0"},
    {"memory_allocation_node", "#f8e3b5"},
    {"memory_deallocation_node", "#f1e9d2"},
};

static const char *colour_of(const char *kind)
{
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
        if (strcmp(colours[i].kind, kind) == 0)
            return colours[i].colour;
    return "#e4e4e4";
}

// In strings a quotation mark has a backslash before it, and in labels a backslash begins an escape: one of the name's own becomes
// two. Control characters have no picture, and what is not UTF-8 has none that Graphviz knows.
static void add_label(mez_text *label, const char *name)
{
    while (*name) {
        uint32_t point;
        const int length = mez_utf8_length((const unsigned char *)name);
        const bool is_shown = mez_shown_length((const unsigned char *)name, &point) > 0;
        if (*name == '\\' || *name == '"')
            mez_text_add(label, "\\%c", *name);
        else if (length > 0 && (unsigned char)*name < ' ')
            mez_text_add(label, " ");
        else if (!is_shown)
            mez_text_add(label, "?");
        else
            mez_text_add(label, "%.*s", length, name);
        name += length ? length : 1;
    }
}

static const char *short_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

static void describe(mez_text *label, const struct trace_event *event)
{
    add_label(label, event->name);
    if (*event->file) {
        mez_text_add(label, "\\n");
        add_label(label, short_name(event->file));
        mez_text_add(label, ":%" PRIu32, event->line);
    }
    if (event->node->bytes)
        mez_text_add(label, "\\n%" PRIu64 " bytes", event->node->bytes);
}

// Serial numbers go up, except for a node that is there.
static void draw_node(struct graph *graph, const struct trace_event *event)
{
    const uint64_t serial = event->node->serial;
    mez_text label = {0};
    if (graph->nodes > 0 && serial <= graph->serials[graph->nodes - 1])
        return;
    if (graph->nodes == MOST_NODES) {
        graph->nodes_left_out++;
        return;
    }
    graph->serials[graph->nodes++] = serial;
    describe(&label, event);
    fprintf(graph->dot, "\t%" PRIu64 " [fillcolor=\"%s\", label=\"%s\"];\n", serial,
        colour_of(event->node->kind), mez_text_get(&label));
    mez_text_finish(&label);
}

// The program did not choose the order of a queue, so it is drawn thinner, and not named.
static void draw_edge(struct graph *graph, const struct trace_event *event)
{
    if (!is_drawn(graph, event->before) || !is_drawn(graph, event->node))
        return;
    if (graph->edges == MOST_EDGES) {
        graph->edges_left_out++;
        return;
    }
    graph->edges++;
    fprintf(graph->dot, "\t%" PRIu64 " -> %" PRIu64 "%s;\n", event->before->serial,
        event->node->serial, strcmp(event->name, "Order") == 0 ? " [style=dashed]" : "");
}

// What did not get to its end is framed.
static void draw_cut(const struct graph *graph, const struct trace_event *event)
{
    if (is_drawn(graph, event->node))
        fprintf(graph->dot, "\t%" PRIu64 " [color=\"#c00000\"];\n", event->node->serial);
}

static void draw(struct trace_picture *picture, const struct trace_event *event)
{
    struct graph *graph = (struct graph *)picture;
    if (event->kind == TRACE_NODE)
        draw_node(graph, event);
    else if (event->kind == TRACE_EDGE)
        draw_edge(graph, event);
    else if (event->kind == TRACE_EXECUTION && (event->cut || event->failed))
        draw_cut(graph, event);
}

// --- Begin and end

static void add_count(mez_text *label, uint64_t count, const char *what)
{
    if (count)
        mez_text_add(label, "\\n%" PRIu64 " %s", count, what);
}

static void caption(struct graph *graph, const struct trace_ending *ending)
{
    struct trace_loss losses[TRACE_MOST_LOSSES];
    const size_t count = trace_losses(ending, losses);
    mez_text label = {0};
    add_label(&label, ending->what);
    add_count(&label, graph->nodes_left_out, "more tasks are not drawn");
    add_count(&label, graph->edges_left_out, "more arrows are not drawn");
    for (size_t i = 0; i < count; i++)
        add_count(&label, losses[i].count, losses[i].what);
    fprintf(graph->dot, "\tlabel=\"%s\";\n}\n", mez_text_get(&label));
    mez_text_finish(&label);
}

// What has been written there is complete and known after this.
static mez_error close_memory(struct graph *graph)
{
    const bool had_failed = ferror(graph->dot);
    const bool closed = fclose(graph->dot) == 0;
    graph->dot = NULL;
    return closed && !had_failed ? mez_ok() : mez_error_no_memory(graph->name);
}

static mez_error finish(struct trace_picture *picture, const struct trace_ending *ending)
{
    struct graph *graph = (struct graph *)picture;
    caption(graph, ending);
    if (graph->dot != graph->file) {
        MEZ_TRY(close_memory(graph));
        MEZ_TRY(trace_graphviz_draw(graph->text, graph->size, graph->file, graph->name));
    }
    return trace_picture_flush(graph->file, graph->name);
}

static void destroy(struct trace_picture *picture)
{
    struct graph *graph = (struct graph *)picture;
    if (graph->dot && graph->dot != graph->file)
        fclose(graph->dot);
    free(graph->text);
    mez_free_memory(graph->name);
    mez_free_memory(graph);
}

static void begin(const struct graph *graph)
{
    fputs("digraph tasks {\n"
          "\tgraph [fontname=Helvetica, rankdir=TB];\n"
          "\tnode [color=\"#606060\", fontname=Helvetica, shape=box, style=\"filled,rounded\"];\n",
        graph->dot);
}

static bool make(struct graph *graph, FILE *file, const char *name, bool drawn)
{
    graph->file = file;
    graph->name = mez_copy_string(name);
    graph->dot = drawn ? open_memstream(&graph->text, &graph->size) : file;
    return graph->name && graph->dot;
}

mez_error trace_graph_create(
    FILE *file, const char *name, bool drawn, struct trace_picture **picture)
{
    struct graph *graph = mez_new(struct graph);
    *picture = NULL;
    if (!graph)
        return mez_error_no_memory(name);
    graph->picture = (struct trace_picture){.draw = draw, .finish = finish, .destroy = destroy};
    if (!make(graph, file, name, drawn)) {
        destroy(&graph->picture);
        return mez_error_no_memory(name);
    }
    begin(graph);
    *picture = &graph->picture;
    return mez_ok();
}
