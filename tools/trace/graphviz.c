// SPDX-License-Identifier: MIT

#include "graphviz.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/text.h"
#include "child/child.h"
#include "child/scratch.h"

// Names in a folder of our own.
struct files {
    mez_scratch scratch;
    char *graph, *drawing, *log;
};

static void finish_files(struct files *files)
{
    mez_free_memory(files->log);
    mez_free_memory(files->drawing);
    mez_free_memory(files->graph);
    mez_scratch_finish(&files->scratch);
}

static mez_error init_files(struct files *files)
{
    *files = (struct files){0};
    MEZ_TRY(mez_scratch_init(&files->scratch));
    files->graph = mez_print_string("%s/graph.dot", files->scratch.path);
    files->drawing = mez_print_string("%s/graph.svg", files->scratch.path);
    files->log = mez_print_string("%s/log", files->scratch.path);
    if (files->graph && files->drawing && files->log)
        return mez_ok();
    finish_files(files);
    return mez_error_no_memory("a drawing");
}

// `arguments` end with NULL.
static mez_error run_dot(const char *const *arguments, const char *output)
{
    mez_stop stop = MEZ_STOP_INIT;
    mez_words command = {0};
    mez_error error = mez_words_add(&command, "dot");
    for (size_t i = 0; !mez_failed(error) && arguments[i]; i++)
        error = mez_words_add(&command, arguments[i]);
    if (!mez_failed(error))
        error = mez_child_run(&(mez_child){.command = &command, .output = output, .stop = &stop});
    mez_words_finish(&command);
    return error;
}

// --- Is it there?

// What it prints, and perhaps how it ended, needs a file in a folder of ours.
mez_error trace_graphviz_check(const char *name)
{
    struct files files;
    MEZ_TRY(init_files(&files));
    mez_error error = run_dot((const char *const[]){"-V", NULL}, files.log);
    finish_files(&files);
    if (!mez_failed(error))
        return error;
    error = mez_error_add(error, "picture", "%s, which Graphviz's program dot draws", name);
    return mez_error_add(
        error, "advice", "install the package graphviz, or ask for a file that ends in .dot");
}

// --- Drawing

static mez_error write_drawing(const char *path, FILE *file, const char *name)
{
    mez_file drawing;
    MEZ_TRY(mez_file_read(path, &drawing));
    const bool written = fwrite(drawing.bytes, 1, drawing.size, file) == drawing.size;
    mez_file_finish(&drawing);
    return written ? mez_ok() : mez_file_error(name);
}

static mez_error add_log(mez_error error, const char *path)
{
    enum { MOST = 2000 };
    mez_file log;
    if (mez_failed(mez_file_read(path, &log)))
        return error;
    if (log.size > 0)
        error = mez_error_add(
            error, "dot says", "%.*s", (int)(log.size < MOST ? log.size : MOST), (char *)log.bytes);
    mez_file_finish(&log);
    return error;
}

static mez_error draw(
    const struct files *files, const char *graph, size_t size, FILE *file, const char *name)
{
    MEZ_TRY(mez_file_write(files->graph, graph, size));
    const mez_error error = run_dot(
        (const char *const[]){"-Tsvg", "-o", files->drawing, files->graph, NULL}, files->log);
    if (mez_failed(error))
        return add_log(mez_error_add(error, "picture", "%s", name), files->log);
    return write_drawing(files->drawing, file, name);
}

mez_error trace_graphviz_draw(const char *graph, size_t size, FILE *file, const char *name)
{
    struct files files;
    MEZ_TRY(init_files(&files));
    const mez_error error = draw(&files, graph, size, file, name);
    finish_files(&files);
    return error;
}
