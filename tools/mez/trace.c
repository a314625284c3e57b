// SPDX-License-Identifier: MIT
//
// mez trace: runs a program and shows what it did.

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "command.h"
#include "settings.h"
#include "trace_child.h"
#include "trace_request.h"
#include "trace_setup.h"

static const char usage[] =
    "usage: mez trace [OPTIONS] -- PROGRAM [ARGUMENTS]\n"
    "\n"
    "Runs a program and shows what it did with Mezzanine, even if it is aborted or killed.\n"
    "\n"
    "  -o FILE           .json: timeline for ui.perfetto.dev and chrome://tracing;\n"
    "                    .svg, .dot: graph of tasks; .stats: statistics; .txt: one line per\n"
    "                    event (default: trace.json). Can be given several times\n"
    "  --graph FILE      write the graph of tasks, as .svg or .dot\n"
    "  --stats           print statistics to stderr at the end\n"
    "  --text            print one line per event to stderr as it happens\n"
    "  --detail LEVEL    what is recorded about commands. basic: their names; normal (default):\n"
    "                    also devices and memory; verbose: also callers, and arguments and sizes\n"
    "                    of kernels\n"
    "\n"
    "MEZ_TRACE_BUFFER sets the size of each thread's buffer for events, in MiB (default: 4), and\n"
    "MEZ_TRACE_DETAIL the default of --detail. The exit code is that of the program, 128 plus the\n"
    "signal's number if a signal ended it, 127 if it does not exist, 126 if it can't be started,\n"
    "and 1 if the trace can't be written.\n";

enum { NOT_THERE = 127, NOT_STARTED = 126 };

// So long between two looks: in half a second a ring of 4 MiB takes 130,000 events a second. Short where something comes.
enum { BUSY_PAUSE = 2, IDLE_PAUSE = 10 };

static mez_error add_outputs(struct trace_session *session, const struct trace_request *request)
{
    mez_error error = mez_ok();
    for (size_t i = 0; i < request->output_count && !mez_failed(error); i++)
        error = trace_session_add(session, request->outputs[i].path, request->outputs[i].format);
    return error;
}

static void follow(struct trace_session *session, struct trace_child *child)
{
    int pause = BUSY_PAUSE;
    while (!trace_child_wait(child, pause))
        pause = trace_session_drain(session) ? BUSY_PAUSE : IDLE_PAUSE;
}

static void report(const struct trace_request *request, const struct trace_ending *ending)
{
    if (ending->events == 0)
        mez_print(stderr,
            "mez trace: %s reported nothing: it may not use Mezzanine, or its Mezzanine was built "
            "without traces\n",
            request->program[0]);
    trace_print_losses(stderr, ending);
}

static int could_not_start(const char *program, int reason)
{
    mez_print(stderr, "mez trace: %s can't be started: %s\n", program, strerror(reason));
    return reason == ENOENT ? NOT_THERE : NOT_STARTED;
}

static int run_program(struct trace_session *session, const struct trace_request *request)
{
    struct trace_child child;
    struct trace_ending ending;
    char what[128];
    const int failed = trace_child_start(&child, request->program);
    if (failed)
        return could_not_start(request->program[0], failed);
    follow(session, &child);
    trace_child_finish(&child);
    trace_child_describe(&child, what, sizeof what);
    const mez_error error = trace_session_finish(session, what, &ending);
    const int code = trace_child_code(&child);
    if (mez_failed(error))
        return report_error(error), code ? code : EXIT_FAILED;
    report(request, &ending);
    return code;
}

static int trace(const struct trace_memory *memory, const struct trace_request *request)
{
    struct trace_session *session = NULL;
    mez_error error = trace_session_create(memory, &session);
    if (!mez_failed(error))
        error = add_outputs(session, request);
    const int code = mez_failed(error) ? report_error(error) : run_program(session, request);
    trace_session_destroy(&session);
    return code;
}

static int run(int count, char *const *arguments)
{
    struct trace_request request;
    struct trace_memory memory = {0};
    struct problem problem;
    struct trace_settings settings;
    char wrong[TRACE_SETTINGS_PROBLEM];
    if (!trace_request_read(&request, count, arguments, &problem))
        return report_usage(&trace_command, &problem);
    if (!trace_settings_read(&settings, request.detail, wrong)) {
        problem_set(&problem, "%s", wrong);
        return report_problem(&trace_command, &problem);
    }
    const int file = trace_memory_create(&memory, settings.ring_words);
    if (file < 0) {
        problem_set(
            &problem, "memory to share with the program can't be created: %s", strerror(errno));
        return report_problem(&trace_command, &problem);
    }
    atomic_store(&memory.head->detail, settings.detail);
    const int code = trace_setup(file, &problem) ? trace(&memory, &request)
                                                 : report_problem(&trace_command, &problem);
    trace_memory_finish(&memory);
    close(file);
    return code;
}

const struct command trace_command = {"trace", "runs a program and shows what it did", usage, run};
