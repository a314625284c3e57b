// SPDX-License-Identifier: MIT

#include "trace_setup.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// From the folder of this program: where it is installed, and where it is built.
static const char *const recorders[] = {
    TRACE_FOLDER_FROM_PROGRAM "/libmez-trace.so", "../trace/libmez-trace.so"};
static const char *const dispatchers[] = {
    TRACE_FOLDER_FROM_PROGRAM "/libxptifw.so", "../../subprojects/xptifw/dispatcher/libxptifw.so"};

static bool own_folder(char folder[PATH_MAX], struct problem *problem)
{
    const ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (length <= 0)
        return problem_set(problem, "where this program is can't be read from /proc/self/exe");
    folder[length] = '\0';
    *strrchr(folder, '/') = '\0';
    return true;
}

static bool find(
    const char *folder, const char *const names[2], char path[PATH_MAX], struct problem *problem)
{
    char tried[2][PATH_MAX];
    for (int i = 0; i < 2; i++) {
        const int length = snprintf(tried[i], PATH_MAX, "%s/%s", folder, names[i]);
        if (length < PATH_MAX && realpath(tried[i], path))
            return true;
    }
    return problem_set(problem, "no library to trace with: neither %.200s nor %.200s is there",
        tried[0], tried[1]);
}

static bool set(const char *name, const char *value, struct problem *problem)
{
    return setenv(name, value, 1) == 0 || problem_set(problem, "no memory");
}

// Behind ours, as they are.
static bool set_subscribers(const char *recorder, struct problem *problem)
{
    const char *others = getenv("XPTI_SUBSCRIBERS");
    char *list;
    if (!others || !*others)
        return set("XPTI_SUBSCRIBERS", recorder, problem);
    if (asprintf(&list, "%s,%s", recorder, others) < 0)
        return problem_set(problem, "no memory");
    const bool good = set("XPTI_SUBSCRIBERS", list, problem);
    free(list);
    return good;
}

static bool set_dispatcher(const char *folder, struct problem *problem)
{
    const char *chosen = getenv("XPTI_FRAMEWORK_DISPATCHER");
    char path[PATH_MAX];
    if (chosen && *chosen)
        return true;
    return find(folder, dispatchers, path, problem) &&
           set("XPTI_FRAMEWORK_DISPATCHER", path, problem);
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
    char folder[PATH_MAX], recorder[PATH_MAX];
    return own_folder(folder, problem) && find(folder, recorders, recorder, problem) &&
           set_subscribers(recorder, problem) && set_dispatcher(folder, problem) &&
           set_memory(memory, problem) && set("XPTI_TRACE_ENABLE", "1", problem);
}
