// SPDX-License-Identifier: MIT
//
// What MEZ_TRACE and XPTI's variables have a process load.

#include "trace/trace.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/environment.h"
#include "base/installed.h"
#include "base/log.h"
#include "base/text.h"

struct mez_trace_setup {
    char *dispatcher; // NULL: none
    char *tools;      // NULL: none
    bool is_ours;
};

static mez_error no_memory(void)
{
    return mez_error_no_memory("the tools of a trace");
}

#ifdef MEZ_TRACING

#define DISPATCHER "XPTI_FRAMEWORK_DISPATCHER"
#define SUBSCRIBERS "XPTI_SUBSCRIBERS"

// --- What is installed

// From the folder of this library: where it is built, where it is installed, and in a program that it is part of.
typedef struct place {
    const char *built, *installed, *from_program;
} place;

static const place dispatchers = {"../subprojects/xptifw/dispatcher/libxptifw.so",
    "mezzanine/libxptifw.so", MEZ_LIBRARY_FROM_PROGRAM "/mezzanine/libxptifw.so"};
static const place recorders = {"../tools/trace/libmez-trace.so", "mezzanine/libmez-trace.so",
    MEZ_LIBRARY_FROM_PROGRAM "/mezzanine/libmez-trace.so"};

static bool is_there(const char *name, char path[PATH_MAX])
{
    return mez_path_beside(name, path, PATH_MAX) && access(path, R_OK) == 0;
}

static mez_error find(const place *place, char path[PATH_MAX])
{
    if (mez_path_in_build_tree(place->built, path, PATH_MAX) && access(path, R_OK) == 0)
        return mez_ok();
    if (is_there(place->installed, path) || is_there(place->from_program, path))
        return mez_ok();
    mez_path_beside(place->installed, path, PATH_MAX);
    return mez_error_make(
        MEZ_ERRC_FILE, "MEZ_TRACE is set, but nothing is traced: there is no %s", path);
}

// --- What is asked for

// NULL: not set, or to nothing.
static const char *value_of(const char *value)
{
    return value && *value ? value : NULL;
}

static mez_error keep(mez_trace_setup *setup, const char *dispatcher, char *tools)
{
    setup->dispatcher = mez_copy_string(dispatcher);
    setup->tools = tools;
    return setup->dispatcher && setup->tools ? mez_ok() : no_memory();
}

// Our recorder first, and then those that the user has named.
static mez_error use_ours(mez_trace_setup *setup, const char *dispatcher, const char *tools)
{
    char ours[PATH_MAX], recorder[PATH_MAX];
    MEZ_TRY(find(&recorders, recorder));
    if (!dispatcher)
        MEZ_TRY(find(&dispatchers, ours));
    setup->is_ours = true;
    return keep(setup, dispatcher ? dispatcher : ours,
        tools ? mez_print_string("%s,%s", recorder, tools) : mez_copy_string(recorder));
}

static void log_missing(mez_error error)
{
    char why[PATH_MAX + 128];
    mez_error_get_headline(error, why, sizeof why);
    mez_log(BASE, WARN, "%s", why);
}

static mez_error find_all(mez_trace_setup *setup)
{
    const char *dispatcher = value_of(secure_getenv(DISPATCHER));
    const char *tools = value_of(secure_getenv(SUBSCRIBERS));
    if (mez_setting(MEZ_VARIABLE_TRACE) && !mez_setting(MEZ_VARIABLE_TRACE_MEMORY)) {
        const mez_error error = use_ours(setup, dispatcher, tools);
        if (!dispatcher || !mez_error_is(error, MEZ_ERRC_FILE))
            return error;
        log_missing(error);
    }
    return dispatcher ? keep(setup, dispatcher, mez_copy_string(tools ? tools : "")) : mez_ok();
}

#else

static mez_error find_all(mez_trace_setup *setup)
{
    (void)setup;
    return mez_ok();
}

#endif

// --- The calls

mez_error mez_trace_setup_create(mez_trace_setup **setup)
{
    MEZ_REQUIRE(setup, NULL);
    *setup = mez_new(mez_trace_setup);
    if (!*setup)
        return no_memory();
    const mez_error error = find_all(*setup);
    if (mez_failed(error))
        mez_trace_setup_destroy(setup);
    return error;
}

const char *mez_trace_setup_get_dispatcher(const mez_trace_setup *setup)
{
    return setup ? setup->dispatcher : NULL;
}

const char *mez_trace_setup_get_tools(const mez_trace_setup *setup)
{
    return setup && setup->tools ? setup->tools : "";
}

bool mez_trace_setup_is_ours(const mez_trace_setup *setup)
{
    return setup->is_ours;
}

void mez_trace_setup_destroy(mez_trace_setup **setup)
{
    if (!setup)
        return;
    mez_trace_setup *old = *setup;
    *setup = NULL;
    if (!old)
        return;
    mez_free_memory(old->dispatcher);
    mez_free_memory(old->tools);
    mez_free_memory(old);
}
