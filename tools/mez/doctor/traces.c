// SPDX-License-Identifier: MIT
//
// Whether variables that ask for a trace bring one. The dispatcher and each of its tools are opened in a process of their own, as a
// program would open them; no tool is notified of anything, so that none overwrites what it has written before.

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mezzanine/trace.h>
#include <mezzanine/xpti_proxy.h>

#include "apart.h"
#include "base/environment.h"
#include "doctor.h"
#include "session.h"
#include "settings.h"

#define CHECK "traces"
#define DISPATCHER "XPTI_FRAMEWORK_DISPATCHER"
#define SUBSCRIBERS "XPTI_SUBSCRIBERS"
#define SWITCH "XPTI_TRACE_ENABLE"

// NULL: not set, or to nothing.
static const char *value_of(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value ? value : NULL;
}

// The file that the program itself writes; NULL: it writes none.
static const char *own_output(void)
{
    return mez_setting(MEZ_VARIABLE_TRACE_MEMORY) ? NULL : mez_setting(MEZ_VARIABLE_TRACE);
}

static bool is_asked_for(void)
{
    return own_output() || value_of(DISPATCHER);
}

// --- Values

static void check_settings_of_traces(struct findings *findings)
{
    struct trace_settings settings;
    char problem[TRACE_SETTINGS_PROBLEM];
    if (trace_settings_read(&settings, NULL, problem))
        return;
    found_warn(findings, CHECK, "%s", problem);
    found_advice(
        findings, "set a valid value or unset the variable; with this value nothing is traced");
}

static void check_switch(struct findings *findings)
{
    const char *value = value_of(SWITCH);
    if (!value || strcmp(value, "1") == 0 || strcmp(value, "true") == 0)
        return;
    const bool off = strcmp(value, "0") == 0 || strcmp(value, "false") == 0;
    if (off && !is_asked_for())
        return;
    found_warn(findings, CHECK,
        off ? SWITCH "=%s: nothing is traced" : SWITCH "=%s is invalid and treated as 0", value);
    found_advice(findings, "unset it, or use `mez trace`, which works with any value");
}

