// SPDX-License-Identifier: MIT
//
// Device-side asserts.
//
// A kernel that includes <mezzanine/assert.h> of the device library and whose `assert(expression)`
// is false prints, on the host's stderr,
//
//     saxpy.cl:7: saxpy: global id: [999,0,0], local id: [7,0,0] Assertion `y[i] < limit` failed.
//
// and the process is aborted, as with C's assert. A program that would rather go on asks for
// another policy, for a context or a queue. Kernels compiled with -DNDEBUG have no asserts and pay
// nothing. The first failure of a module is reported. docs/asserts.md has the rest.

#ifndef MEZZANINE_ASSERT_H
#define MEZZANINE_ASSERT_H

#include <mezzanine/base.h>
#include <mezzanine/error.h>

MEZ_BEGIN

// The device writes it in this layout (704 bytes); the published struct __SYCL_AssertHappened.
typedef struct mez_assert_record {
    int32_t flag; // 0: no assert failed; 1: the device is writing; 2: the record is complete
    char expression[257];
    char file[257];
    char function[129];
    int32_t line;
    // Which failure of its module this is, from 1; 0: the device library does not count them.
    uint32_t serial;
    uint64_t global_id[3]; // x, y, z: get_global_id(0), (1), (2)
    uint64_t local_id[3];
} mez_assert_record;

// What a failed assert does to the program. MEZ_ASSERT=abort|error overrides every context's and
// queue's.
typedef enum mez_assert_policy {
    MEZ_ASSERT_INHERIT = 0, // a queue's: that of its context; a context's: MEZ_ASSERT_ABORT
    // The message goes to stderr, then abort(). A debugger gets SIGTRAP before.
    MEZ_ASSERT_ABORT = 1,
    // The message goes to stderr, and the wait that sees the task's end returns MEZ_ERRC_ASSERT
    // with the whole story: a wait for the queue, or for an event of the task, whichever comes
    // first. An event keeps the failure of its task. The queue, the kernel and the context go on
    // working: before the error is returned the device is made to forget the failure, for which the
    // call waits, for a second at most.
    MEZ_ASSERT_ERROR = 2,
    // As MEZ_ASSERT_ERROR, but nothing is printed, and the function is called, which may be before
    // or after the wait returns.
    MEZ_ASSERT_CALLBACK = 3,
} mez_assert_policy;

// A failed assert, for the function of a callback policy. Everything in it is gone when the
// function returns.
typedef struct mez_assert_report {
    const mez_assert_record *record;
    const char *message; // the line for stderr, with its newline
    // The kernel; several, with commas between, where kernels of one image ran at the same time and
    // share a record. "" where it is not known: in a recording.
    const char *kernel;
    const char *queue; // debug names
    const char *task;  // of the submission, with its number and place, as stories show it
    mez_error error;   // as waits return it
} mez_assert_report;

// Called once for each failure, on the context's completion thread, without locks: it may submit
// tasks, and wait for queues and events other than those that wait for a host task or callback. It
// may not destroy its queue or the context. Where there is no memory or no thread for the call, the
// message is printed instead.
typedef void (*mez_assert_function)(void *user, const mez_assert_report *report);

// How failed asserts are delivered: part of mez_context_params and mez_queue_params. Zero asks for
// nothing. `function` and `user` count with MEZ_ASSERT_CALLBACK only, and are kept, not copied:
// they must live as long as the queues that use them.
typedef struct mez_assert_params {
    mez_assert_policy policy;
    // How many failing work-items of a submission to collect, up to 1024: those of distinct asserts
    // first. 0 and 1: the first that failed. More take a megabyte of device memory for each image
    // with asserts, and count for images that are built afterwards. MEZ_ASSERT_LIMIT overrides.
    uint32_t limit;
    mez_assert_function function; // of MEZ_ASSERT_CALLBACK
    void *user;
    uint64_t reserved[4]; // must be zero: mezzanine/base.h
} mez_assert_params;

// The record behind an error that matches MEZ_ERRC_ASSERT. False, and nothing is written: the error
// is another one, its story has given way to newer ones, there is no memory, or the driver reported
// the assert by itself and keeps the record. Thread-safety: safe.
MEZ_API bool mez_error_get_assert(mez_error error, mez_assert_record *record);

// The same for many (mez_assert_params.limit): writes at most `capacity` records, the first that
// failed first and then those of distinct asserts, and returns how many there are, which may be
// more; 0: none. *total, which may be NULL: how many work-items failed, collected or not.
// Thread-safety: safe.
MEZ_API size_t mez_error_get_asserts(
    mez_error error, mez_assert_record *records, size_t capacity, uint64_t *total);

MEZ_END

#endif
