// SPDX-License-Identifier: MIT

#include "trace_setup.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/installed.h"

// From the folder of this program: where it is built, and where it is installed.
struct place {
    const char *built, *installed;
};

static const struct place recorders = {
    "../trace/libmez-trace.so", TRACE_FOLDER_FROM_PROGRAM "/libmez-trace.so"};
static const struct place dispatchers = {
    "../../subprojects/xptifw/dispatcher/libxptifw.so", TRACE_FOLDER_FROM_PROGRAM "/libxptifw.so"};

static bool find(const struct place *place, char path[PATH_MAX], struct problem *problem)
{
    if (mez_path_in_build_tree(place->built, path, PATH_MAX) && access(path, R_OK) == 0)
        return true;
    if (mez_path_beside(place->installed, path, PATH_MAX) && access(path, R_OK) == 0)
        return true;
    return problem_set(problem, "tracing is not possible: %.400s does not exist", path);
}

static bool set(const char *name, const char *value, struct problem *problem)
{
    return setenv(name, value, 1) == 0 || problem_set(problem, "there is not enough memory");
}

// Behind ours, as they are.
static bool set_subscribers(const char *recorder, struct problem *problem)
{
    const char *others = getenv("XPTI_SUBSCRIBERS");
    char *list;
    if (!others || !*others)
        return set("XPTI_SUBSCRIBERS", recorder, problem);
    if (asprintf(&list, "%s,%s", recorder, others) < 0)
        return problem_set(problem, "there is not enough memory");
    const bool good = set("XPTI_SUBSCRIBERS", list, problem);
    free(list);
    return good;
}

static bool set_dispatcher(struct problem *problem)
{
    const char *chosen = getenv("XPTI_FRAMEWORK_DISPATCHER");
    char path[PATH_MAX];
    if (chosen && *chosen)
        return true;
    return find(&dispatchers, path, problem) && set("XPTI_FRAMEWORK_DISPATCHER", path, problem);
}

// Named by our process and not inherited: some programs close the files of those that they start.
static bool set_memory(int memory, struct problem *problem)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), memory);
    return set("MEZ_TRACE_MEMORY", path, problem);
}

bool trace_setup(int memory, struct problem *problem)
{
    char recorder[PATH_MAX];
    return find(&recorders, recorder, problem) && set_subscribers(recorder, problem) &&
           set_dispatcher(problem) && set_memory(memory, problem) &&
           set("XPTI_TRACE_ENABLE", "1", problem);
}
