// SPDX-License-Identifier: MIT
//
// For tools: what the library reports through XPTI (<mezzanine/xpti.h>), on which streams, and with
// which data. Programs that are traced need none of this; they are traced when MEZ_TRACE or
// XPTI_FRAMEWORK_DISPATCHER is set in the environment.
//
// The streams for commands and memory are those of SYCL runtimes, so that tools for SYCL show
// programs of Mezzanine, too; the other streams are Mezzanine's own. docs/tracing.md has a table of
// all trace points and of the metadata of each node.
//
// A callback runs in the thread that does what is reported, and the thread may hold locks of the
// library, so a callback must not call Mezzanine. Its data is valid during the call, except for
// names, which belong to the dispatcher or live as long as the process.

#ifndef MEZZANINE_TRACE_H
#define MEZZANINE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include <mezzanine/base.h>
#include <mezzanine/error.h>

MEZ_BEGIN

// Nodes and edges of the graph of commands, tasks, signals, waits, barriers, queues, diagnostics.
// The first stream has as much metadata as the level of detail of its subscribers asks for. If
// there is a subscriber of the second stream, everything goes there, with all metadata.
#define MEZ_TRACE_STREAM_TASKS "sycl"
#define MEZ_TRACE_STREAM_TASKS_DEBUG "sycl.debug"
// Allocations and frees; user data: mez_xpti_mem_alloc.
#define MEZ_TRACE_STREAM_MEMORY "sycl.experimental.mem_alloc"
// When commands ran: TASK_BEGIN and TASK_END, one right after the other once the end has been seen;
// the event is the command's node, user data of both: mez_trace_execution.
#define MEZ_TRACE_STREAM_DEVICE "mez.device"
// Calls of this library by the program: FUNCTION_WITH_ARGS_BEGIN and _END; user data:
// mez_xpti_function, with mez_trace_arguments and at the end mez_trace_result. The event has the
// place of the call.
#define MEZ_TRACE_STREAM_CALLS "mez.call"
// The same for calls of Level Zero by this library. There is no event; xptiGetUniversalId is the id
// of the command that it is for.
#define MEZ_TRACE_STREAM_ZE "mez.ze"

// Times are nanoseconds of CLOCK_MONOTONIC.
typedef struct mez_trace_execution {
    // The command was handed over; where it never was, as it was lost before: `end`.
    uint64_t submitted;
    uint64_t begin;    // the device began; if not measured, `submitted`
    uint64_t end;      // the device ended; if not measured, the host noticed the end
    uint64_t queue_id; // as stashed for the node
    bool measured;     // by the device: its queue was made with mez_queue_params.profiling
    bool failed;       // the command was lost, or an assert failed in it
} mez_trace_execution;

typedef struct mez_trace_arguments {
    const char *names;      // "list, kernel, groups, ...", as the source has them
    uint32_t count;         // of values
    const uint64_t *values; // integers, sizes and addresses
} mez_trace_arguments;

typedef struct mez_trace_result {
    int32_t value; // a mez_error's, or a ze_result_t; 0: success
    // Of that code, such as "MEZ_ERRC_ND_RANGE"; of success "success" or "ZE_RESULT_SUCCESS".
    const char *name;
    uint64_t duration; // of the call, in nanoseconds
} mez_trace_result;

// --- What is loaded
//
// A process that is traced loads a dispatcher of XPTI and tools with its first context. Which ones
// these are follows from the environment: from MEZ_TRACE, which stands for those that are installed
// with the library, and from XPTI_FRAMEWORK_DISPATCHER and XPTI_SUBSCRIBERS.
//
//     mez_trace_setup *setup = NULL;
//     mez_error err = mez_trace_setup_create(&setup);
//     if (mez_trace_setup_get_dispatcher(setup))
//         printf("traced by %s\n", mez_trace_setup_get_tools(setup));
//     mez_trace_setup_destroy(&setup);
typedef struct mez_trace_setup mez_trace_setup;

// Finds out what would be loaded, without loading or changing anything. *setup is yours, to be
// given to mez_trace_setup_destroy; NULL after an error. What XPTI_FRAMEWORK_DISPATCHER names is
// loaded also if something is missing for MEZ_TRACE, which is then logged.
//
// Thread-safety: safe while nobody changes the environment.
//
// MEZ_ERRC_FILE: only MEZ_TRACE is set, and the recorder or the dispatcher that it stands for is
//     not installed, so that nothing is traced.
// MEZ_ERRC_INVALID_PARAMETER: `setup` is NULL. MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_trace_setup_create(mez_trace_setup **setup);

// The path of the dispatcher. NULL: the process is not traced, also since the library was built
// without traces. Lives as long as the setup.
MEZ_API const char *mez_trace_setup_get_dispatcher(const mez_trace_setup *setup);

// The paths of the tools that the dispatcher loads, with commas between them; "": none. Lives as
// long as the setup.
MEZ_API const char *mez_trace_setup_get_tools(const mez_trace_setup *setup);

// Frees the setup and sets *setup to NULL; *setup may be NULL.
MEZ_API void mez_trace_setup_destroy(mez_trace_setup **setup);

MEZ_END

#endif
