// SPDX-License-Identifier: MIT
//
// The trace as lines of text, one for each event, while the program runs.

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "picture.h"

struct text {
    struct trace_picture picture;
    FILE *file;
    char *name;
    unsigned depth[TRACE_RINGS];
};

static void print_name(FILE *file, const char *name)
{
    mez_print(file, "%s", name);
}

static void print_time(FILE *file, const struct trace_event *event)
{
    mez_print(file, "%6" PRIu64 ".%06u %8" PRIu32 "  ", event->time / 1000000000,
        (unsigned)(event->time % 1000000000 / 1000), event->thread->thread);
}

static void print_head(struct text *text, const struct trace_event *event, const char *sign)
{
    print_time(text->file, event);
    mez_print(
        text->file, "%*s%s%s", (int)(2 * text->depth[event->thread->ring]), "", sign, event->what);
    if (strcmp(event->what, event->name) == 0)
        return;
    fputc(' ', text->file);
    print_name(text->file, event->name);
}

static void print_place(FILE *file, const struct trace_event *event)
{
    if (!*event->file)
        return;
    fputs(" at ", file);
    print_name(file, event->file);
    mez_print(file, ":%" PRIu32, event->line);
}

static void print_number(FILE *file, const struct trace_event *event)
{
    if (event->number)
        mez_print(file, " %" PRIu64 " bytes", event->number);
}

static void print_arguments(FILE *file, const struct trace_event *event)
{
    char text[512];
    if (!event->argument_names)
        return;
    trace_print_arguments(event, text, sizeof text);
    fputs(" (", file);
    print_name(file, text);
    fputc(')', file);
}

static double microseconds(uint64_t from, uint64_t to)
{
    return to > from ? (double)(to - from) / 1e3 : 0;
}

static void print_outcome(FILE *file, const struct trace_event *event)
{
    mez_print(file, " %.3f us", microseconds(event->begin, event->time));
    if (event->result && *event->result)
        mez_print(file, ": %s", event->result);
    else if (event->failed)
        fputs(": failed", file);
    if (event->cut)
        fputs(", did not end", file);
}

static void draw_begin(struct text *text, const struct trace_event *event)
{
    print_head(text, event, "> ");
    print_arguments(text->file, event);
    print_place(text->file, event);
    print_number(text->file, event);
    fputc('\n', text->file);
    text->depth[event->thread->ring]++;
}

static void draw_end(struct text *text, const struct trace_event *event)
{
    unsigned *depth = &text->depth[event->thread->ring];
    *depth -= *depth > 0;
    print_head(text, event, "< ");
    print_outcome(text->file, event);
    fputc('\n', text->file);
}

static void print_sizes(FILE *file, const char *what, const uint64_t sizes[3])
{
    if (sizes[0])
        mez_print(
            file, ", %s %" PRIu64 " x %" PRIu64 " x %" PRIu64, what, sizes[0], sizes[1], sizes[2]);
}

static void print_launch(FILE *file, const struct trace_node *node)
{
    if (node->arguments)
        mez_print(file, " (%s)", node->arguments);
    print_sizes(file, "global", node->global_size);
    print_sizes(file, "local", node->local_size);
}

static void print_caller(FILE *file, const char *caller)
{
    if (*caller)
        fputs(" in ", file);
    print_name(file, caller);
}

static void draw_node(struct text *text, const struct trace_event *event)
{
    print_head(text, event, "");
    mez_print(text->file, " #%" PRIu64, event->node->serial);
    print_launch(text->file, event->node);
    print_place(text->file, event);
    print_caller(text->file, event->node->caller);
    print_number(text->file, event);
    fputc('\n', text->file);
}

static void draw_edge(struct text *text, const struct trace_event *event)
{
    print_time(text->file, event);
    mez_print(text->file, "%*s#%" PRIu64 " waits for #%" PRIu64 ": ",
        (int)(2 * text->depth[event->thread->ring]), "", event->node->serial,
        event->before->serial);
    print_name(text->file, event->name);
    fputc('\n', text->file);
}

static void draw_execution(struct text *text, const struct trace_event *event)
{
    print_time(text->file, event);
    mez_print(text->file, "device ran #%" PRIu64 " ", event->node->serial);
    print_name(text->file, event->name);
    print_outcome(text->file, event);
    fputs(event->measured ? "\n" : " since its submission\n", text->file);
}

static void draw_instant(struct text *text, const struct trace_event *event)
{
    print_head(text, event, "");
    if (event->kind == TRACE_LOST && event->number)
        mez_print(text->file, ": %" PRIu64, event->number);
    fputc('\n', text->file);
}

static void draw(struct trace_picture *picture, const struct trace_event *event)
{
    struct text *text = (struct text *)picture;
    switch (event->kind) {
    case TRACE_BEGIN:
        draw_begin(text, event);
        break;
    case TRACE_END:
        draw_end(text, event);
        break;
    case TRACE_NODE:
        draw_node(text, event);
        break;
    case TRACE_EDGE:
        draw_edge(text, event);
        break;
    case TRACE_EXECUTION:
        draw_execution(text, event);
        break;
    case TRACE_INSTANT:
    case TRACE_LOST:
    case TRACE_GONE:
        draw_instant(text, event);
        break;
    case TRACE_SUBMIT:
        break; // the task that it is part of is shown
    }
}

static mez_error finish(struct trace_picture *picture, const struct trace_ending *ending)
{
    struct text *text = (struct text *)picture;
    mez_print(text->file, "%6" PRIu64 ".%06u  %s\n", ending->time / 1000000000,
        (unsigned)(ending->time % 1000000000 / 1000), ending->what);
    trace_print_losses(text->file, ending);
    return trace_picture_flush(text->file, text->name);
}

static void destroy(struct trace_picture *picture)
{
    struct text *text = (struct text *)picture;
    mez_free_memory(text->name);
    mez_free_memory(text);
}

mez_error trace_text_create(FILE *file, const char *name, struct trace_picture **picture)
{
    struct text *text = mez_new(struct text);
    *picture = NULL;
    if (!text || !(text->name = mez_copy_string(name))) {
        mez_free_memory(text);
        return mez_error_no_memory(name);
    }
    text->picture = (struct trace_picture){.draw = draw, .finish = finish, .destroy = destroy};
    text->file = file;
    *picture = &text->picture;
    return mez_ok();
}
