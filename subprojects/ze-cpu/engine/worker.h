// SPDX-License-Identifier: MIT
//
// A worker: one thread's memory for local variables, exchanged values and coroutine frames, and what it runs.

#ifndef ZC_ENGINE_WORKER_H
#define ZC_ENGINE_WORKER_H

#include "checked.h"
#include "context.h"
#include "program.h"
#include "races.h"

// Memory around a group's local memory. Vectors of work-items of which some take part read with a mask, and
// the processor takes hundreds of cycles for those that it leaves out where no memory is, as in
// `if (id >= distance) x = local[id - distance]`.
#define ZC_LOCAL_MARGIN ((size_t)16 << 10)

struct chunk {
    struct chunk *next;
    size_t size; // with this header
    size_t used;
};

// A block that grows: its content is not kept.
struct block {
    void *memory;
    size_t size;
};

// Of local ids that are not written down.
#define ZC_UNKNOWN_ID UINT64_MAX

// What is needed to find uses of what nobody has written (unwritten.h).
struct zc_unwritten {
    struct zc_shadow *shadow;   // NULL: this worker has not run such kernels
    uintptr_t stack, stack_end; // variables lie there; 0: none does
    void *local_memory;         // of the last group; NULL: there is none
    size_t local_size;
    struct zc_shadow_region *local_region; // in which all local memory lies
    struct block state;
};

// The asynchronous copy that the group is coming to.
struct zc_copy_check {
    bool is_there, differs;
    uint64_t arguments[4];
    uint64_t first, other; // the work-items that have given it these, and others
};

// What the checks of kernels need to know.
struct zc_checking {
    const struct zc_kernel *kernel;
    const struct zc_checker *checker;
    bool finds_divergence; // in what runs
    struct zc_copy_check copy;
    uintptr_t stack; // above what the kernel has of it
    struct block ranges;
    struct zc_unwritten unwritten;
    struct zc_finding finding;
};

struct zc_worker {
    struct zc_context context; // of the group that runs, or ran when it was left
    uint64_t item;             // of a coroutine: the work-item that runs; else ZC_UNKNOWN_ID
    struct zc_watch *watch;    // of the groups that run
    uintptr_t stack;           // below it is what the kernel has of it
    struct chunk *chunks;      // of frames; kept for the next group
    struct chunk *current;     // chunks before it are full
    struct block local_memory;
    uint32_t local_memory_size; // of the groups that run
    struct block exchange;
    struct block handles;
    struct block items; // what work-items of loops keep
    struct zc_checking checking;
    struct zc_races races;
};

void *zc_worker_local_memory(const struct zc_worker *worker);
void zc_worker_local_id(const struct zc_worker *worker, uint64_t item, uint64_t id[3]);
// NULL: there is none.
void *zc_map_memory(size_t size);
bool zc_block_reserve(struct block *block, size_t size);
// What was never written to is 0.
bool zc_local_memory_reserve(struct block *block, size_t size);

// Memory through which so many work-items exchange values, and the word in it that says who of a sub-group is active.
bool zc_exchange_reserve(struct zc_worker *worker, size_t items);
uint64_t *zc_exchange_active(const struct zc_worker *worker);

// Between the two a group may not be left by a jump. False: it was cancelled.
void zc_worker_leave_kernel(struct zc_worker *worker);
bool zc_worker_enter_kernel(struct zc_worker *worker);

#endif
