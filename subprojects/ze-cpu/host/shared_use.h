// SPDX-License-Identifier: MIT
//
// Shared memory that the program may not touch while a kernel may be using it. The driver of a discrete GPU without concurrent
// access (ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT) moves such memory to where it was touched last, and what a kernel writes after that
// is lost. With ZE_CPU_STRICT its pages are closed to the program from the launch of a kernel that has it as an argument
// until the program has waited for something after the kernel's end. A touch opens them, is reported, and loses the kernel's queue.
//
// The kernel's own first access opens the pages, too, so that what the program does between that and the kernel's end is not found.
//
// Thread-safety: every function locks.
#ifndef ZE_CPU_SHARED_USE_H
#define ZE_CPU_SHARED_USE_H

#include "memory.h"
#include "residency.h"

struct zc_runner;

// Is shared memory of the device looked at?
bool zc_shared_use_is_watched(ze_device_handle_t device);

// An allocation that is looked at, which has its pages to itself. False: memory is short.
bool zc_shared_use_add(struct zc_memory_map *map, const struct zc_allocation *allocation);
// The allocation of that context at `base` goes, if it is looked at; NULL: all of them do.
void zc_shared_use_remove(ze_context_handle_t context, const void *base);

// A launch with these arguments is handed over to the queue with that runner.
void zc_shared_use_begin(const struct zc_residency *launch, struct zc_runner *runner);
// It has ended on the second runner, or is not going to run; the program can't know yet. False: the program has touched its memory
// meanwhile, and that runner knows it.
bool zc_shared_use_end(
    const struct zc_residency *launch, struct zc_runner *of_queue, struct zc_runner *runner);

// The program learns of all that has ended until now.
void zc_shared_use_observe(void);
// The queue with that runner goes.
void zc_shared_use_forget(const struct zc_runner *runner);

// For the signal handler, when memory did not permit an access. Opens the pages around the address. False: they are none of these.
struct zc_touch {
    uintptr_t address;
    uintptr_t code; // of the instruction; 0: not known
    bool by_device; // not by the program
    bool is_write;
};
bool zc_shared_use_open(const struct zc_touch *touch);

#endif
