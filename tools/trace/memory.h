// SPDX-License-Identifier: MIT
//
// The memory that a traced program and the writer of its trace share: a head, a table of strings, and one ring for each thread.
// It outlives the program, however that ends, because the writer holds it too.
//
// Both sides map the same file. The program writes records and reads how far the writer has come; the writer believes nothing
// that it finds there: a program that overwrites its memory may hit ours.
//
// Thread-safety: each function says for whom it is; the memory itself is made for all threads of all traced processes.

#ifndef TRACE_MEMORY_H
#define TRACE_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_MAGIC UINT64_C(0x32676e69727a656d) // "mezring2"

enum {
    TRACE_RINGS = 256, // threads that can be traced at the same time
    TRACE_STRING_SLOTS = 1 << 18,
    TRACE_STRING_GUESSES = 1 << 12,
    TRACE_STRING_BYTES = 1 << 25
};

enum trace_ring_state {
    TRACE_RING_FREE,
    TRACE_RING_USED, // a thread writes it
    TRACE_RING_LEFT  // its thread has ended; free once the writer has read it
};

// One producer and one consumer. Positions count words from the beginning and never wrap.
struct trace_ring {
    _Alignas(64) _Atomic uint32_t state;
    uint32_t process;
    uint32_t thread;
    char name[16];                      // of the thread, as the system knows it
    _Atomic uint64_t head;              // all before it is written
    _Atomic uint64_t lost;              // records that found no room
    _Alignas(64) _Atomic uint64_t tail; // all before it is read
};

struct trace_head {
    uint64_t magic;
    uint64_t size; // of the whole memory
    uint64_t ring_words;
    _Atomic uint64_t strings_used; // bytes
    _Atomic uint64_t strings_lost; // that found no room
    _Atomic uint64_t ringless;     // records of threads that found no ring
    _Atomic uint32_t detail;       // how much is reported of commands: MEZ_XPTI_DETAIL_*
    _Atomic uint32_t executions;   // the program reports when devices have run what it submits
    _Atomic uint32_t finished;     // the program has come to its exit
    _Atomic uint32_t closed;       // the writer takes no more than what is there now
    _Atomic uint32_t written;      // it has done its work
};

// Where the parts are in this process.
struct trace_memory {
    struct trace_head *head;
    _Atomic uint32_t *slots;   // offsets of strings; 0: free
    _Atomic uint32_t *guesses; // the string that was last at such an address; 0: none
    char *strings;
    struct trace_ring *rings;
    uint64_t *words;
    uint64_t ring_words; // our own copy
    size_t size;
};

// Makes a memory and maps it. Returns its file, which is closed when a program is executed, or -1 with errno.
// A ring's words have eight bytes each; their number is a power of two.
int trace_memory_create(struct trace_memory *memory, size_t ring_words);

// Maps the memory of an open file. False with errno: it can't be mapped, or is none (EINVAL).
bool trace_memory_map(struct trace_memory *memory, int file);

// Unmaps it; does nothing if it is not mapped.
void trace_memory_finish(struct trace_memory *memory);

static inline uint64_t *trace_ring_words(const struct trace_memory *memory, size_t ring)
{
    return memory->words + ring * memory->ring_words;
}

#endif
