// SPDX-License-Identifier: MIT
//
// What a kernel's code knows about the work-item it runs for. One layout for three readers: the
// engine's C, the builtins' OpenCL C, and the generated code, which addresses the fields by their
// index as 64-bit words.

#ifndef ZC_ENGINE_CONTEXT_H
#define ZC_ENGINE_CONTEXT_H

#ifdef __OPENCL_C_VERSION__
typedef ulong zc_word;
#else
#include <stdint.h>
typedef uint64_t zc_word;
#endif

struct zc_context {
    zc_word local_id[3];
    zc_word local_size[3];
    zc_word group_id[3];
    zc_word group_count[3];
    zc_word global_offset[3];
    zc_word dimensions;
    zc_word sub_group_size; // what the kernel was built for
    zc_word exchange; // address of a slot for each work-item; the one before says who is active
    zc_word
        waits_for;  // address of two words: the work-item writes there what it waits for, and where
    zc_word worker; // the struct zc_worker, where coroutine frames come from
    zc_word ranges; // address of a struct zc_range for each access that is checked
};

#define ZC_CONTEXT_WORDS 21
#define ZC_CONTEXT_LOCAL_ID 0
#define ZC_CONTEXT_LOCAL_SIZE 3
#define ZC_CONTEXT_WAITS_FOR 18
#define ZC_CONTEXT_WORKER 19
#define ZC_CONTEXT_RANGES 20

// Values of *waits_for.
#define ZC_WAITS_FOR_GROUP 0
#define ZC_WAITS_FOR_SUB_GROUP 1
// Beside: of its sub-group those that come to the same place with it, which the slot before the exchange names afterwards,
// a bit for each.
#define ZC_WAITS_FOR_ACTIVE 2
// Bits beside: the memory that the barrier orders, as SPIR-V's semantics have them. None: the barrier doesn't say.
#define ZC_WAIT_ORDERS_LOCAL 0x100
#define ZC_WAIT_ORDERS_GLOBAL 0x200
// Not a barrier of the program's: the engine has all wait, to see who does not come, or to keep rounds of a loop apart.
#define ZC_WAIT_ORDERS_NOTHING 0x400
// Where a sub-group's work-item waits, see wait_order.c.
#define ZC_WAIT_PLACE_SHIFT 16

// Bytes through which a work-item shows one scalar to the others of its group.
#define ZC_EXCHANGE_SLOT 8

// Address spaces of the code.
#define ZC_SPACE_PRIVATE 0u
#define ZC_SPACE_GLOBAL 1u
#define ZC_SPACE_CONSTANT 2u
#define ZC_SPACE_LOCAL 3u

// The name of a note at accesses that are right whatever a kernel does.
#define ZC_RIGHT_ACCESS "zc.right"

// No device has larger ones.
#define ZC_MAX_SUB_GROUP_SIZE 64

// Scopes as SPIR-V numbers them; smaller numbers are wider scopes.
#define ZC_SCOPE_WORKGROUP 2
#define ZC_SCOPE_SUBGROUP 3

#endif
