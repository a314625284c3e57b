// SPDX-License-Identifier: MIT
//
// Leaving kernels that fault, that are cancelled, or in which a check has found something. While a thread runs a kernel a signal
// handler watches: it leaves the kernel by a jump and what was called returns. Every other signal goes to whoever had a handler
// before ours, or does what it does without any.
//
// Handlers are installed when the first kernel runs, for SIGSEGV, SIGBUS, SIGFPE and SIGILL, and looked after whenever a queue or a
// kernel is created; none with ZE_CPU_SIGNALS=0.
#ifndef ZE_CPU_FAULT_H
#define ZE_CPU_FAULT_H

#include <engine.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

// Words of the stack that are kept: somewhere among them is where the function returns to that faulted.
#define ZC_FAULT_WORDS 64

struct zc_fault {
    int signal; // 0: the kernel was cancelled
    int code;   // si_code
    uintptr_t address;
    uintptr_t stack;                       // its pointer
    uintptr_t stack_end;                   // the lowest address of the thread's stack
    uintptr_t code_at[1 + ZC_FAULT_WORDS]; // the instruction, then words of the stack
    size_t code_count;
    const struct zc_finding *finding; // instead of all that: a check has found this; the worker's
};

// One run of kernels on one thread. Lives on that thread's stack.
struct zc_guard {
    struct zc_watch watch; // for the engine
    struct zc_fault fault;
    const void *group; // what is cancelled together
    sigjmp_buf back;
};

// Calls body(argument), during which guard->watch may be given to the engine. False: a kernel was left, guard->fault says why.
// Guards don't nest. `cancelled` belongs to all guards of the group.
bool zc_guard_run(struct zc_guard *guard, const void *group, const atomic_bool *cancelled,
    void (*body)(void *argument), void *argument);

// Installs our handlers before the first kernel runs.
void zc_guard_install(void);

// This thread works for the device for a while, or for good: what it touches is not touched by the program. Returns what it did before.
bool zc_guard_work_for_device(bool works);

// Brings our handlers back where the program has installed others since. Does nothing before the first kernel has run.
void zc_guard_refresh(void);

// Makes other threads leave the kernels that they run for this group, whose `cancelled` has been set.
void zc_guard_cancel(const void *group);

#endif
