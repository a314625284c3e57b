// SPDX-License-Identifier: MIT

#include "session.h"

#include <string.h>

#include "base/alloc.h"
#include "base/log.h"
#include "follow.h"
#include "graphviz.h"
#include "output.h"

// So long a thread may be held up between taking the time and writing its record, without getting out of order.
#define SETTLING UINT64_C(2000000)

struct trace_session {
    const struct trace_memory *memory;
    uint64_t start;
    struct trace_drain *drain;
    struct trace_follow *follow;
    struct trace_picture *pictures[TRACE_MOST_PICTURES];
    FILE *files[TRACE_MOST_PICTURES];
    size_t count;
    pid_t own_process; // 0: the traced program has ended when the trace ends
};

enum trace_format trace_format_of(const char *path)
{
    static const char *const endings[TRACE_FORMATS] = {
        [TRACE_TIMELINE] = ".json",
        [TRACE_DOT] = ".dot",
        [TRACE_SVG] = ".svg",
        [TRACE_STATISTICS] = ".stats",
        [TRACE_TEXT] = ".txt",
    };
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < TRACE_FORMATS; i++)
        if (strcmp(dot, endings[i]) == 0)
            return (enum trace_format)i;
    return TRACE_FORMATS;
}

mez_error trace_session_create(const struct trace_memory *memory, struct trace_session **session)
{
    *session = mez_new(struct trace_session);
    if (!*session)
        return mez_error_no_memory("a trace");
    (*session)->memory = memory;
    (*session)->start = trace_now();
    const mez_error error = trace_drain_create(memory, &(*session)->drain);
    if (mez_failed(error))
        trace_session_destroy(session);
    return error;
}

void trace_session_destroy(struct trace_session **session)
{
    struct trace_session *old = *session;
    if (!old)
        return;
    trace_follow_destroy(&old->follow);
    trace_drain_destroy(&old->drain);
    for (size_t i = 0; i < old->count; i++) {
        old->pictures[i]->destroy(old->pictures[i]);
        if (old->files[i] != stderr)
            fclose(old->files[i]);
    }
    mez_free_memory(old);
    *session = NULL;
}

static mez_error create_picture(
    FILE *file, const char *name, enum trace_format format, struct trace_picture **picture)
{
    switch (format) {
    case TRACE_TIMELINE:
        return trace_timeline_create(file, name, picture);
    case TRACE_DOT:
        return trace_graph_create(file, name, false, picture);
    case TRACE_SVG:
        return trace_graph_create(file, name, true, picture);
    case TRACE_STATISTICS:
        return trace_statistics_create(file, name, picture);
    case TRACE_TEXT:
        return trace_text_create(file, name, picture);
    case TRACE_FORMATS:
        break;
    }
    return mez_error_make(MEZ_ERRC_FILE, "%s: no form of a trace", name); // not reached
}

// Before the file is touched and anything runs.
static mez_error check_format(const char *path, enum trace_format format)
{
    if (format == TRACE_SVG)
        return trace_graphviz_check(path);
    if (format != TRACE_FORMATS)
        return mez_ok();
    return mez_error_make(MEZ_ERRC_FILE,
        "%s: a trace ends in .json, .dot, .svg, .stats or .txt, by which its form is chosen", path);
}

static mez_error add(
    struct trace_session *session, FILE *file, const char *name, enum trace_format format)
{
    if (session->count == TRACE_MOST_PICTURES)
        return mez_error_make(
            MEZ_ERRC_FILE, "a trace has at most %d outputs", (int)TRACE_MOST_PICTURES);
    const mez_error error = create_picture(file, name, format, &session->pictures[session->count]);
    if (!mez_failed(error))
        session->files[session->count++] = file;
    return error;
}

mez_error trace_session_add(
    struct trace_session *session, const char *path, enum trace_format format)
{
    FILE *file;
    if (!path)
        return add(session, stderr, "standard error", format);
    MEZ_TRY(check_format(path, format));
    MEZ_TRY(trace_output_open(path, &file));
    const mez_error error = add(session, file, path, format);
    if (mez_failed(error))
        fclose(file);
    return error;
}

mez_error trace_session_add_own(struct trace_session *session, const char *pattern, pid_t process)
{
    const enum trace_format format = trace_format_of(pattern);
    FILE *file;
    char *name;
    session->own_process = process;
    MEZ_TRY(check_format(pattern, format));
    MEZ_TRY(trace_output_open_own(pattern, process, &file, &name));
    const mez_error error = add(session, file, name, format);
    mez_free_memory(name);
    if (mez_failed(error))
        fclose(file);
    return error;
}

// Made late, as it needs to know all pictures.
static bool has_follow(struct trace_session *session)
{
    if (session->follow)
        return true;
    const mez_error error = trace_follow_create(
        session->memory, session->start, session->pictures, session->count, &session->follow);
    return !mez_failed(error);
}

static size_t drain(struct trace_session *session, uint64_t time, uint64_t until)
{
    const struct trace_sink sink = trace_follow_sink(session->follow);
    return trace_drain_run(session->drain, time, until, &sink);
}

size_t trace_session_drain(struct trace_session *session)
{
    const uint64_t time = trace_now();
    return has_follow(session) ? drain(session, time, time - SETTLING) : 0;
}

mez_error trace_session_finish(
    struct trace_session *session, const char *what, struct trace_ending *ending)
{
    const uint64_t time = trace_now();
    mez_error first = mez_ok();
    if (!has_follow(session))
        return mez_error_no_memory("a trace");
    atomic_store_explicit(&session->memory->head->closed, 1, memory_order_release);
    drain(session, time, time);
    *ending = trace_follow_end(session->follow, time, what);
    ending->going_on = trace_drain_processes(session->drain, session->own_process);
    for (size_t i = 0; i < session->count; i++) {
        const mez_error error = session->pictures[i]->finish(session->pictures[i], ending);
        if (mez_failed(error) && mez_failed(first))
            mez_log_error(MEZ_TOPIC_BASE, error);
        else if (mez_failed(error))
            first = error;
    }
    return first;
}