// As far as this can be found out without creating the file.
static bool can_be_written(const char *path)
{
    char folder[PATH_MAX];
    if (access(path, F_OK) == 0)
        return access(path, W_OK) == 0;
    const char *slash = strrchr(path, '/');
    snprintf(
        folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    return access(folder, W_OK | X_OK) == 0;
}

static void check_output(struct findings *findings)
{
    const char *path = own_output();
    if (!path)
        return;
    if (trace_format_of(path) == TRACE_FORMATS) {
        found_warn(findings, CHECK, "MEZ_TRACE=%s does not end in a known file extension", path);
        found_advice(findings, "use a name that ends in .json, .dot, .svg, .stats or .txt");
    } else if (!can_be_written(path)) {
        found_warn(findings, CHECK, "MEZ_TRACE=%s can't be written: %s", path, strerror(errno));
        found_advice(findings, "use a file in a folder that you can write to");
    }
}

// Whoever sets it has `mez trace` write.
static void check_memory(struct findings *findings)
{
    const char *path = mez_setting(MEZ_VARIABLE_TRACE_MEMORY);
    if (!path || access(path, R_OK | W_OK) == 0)
        return;
    found_warn(findings, CHECK, "MEZ_TRACE_MEMORY=%s can't be opened: %s", path, strerror(errno));
    found_advice(findings, "unset it; `mez trace` sets it for the program that it starts");
}

// --- In other processes

struct answer {
    bool good;
    bool died;        // the library that was tried ended the process
    char why[1024];   // the reason why not; "": unknown
    char tools[8192]; // that a program loads with it
};

static struct answer *current; // who listens in this process

static void keep_reason(const char *message)
{
    if (!*current->why)
        snprintf(current->why, sizeof current->why, "%s", message);
}

// What a program loads, except for its tools.
static void load_dispatcher(const void *question, void *answer)
{
    (void)question;
    char why[sizeof current->why];
    mez_trace_setup *setup;
    current = answer;
    const mez_error error = mez_trace_setup_create(&setup);
    if (mez_failed(error)) {
        mez_error_get_headline(error, why, sizeof why);
        keep_reason(why);
        return;
    }
    snprintf(current->tools, sizeof current->tools, "%s", mez_trace_setup_get_tools(setup));
    unsetenv(SUBSCRIBERS);
    current->good = mez_xpti_load(mez_trace_setup_get_dispatcher(setup), keep_reason);
    mez_trace_setup_destroy(&setup);
}

// Dispatchers look for no more than these.
static void load_tool(const void *question, void *answer)
{
    load_dispatcher(NULL, answer);
    void *tool = dlopen(question, RTLD_LAZY);
    current->good = false;
    if (!tool)
        keep_reason(dlerror());
    else if (!dlsym(tool, "xptiTraceInit"))
        keep_reason("it does not export xptiTraceInit");
    else if (!dlsym(tool, "xptiTraceFinish"))
        keep_reason("it does not export xptiTraceFinish");
    else
        current->good = true;
}

// False: answer->why has the reason.
static bool ask(void (*work)(const void *question, void *answer), const char *who,
    const void *question, struct answer *answer)
{
    char end[256], printed[256];
    const struct apart apart = {.work = work,
        .who = who,
        .question = question,
        .answer = answer,
        .size = sizeof *answer,
        .seconds = DRIVER_SECONDS,
        .printed = printed,
        .printed_size = sizeof printed};
    answer->died = !apart_ask(&apart, end, sizeof end);
    if (answer->died)
        snprintf(answer->why, sizeof answer->why, "%s", end);
    return answer->good;
}

// --- What programs load

static void check_tool(struct findings *findings, const char *path)
{
    struct answer answer;
    if (ask(load_tool, "the tool", path, &answer))
        return;
    if (answer.died) // so would programs
        found_fail(findings, CHECK, "the tool %s: %s", path, answer.why);
    else
        found_warn(findings, CHECK, "the tool %s can't be used: %s", path, answer.why);
    found_advice(findings, "remove it from " SUBSCRIBERS ", or use another tool");
}

static void check_tools(struct findings *findings, char *list)
{
    char *rest;
    for (char *path = strtok_r(list, ",", &rest); path; path = strtok_r(NULL, ",", &rest))
        check_tool(findings, path);
}

static void report_dispatcher(struct findings *findings, const struct answer *answer)
{
    const char *named = value_of(DISPATCHER);
    void (*const found)(struct findings *, const char *, const char *, ...) =
        answer->died ? found_fail : found_warn;
    if (named)
        found(findings, CHECK, DISPATCHER "=%s: %s", named, answer->why);
    else
        found(findings, CHECK, "%s", answer->why);
    found_advice(findings,
        named ? "set it to a dispatcher that exists, or unset it: `mez trace` and MEZ_TRACE use "
                "their own"
              : "install Mezzanine's recorder and dispatcher, or set another one in " DISPATCHER);
}

static void check_loaded(struct findings *findings)
{
    struct answer answer;
    if (is_asked_for()) {
        if (ask(load_dispatcher, "the dispatcher", NULL, &answer))
            check_tools(findings, answer.tools);
        else
            report_dispatcher(findings, &answer);
    } else if (value_of(SUBSCRIBERS)) {
        found_warn(findings, CHECK, SUBSCRIBERS " is set, but no dispatcher loads these tools");
        found_advice(findings, "set a dispatcher in " DISPATCHER ", or use `mez trace`");
    }
}

void check_traces(struct doctor *doctor)
{
    struct findings *findings = &doctor->findings;
    const size_t before = findings->list.count;
    check_settings_of_traces(findings);
    check_switch(findings);
    check_output(findings);
    check_memory(findings);
    check_loaded(findings);
    if (findings->list.count > before)
        return;
    if (own_output())
        found_pass(findings, CHECK, "programs write to %s", own_output());
    else if (value_of(DISPATCHER))
        found_pass(findings, CHECK, "programs are traced through %s", value_of(DISPATCHER));
    else
        found_pass(findings, CHECK, "tracing is off");
}
