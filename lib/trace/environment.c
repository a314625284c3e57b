// SPDX-License-Identifier: MIT

#include "trace/environment.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/beside.h"
#include "base/log.h"
#include "base/text.h"

#define DISPATCHER "XPTI_FRAMEWORK_DISPATCHER"
#define SUBSCRIBERS "XPTI_SUBSCRIBERS"

// From the folder of this library: where it is installed, in a program that it is part of, and where it is built.
static const char *const dispatchers[] = {"mezzanine/libxptifw.so",
    MEZ_LIBRARY_FROM_PROGRAM "/mezzanine/libxptifw.so",
    "../subprojects/xptifw/dispatcher/libxptifw.so"};
static const char *const recorders[] = {"mezzanine/libmez-trace.so",
    MEZ_LIBRARY_FROM_PROGRAM "/mezzanine/libmez-trace.so", "../tools/trace/libmez-trace.so"};

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

static bool find(const char *const names[3], char path[PATH_MAX])
{
    for (int i = 0; i < 3; i++)
        if (mez_path_beside(names[i], path, PATH_MAX) && access(path, R_OK) == 0)
            return true;
    mez_path_beside(names[0], path, PATH_MAX);
    mez_log(BASE, WARN, "MEZ_TRACE is set, and nothing is traced: there is no %s", path);
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
    if (!is_set("MEZ_TRACE") || is_set("MEZ_TRACE_MEMORY") || !find(recorders, recorder))
        return;
    if (!is_set(DISPATCHER) && !find(dispatchers, dispatcher))
        return;
    before->subscribers = mez_copy_string(getenv(SUBSCRIBERS));
    before->dispatcher = mez_copy_string(getenv(DISPATCHER));
    before->set = true;
    const bool set =
        set_subscribers(recorder) && (is_set(DISPATCHER) || setenv(DISPATCHER, dispatcher, 1) == 0);
    if (!set)
        mez_log(BASE, WARN, "MEZ_TRACE is set, and nothing is traced: there is no memory");
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
