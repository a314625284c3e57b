// SPDX-License-Identifier: MIT

#include "trace/environment.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/beside.h"
#include "base/environment.h"
#include "base/log.h"
#include "base/text.h"

#define DISPATCHER "XPTI_FRAMEWORK_DISPATCHER"
#define SUBSCRIBERS "XPTI_SUBSCRIBERS"

// From the folder of this library: where it is built, where it is installed, and in a program that it is part of.
typedef struct place {
    const char *built, *installed, *from_program;
} place;

static const place dispatchers = {"../subprojects/xptifw/dispatcher/libxptifw.so",
    "mezzanine/libxptifw.so", MEZ_LIBRARY_FROM_PROGRAM "/mezzanine/libxptifw.so"};
static const place recorders = {"../tools/trace/libmez-trace.so", "mezzanine/libmez-trace.so",
    MEZ_LIBRARY_FROM_PROGRAM "/mezzanine/libmez-trace.so"};

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

static bool is_there(const char *name, char path[PATH_MAX])
{
    return mez_path_beside(name, path, PATH_MAX) && access(path, R_OK) == 0;
}

static bool find(const place *place, char path[PATH_MAX])
{
    if (mez_path_in_build_tree(place->built, path, PATH_MAX) && access(path, R_OK) == 0)
        return true;
    if (is_there(place->installed, path) || is_there(place->from_program, path))
        return true;
    mez_path_beside(place->installed, path, PATH_MAX);
    mez_log(BASE, WARN, "MEZ_TRACE is set, but nothing is traced: there is no %s", path);
    return false;
}

// Ours first, and then those that the user has named.
static bool set_subscribers(const char *recorder)
{
    if (!is_set(SUBSCRIBERS))
        return setenv(SUBSCRIBERS, recorder, 1) == 0;
    char *list = mez_print_string("%s,%s", recorder, getenv(SUBSCRIBERS));
    const bool set = list && setenv(SUBSCRIBERS, list, 1) == 0;
    mez_free_memory(list);
    return set;
}

void mez_trace_environment_set(mez_trace_environment *before)
{
    char dispatcher[PATH_MAX], recorder[PATH_MAX];
    *before = (mez_trace_environment){.set = false};
    if (!mez_setting(MEZ_VARIABLE_TRACE) || mez_setting(MEZ_VARIABLE_TRACE_MEMORY) ||
        !find(&recorders, recorder))
        return;
    if (!is_set(DISPATCHER) && !find(&dispatchers, dispatcher))
        return;
    before->subscribers = mez_copy_string(getenv(SUBSCRIBERS));
    before->dispatcher = mez_copy_string(getenv(DISPATCHER));
    before->set = true;
    const bool set =
        set_subscribers(recorder) && (is_set(DISPATCHER) || setenv(DISPATCHER, dispatcher, 1) == 0);
    if (!set)
        mez_log(BASE, WARN, "MEZ_TRACE is set, but nothing is traced: there is not enough memory");
}

static void put_back(const char *variable, char *value)
{
    if (value)
        setenv(variable, value, 1);
    else
        unsetenv(variable);
    mez_free_memory(value);
}

void mez_trace_environment_put_back(mez_trace_environment *before)
{
    if (!before->set)
        return;
    put_back(SUBSCRIBERS, before->subscribers);
    put_back(DISPATCHER, before->dispatcher);
}
