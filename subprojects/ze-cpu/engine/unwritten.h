// SPDX-License-Identifier: MIT
//
// Kernels that are checked for uses of what nobody has written: what their code calls, and what it says of itself.
//
// LLVM's MemorySanitizer, in the form that it has for kernels of operating systems, computes beside each value which of its bits
// nobody has written, and asks functions of these names where the shadow of memory is (shadow.h). unwritten_check.c adds what it
// leaves to others.

#ifndef ZC_ENGINE_UNWRITTEN_H
#define ZC_ENGINE_UNWRITTEN_H

#include "engine.h"
#include "shadow.h"

enum zc_use {
    ZC_USE_VALUE, // some other use
    ZC_USE_BRANCH,
    ZC_USE_ADDRESS,
    ZC_USE_DIVISOR,
    ZC_USE_ATOMIC, // what an atomic operation finds in memory, or what it is given
    ZC_USE_PRINTF,
};

// A use in the kernel's code, which has these as constants. All members have 8 bytes.
struct zc_use_site {
    const char *file; // NULL: not known
    uint64_t line;    // with `file`
    uint64_t use;     // enum zc_use
};
#define ZC_USE_SITE_WORDS 3

// A private variable, in the module's memory.
struct zc_unwritten_variable {
    const char *name;
    _Atomic uint64_t origin; // 0: it has none yet
};

// Where generated code finds the shadow. `nothing` stands for regions that have none, and `sink` takes what is written to the
// shadow of pages that are not tracked: its first ZC_SHADOW_SINK bytes.
struct zc_shadow_view {
    struct zc_shadow *shadow;
    struct zc_shadow_region *nothing, *sink;
};
#define ZC_SHADOW_SINK ((size_t)64 << 10)
extern struct zc_shadow_view zc_shadow_view;

struct zc_shadow_place {
    void *unwritten, *origins;
};

// An access that is not within one region.
struct zc_shadow_place zc_shadow_across(uintptr_t address, uint64_t size, uint64_t is_store);
// The work-item's variable begins to live.
void zc_unwritten_variable(void *address, uint64_t size, struct zc_unwritten_variable *variable);
// Memory that a library function has set.
void zc_written(void *address, uint64_t size);
void *zc_written_memcpy(void *to, const void *from, uint64_t size);
void *zc_written_memmove(void *to, const void *from, uint64_t size);
void *zc_written_memset(void *to, int value, uint64_t size);
void zc_written_set_origin(void *address, uint64_t size, uint32_t origin);
// Where MemorySanitizer passes what it knows of arguments and results; of a kernel's own nothing is unwritten.
void *zc_unwritten_state(void);
void *zc_unwritten_new_state(void);
// Ends the kernel: it has used what nobody has written.
_Noreturn void zc_report_unwritten(uint32_t origin, const struct zc_use_site *site);
// Does so, if there is something unwritten in memory, or among the arguments of a printf.
void zc_use_memory(const void *address, uint64_t size, const struct zc_use_site *site);
void zc_use_printf(
    uint32_t count, const uint32_t *shapes, const void *slots, const struct zc_use_site *site);

// What the thread's kernels are checked with; false: there is no memory. It may be called for each chunk of groups.
struct zc_worker;
bool zc_unwritten_begin(struct zc_worker *worker);
// Before a group runs: nobody has written to its local memory.
void zc_unwritten_begin_group(struct zc_worker *worker);
// The stack and local memory are anybody's again.
void zc_unwritten_end(struct zc_worker *worker);
// The memory goes, and somebody else may have it.
void zc_unwritten_forget(const struct zc_worker *worker, const void *memory, size_t size);

#endif
