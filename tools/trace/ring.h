// SPDX-License-Identifier: MIT
//
// The rings: one thread writes each, the writer of the trace reads all.

#ifndef TRACE_RING_H
#define TRACE_RING_H

#include "memory.h"
#include "record.h"

// --- For the traced program

// A free ring for the calling thread, which from then on is the only one to push; its number, or -1: all are used.
// Thread-safety: safe.
int trace_ring_claim(const struct trace_memory *memory);

// The thread ends: the ring is free for others once it is read.
void trace_ring_leave(const struct trace_memory *memory, int ring);

// Adds a record of `record->words` words. It never waits: where there is no room the record is lost, and counted.
void trace_ring_push(
    const struct trace_memory *memory, int ring, const struct trace_record *record);

// --- For the writer

enum trace_reading {
    TRACE_READ_NONE, // nothing is there (yet)
    TRACE_READ_ONE,
    TRACE_READ_DAMAGED // what is there is no record; the reader has gone past all of it
};

// Where the writer is in a ring. Zero is the beginning. Its own, so that nobody else can move it.
struct trace_ring_reader {
    uint64_t tail;
    uint64_t head; // as last seen
    uint64_t lost; // as last reported
};

// Copies the next record and gives its room back to the program.
enum trace_reading trace_ring_read(const struct trace_memory *memory, int ring,
    struct trace_ring_reader *reader, union trace_any_record *record);

// Is its thread gone, and all read? Then the ring is given to others.
bool trace_ring_recycle(
    const struct trace_memory *memory, int ring, struct trace_ring_reader *reader);

// How many records were lost since the last call.
uint64_t trace_ring_new_losses(
    const struct trace_memory *memory, int ring, struct trace_ring_reader *reader);

#endif
