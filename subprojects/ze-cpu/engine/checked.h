// SPDX-License-Identifier: MIT
//
// Kernels that are checked while they run: what their code calls, and what it says of itself.
//
// An access whose object is known when the kernel is compiled (a variable, a private array, a local argument) is compared
// with the object's size. Any other is looked up: the host knows allocations, the engine what is its own. Each such
// access remembers the range in which it was allowed last, so that nearly all of them cost two comparisons. Both are
// calls of functions that LLVM inlines, and which call the run-time functions below where the comparison fails.

#ifndef ZC_ENGINE_CHECKED_H
#define ZC_ENGINE_CHECKED_H

#include "engine.h"

// Where an access was allowed last: at begin, and up to `span` behind it.
struct zc_range {
    uint64_t begin, span;
};

enum zc_object_kind {
    ZC_OBJECT_UNKNOWN,
    ZC_OBJECT_LOCAL, // a variable
    ZC_OBJECT_LOCAL_ARGUMENT,
    ZC_OBJECT_PRIVATE,
    ZC_OBJECT_PROGRAM, // a variable of program scope
};

enum zc_access_kind { ZC_ACCESS_READ, ZC_ACCESS_WRITE, ZC_ACCESS_ATOMIC, ZC_ACCESS_ATOMIC_READ };

// A variable of program scope.
struct zc_checked_variable {
    uintptr_t address;
    uint64_t size;
};

struct zc_checked_variables {
    uint64_t count;
    struct zc_checked_variable list[];
};

// An access in the kernel's code, which has these as constants. All members have 8 bytes.
struct zc_access_site {
    const char *file;  // NULL: not known
    uint64_t line;     // with `file`
    uint64_t kind;     // enum zc_access_kind
    uint64_t is_local; // the address is one in local memory
    uint64_t object;   // enum zc_object_kind
    const char *name;  // of the object, or ""
    uint64_t index;    // of the argument
    const struct zc_checked_variables *variables;
};
#define ZC_ACCESS_SITE_WORDS 8

// Allows the access and remembers the range, which may be NULL, or ends the kernel.
void zc_check_range(
    struct zc_range *range, uint64_t address, uint64_t size, const struct zc_access_site *site);
// Ends the kernel: the access does not lie within the object.
_Noreturn void zc_check_object(
    uint64_t offset, uint64_t size, uint64_t object_size, const struct zc_access_site *site);

// A work-item comes to an asynchronous copy, and waits there for the others. Both addresses, the number of elements, the stride.
void zc_check_copy(uint64_t to, uint64_t from, uint64_t count, uint64_t stride);

// A barrier in the kernel's code.
struct zc_barrier_site {
    const char *file; // NULL: not known
    uint64_t line;    // with `file`
};

struct zc_worker;

// Where a work-item has stopped; NULL: it has ended.
struct zc_stop {
    uint64_t item;
    const struct zc_barrier_site *site;
};

// Ends the kernel: two work-items have stopped at different places.
_Noreturn void zc_report_barrier(
    struct zc_worker *worker, struct zc_stop first, struct zc_stop second);

// All have stopped at this place: ends the kernel if it is an asynchronous copy, and some have given it other arguments.
void zc_checked_end_copy(struct zc_worker *worker, const struct zc_barrier_site *site);

// Whose groups this thread runs. Asked for at each access that is checked, so no function is called to find it.
extern _Thread_local struct zc_worker *zc_checked_running
    __attribute__((tls_model("initial-exec")));
static inline struct zc_worker *zc_checked_worker(void)
{
    return zc_checked_running;
}
// Between the two the kernel is not left by a signal.
void zc_checked_pause(void);
void zc_checked_resume(void);
// After a pause: ends the kernel with the worker's finding, whose text is there.
_Noreturn void zc_checked_report(struct zc_worker *worker, const char *file, uint64_t line);
// The kernel's own: its stack, the frames of its coroutines, what work-items exchange.
bool zc_checked_is_own(const struct zc_worker *worker, uintptr_t address);
// "read", "wrote"
const char *zc_checked_verb(const struct zc_access_site *site);
void zc_checked_describe_object(char *text, size_t size, const struct zc_access_site *site);

// The groups that this thread runs from now on are these. False: there is no memory.
bool zc_checked_begin(
    struct zc_worker *worker, const struct zc_kernel *kernel, const struct zc_group *group);

#endif
