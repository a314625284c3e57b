// SPDX-License-Identifier: MIT
//
// Device-side asserts.
//
// If a kernel that includes the device library's <mezzanine/assert.h> runs an `assert(expression)`
// that is false, the host prints to stderr
//
//     saxpy.cl:7: saxpy: global id: [999,0,0], local id: [7,0,0] Assertion `y[i] < limit` failed.
//
// and aborts the process, as C's assert does. A program that should go on instead chooses another
// policy for its context or queue. Kernels compiled with -DNDEBUG have no asserts, and no cost.
// Unless mez_assert_params.limit asks for more, only the first failure of a task is reported. See
// docs/asserts.md, also for images whose kernels share one record.

#ifndef MEZZANINE_ASSERT_H
#define MEZZANINE_ASSERT_H

#include <mezzanine/base.h>
#include <mezzanine/error.h>

MEZ_BEGIN

// What the device writes when an assert fails, in 704 bytes: DPC++'s published struct
// __SYCL_AssertHappened.
typedef struct mez_assert_record {
    int32_t flag; // 0: no assert failed; 1: the device is writing; 2: the record is complete
    char expression[257];
    char file[257];
    char function[129];
    int32_t line;
    // A number that the device library needs; it says nothing to programs.
    uint32_t serial;
    uint64_t global_id[3]; // x, y, z: get_global_id(0), (1), (2)
    uint64_t local_id[3];
} mez_assert_record;

// What a failed assert does to the program. The variable MEZ_ASSERT=abort|error overrides the
// policies of all contexts and queues.
typedef enum mez_assert_policy {
    MEZ_ASSERT_INHERIT = 0, // as the queue's context; for a context: MEZ_ASSERT_ABORT
    // Prints the message to stderr and calls abort(). A debugger gets SIGTRAP first.
    MEZ_ASSERT_ABORT = 1,
    // Prints the message to stderr. The first wait that finds the task ended returns
    // MEZ_ERRC_ASSERT with the whole story, whether it waits for the queue or for the task's event.
    // An event keeps the failure of its task. The queue, the kernel and the context go on working.
    // Of an image whose kernels share a record, that is cleared on the device before the error is
    // returned, for which the call waits for at most a second.
    MEZ_ASSERT_ERROR = 2,
    // As MEZ_ASSERT_ERROR, but calls a function instead of printing the message. The function may
    // be called before or after the wait returns.
    MEZ_ASSERT_CALLBACK = 3,
} mez_assert_policy;

// A failed assert, for the function of MEZ_ASSERT_CALLBACK. Everything in it is valid until the
// function returns.
typedef struct mez_assert_report {
    const mez_assert_record *record;
    const char *message; // the line for stderr, with its newline
    // The kernel's name. Of an image whose kernels share a record, the names of all that may have
    // failed, with commas in between. "" for a recording, in which the kernel is not known.
    const char *kernel;
    const char *queue; // its debug name
    const char *task;  // its debug name, number and place of submission, as in stories
    mez_error error;   // as waits return it
} mez_assert_report;

// Called once for each failure. The context's completion thread calls it without holding a lock.
// The function may submit tasks, and may wait for queues and events, except for those that wait for
// a host task or a callback. It must not destroy its queue or the context. If there is no memory
// for the call, or no thread can be started, the message is printed instead.
typedef void (*mez_assert_function)(void *user, const mez_assert_report *report);

// How failed asserts are delivered. Part of mez_context_params and mez_queue_params; all zero means
// the default. `function` and `user` are used with MEZ_ASSERT_CALLBACK only, and must live as long
// as the queues that use them.
typedef struct mez_assert_params {
    mez_assert_policy policy;
    // How many failing work-items of a submission to collect, at most 1024; one of each assert is
    // collected first. 0 and 1: only the first that failed. Higher values take a megabyte of host
    // memory for each queue that runs kernels with asserts. Of images whose kernels share a record,
    // and of recordings, they have an effect on those that are built afterwards.
    // The variable MEZ_ASSERT_LIMIT overrides it.
    uint32_t limit;
    mez_assert_function function; // for MEZ_ASSERT_CALLBACK
    void *user;
    uint64_t reserved[4]; // must be zero: mezzanine/base.h
} mez_assert_params;

// Writes the record of the failed assert that an error with the condition MEZ_ERRC_ASSERT reports.
// Returns false and writes nothing if the error has another condition, its story has been dropped
// for newer ones, there is no memory, or the driver reported the assert by itself and keeps the
// record. Thread-safety: safe.
MEZ_API bool mez_error_get_assert(mez_error error, mez_assert_record *record);

// The same for several work-items (mez_assert_params.limit). Writes at most `capacity` records:
// that of the first failure, then one of each other assert, then the rest. Returns how many records
// there are, which may be more than `capacity`, and 0 if there are none. *total (`total` may be
// NULL) is the number of work-items that failed, also those without a record. Thread-safety: safe.
MEZ_API size_t mez_error_get_asserts(
    mez_error error, mez_assert_record *records, size_t capacity, uint64_t *total);

MEZ_END

#endif
