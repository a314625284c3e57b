// SPDX-License-Identifier: MIT
//
// The graph of tasks, as DOT or drawn by Graphviz: a box for each command with the line that submitted it, an arrow to each that had
// to wait for it. Only the first commands are drawn: nobody reads a picture of more, and layouts would take for ever.

#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "base/utf8.h"
#include "picture.h"

enum { MOST_NODES = 500, MOST_EDGES = 2000 };

struct graph {
    struct trace_picture picture;
    FILE *file;
    char *name;
    char *layout; // NULL: DOT
    Agraph_t *tasks;
    uint64_t nodes, edges;
    uint64_t nodes_left_out, edges_left_out;
};

// --- Graphviz takes strings that it may write to, by its types

static void set(void *object, char *attribute, const char *value)
{
    agsafeset(object, attribute, (char *)value, "");
}

static Agnode_t *find(const struct graph *graph, const struct trace_node *node)
{
    char id[32];
    snprintf(id, sizeof id, "%" PRIu64, node->serial);
    return agnode(graph->tasks, id, 0);
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

// In labels a backslash begins an escape: one of the name's own becomes two. Control characters have no picture, and what is no
// UTF-8 none that Graphviz knows.
static void add_label(mez_text *label, const char *name)
{
    while (*name) {
        const int length = mez_utf8_length((const unsigned char *)name);
        if (*name == '\\')
            mez_text_add(label, "\\\\");
        else if (length == 0)
            mez_text_add(label, "?");
        else if ((unsigned char)*name < ' ')
            mez_text_add(label, " ");
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

static void draw_node(struct graph *graph, const struct trace_event *event)
{
    if (graph->nodes == MOST_NODES) {
        graph->nodes_left_out++;
        return;
    }
    char id[32];
    mez_text label = {0};
    snprintf(id, sizeof id, "%" PRIu64, event->node->serial);
    Agnode_t *node = agnode(graph->tasks, id, 1);
    if (!node)
        return;
    graph->nodes++;
    describe(&label, event);
    set(node, "label", mez_text_get(&label));
    set(node, "fillcolor", colour_of(event->node->kind));
    mez_text_finish(&label);
}

// The order of a queue is no choice of the program's, so it is drawn thinner, and not named.
static void draw_edge(struct graph *graph, const struct trace_event *event)
{
    Agnode_t *from = find(graph, event->before);
    Agnode_t *to = find(graph, event->node);
    if (!from || !to)
        return;
    if (graph->edges == MOST_EDGES) {
        graph->edges_left_out++;
        return;
    }
    Agedge_t *edge = agedge(graph->tasks, from, to, NULL, 1);
    if (!edge)
        return;
    graph->edges++;
    const bool is_order = strcmp(event->name, "Order") == 0;
    set(edge, "style", is_order ? "dashed" : "");
}

// What did not get to its end is framed.
static void draw_cut(const struct graph *graph, const struct trace_event *event)
{
    Agnode_t *node = find(graph, event->node);
    if (node)
        set(node, "color", "#c00000");
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
    set(graph->tasks, "label", mez_text_get(&label));
    mez_text_finish(&label);
}

static bool render(const struct graph *graph)
{
    GVC_t *context = gvContext();
    if (!context)
        return false;
    bool good = gvLayout(context, graph->tasks, "dot") == 0;
    if (good) {
        good = gvRender(context, graph->tasks, graph->layout, graph->file) == 0;
        gvFreeLayout(context, graph->tasks);
    }
    gvFreeContext(context);
    return good;
}

static mez_error finish(struct trace_picture *picture, const struct trace_ending *ending)
{
    struct graph *graph = (struct graph *)picture;
    caption(graph, ending);
    const bool good = graph->layout ? render(graph) : agwrite(graph->tasks, graph->file) == 0;
    MEZ_TRY(trace_picture_flush(graph->file, graph->name));
    return good ? mez_ok()
                : mez_error_make(MEZ_ERRC_FILE, "%s: Graphviz can't draw the graph", graph->name);
}

static void destroy(struct trace_picture *picture)
{
    struct graph *graph = (struct graph *)picture;
    if (graph->tasks)
        agclose(graph->tasks);
    mez_free_memory(graph->layout);
    mez_free_memory(graph->name);
    mez_free_memory(graph);
}

static void set_looks(Agraph_t *tasks)
{
    agattr(tasks, AGRAPH, "rankdir", "TB");
    agattr(tasks, AGRAPH, "fontname", "Helvetica");
    agattr(tasks, AGNODE, "shape", "box");
    agattr(tasks, AGNODE, "style", "filled,rounded");
    agattr(tasks, AGNODE, "fontname", "Helvetica");
    agattr(tasks, AGNODE, "color", "#606060");
}

static bool make(struct graph *graph, const char *name, const char *layout)
{
    graph->name = mez_copy_string(name);
    graph->layout = mez_copy_string(layout);
    graph->tasks = agopen("tasks", Agdirected, NULL);
    return graph->name && (graph->layout || !layout) && graph->tasks;
}

mez_error trace_graph_create(
    FILE *file, const char *name, const char *layout, struct trace_picture **picture)
{
    struct graph *graph = mez_new(struct graph);
    *picture = NULL;
    if (!graph)
        return mez_error_no_memory(name);
    graph->picture = (struct trace_picture){.draw = draw, .finish = finish, .destroy = destroy};
    graph->file = file;
    if (!make(graph, name, layout)) {
        destroy(&graph->picture);
        return mez_error_no_memory(name);
    }
    set_looks(graph->tasks);
    *picture = &graph->picture;
    return mez_ok();
}
