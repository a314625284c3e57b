// SPDX-License-Identifier: MIT

#include "ring.h"

#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static void introduce(struct trace_ring *ring)
{
    ring->process = (uint32_t)getpid();
    ring->thread = (uint32_t)gettid();
    prctl(PR_GET_NAME, ring->name, 0, 0, 0);
}

// The one who has claimed a free ring finds it read to its end, so its positions just go on.
int trace_ring_claim(const struct trace_memory *memory)
{
    for (int i = 0; i < TRACE_RINGS; i++) {
        struct trace_ring *ring = &memory->rings[i];
        uint32_t state = TRACE_RING_FREE;
        if (!atomic_compare_exchange_strong_explicit(
                &ring->state, &state, TRACE_RING_USED, memory_order_acq_rel, memory_order_relaxed))
            continue;
        introduce(ring);
        return i;
    }
    return -1;
}

void trace_ring_leave(const struct trace_memory *memory, int ring)
{
    atomic_store_explicit(&memory->rings[ring].state, TRACE_RING_LEFT, memory_order_release);
}

static void count_loss(struct trace_ring *ring)
{
    const uint64_t lost = atomic_load_explicit(&ring->lost, memory_order_relaxed);
    atomic_store_explicit(&ring->lost, lost + 1, memory_order_relaxed);
}

void trace_ring_push(
    const struct trace_memory *memory, int number, const struct trace_record *record)
{
    struct trace_ring *ring = &memory->rings[number];
    uint64_t *const words = trace_ring_words(memory, (size_t)number);
    const uint64_t mask = memory->ring_words - 1;
    const uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    const uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
    const uint64_t room = memory->ring_words - (head - tail);
    const size_t at = head & mask;
    const size_t count = record->words;
    if (count > room) {
        count_loss(ring);
        return;
    }
    const size_t first = count < memory->ring_words - at ? count : memory->ring_words - at;
    memcpy(words + at, record, first * sizeof *words);
    if (first < count)
        memcpy(words, (const uint64_t *)record + first, (count - first) * sizeof *words);
    atomic_store_explicit(&ring->head, head + count, memory_order_release);
}

// --- For the writer

static void move_to(
    const struct trace_memory *memory, int ring, struct trace_ring_reader *reader, uint64_t tail)
{
    reader->tail = tail;
    atomic_store_explicit(&memory->rings[ring].tail, tail, memory_order_release);
}

static void copy_out(
    const struct trace_memory *memory, int ring, uint64_t from, size_t count, uint64_t *to)
{
    const uint64_t *words = trace_ring_words(memory, (size_t)ring);
    const uint64_t mask = memory->ring_words - 1;
    for (size_t i = 0; i < count; i++)
        to[i] = words[(from + i) & mask];
}

// The length is judged on our copy: the program can't change it afterwards.
static bool copy_record(const struct trace_memory *memory, int ring,
    const struct trace_ring_reader *reader, union trace_any_record *record)
{
    const uint64_t there = reader->head - reader->tail;
    if (there > memory->ring_words || there < TRACE_RECORD_WORDS)
        return false;
    copy_out(memory, ring, reader->tail, TRACE_RECORD_WORDS, record->words);
    const size_t count = record->record.words;
    if (count < TRACE_RECORD_WORDS || count > TRACE_MOST_WORDS || count > there)
        return false;
    copy_out(memory, ring, reader->tail + TRACE_RECORD_WORDS, count - TRACE_RECORD_WORDS,
        record->words + TRACE_RECORD_WORDS);
    return true;
}

enum trace_reading trace_ring_read(const struct trace_memory *memory, int ring,
    struct trace_ring_reader *reader, union trace_any_record *record)
{
    if (reader->head == reader->tail)
        reader->head = atomic_load_explicit(&memory->rings[ring].head, memory_order_acquire);
    if (reader->head == reader->tail)
        return TRACE_READ_NONE;
    const bool good = copy_record(memory, ring, reader, record);
    move_to(memory, ring, reader, good ? reader->tail + record->record.words : reader->head);
    return good ? TRACE_READ_ONE : TRACE_READ_DAMAGED;
}

// The state is read before the head: what the thread wrote last is then seen too.
bool trace_ring_recycle(
    const struct trace_memory *memory, int number, struct trace_ring_reader *reader)
{
    struct trace_ring *ring = &memory->rings[number];
    if (atomic_load_explicit(&ring->state, memory_order_acquire) != TRACE_RING_LEFT ||
        reader->tail != atomic_load_explicit(&ring->head, memory_order_acquire))
        return false;
    atomic_store_explicit(&ring->state, TRACE_RING_FREE, memory_order_release);
    return true;
}

uint64_t trace_ring_new_losses(
    const struct trace_memory *memory, int ring, struct trace_ring_reader *reader)
{
    const uint64_t lost = atomic_load_explicit(&memory->rings[ring].lost, memory_order_relaxed);
    const uint64_t news = lost - reader->lost;
    reader->lost = lost;
    return news;
}
