// SPDX-License-Identifier: MIT
//
// A string's number is its offset among the strings. A table that is hashed into, and never shrinks, finds it again; whoever
// puts the number into an empty slot first has won, and what the loser wrote stays unused.
//
// Most strings come from the same addresses again and again, so the number that an address had last is tried first. It is only a
// guess: the bytes are compared, as memory is freed and used again, and processes have other strings at the same address.

#include "strings.h"

#include <string.h>

// Of each event several names are looked for, some of them paths: eight bytes at a time.
static uint32_t hash(const char *text, size_t length)
{
    uint64_t value = length, word;
    for (; length >= sizeof word; text += sizeof word, length -= sizeof word) {
        memcpy(&word, text, sizeof word);
        value = (value ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        value ^= value >> 32; // high bytes of a word count below, too
    }
    word = 0;
    memcpy(&word, text, length);
    value = (value ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(value ^ value >> 32);
}

static bool equals(
    const struct trace_memory *memory, uint32_t number, const char *text, size_t length)
{
    const char *known = memory->strings + number;
    return memcmp(known, text, length) == 0 && known[length] == '\0';
}

// 0: no room. The first byte stays free, so that no string has the number 0.
static uint32_t store(const struct trace_memory *memory, const char *text, size_t length)
{
    _Atomic uint64_t *const used = &memory->head->strings_used;
    if (atomic_load_explicit(used, memory_order_relaxed) + length + 2 > TRACE_STRING_BYTES)
        return 0;
    const uint64_t start = atomic_fetch_add_explicit(used, length + 1, memory_order_relaxed) + 1;
    if (start + length + 1 > TRACE_STRING_BYTES)
        return 0;
    memcpy(memory->strings + start, text, length); // the memory is zero behind it
    return (uint32_t)start;
}

static uint32_t lose(const struct trace_memory *memory)
{
    atomic_fetch_add_explicit(&memory->head->strings_lost, 1, memory_order_relaxed);
    return 0;
}

__attribute__((noinline)) static uint32_t find_or_store(
    const struct trace_memory *memory, const char *text)
{
    const size_t length = strnlen(text, TRACE_MOST_STRING);
    uint32_t own = 0;
    uint32_t slot = hash(text, length);
    for (size_t tries = 0; tries < 64; tries++, slot++) {
        _Atomic uint32_t *const place = &memory->slots[slot % TRACE_STRING_SLOTS];
        uint32_t number = atomic_load_explicit(place, memory_order_acquire);
        if (!number) {
            if (!own && !(own = store(memory, text, length)))
                return lose(memory);
            if (atomic_compare_exchange_strong_explicit(
                    place, &number, own, memory_order_acq_rel, memory_order_acquire))
                return own;
        }
        if (equals(memory, number, text, length))
            return number;
    }
    return lose(memory);
}

static _Atomic uint32_t *guess_of(const struct trace_memory *memory, const char *text)
{
    const uint64_t mixed = (uintptr_t)text * UINT64_C(0x9e3779b97f4a7c15);
    return &memory->guesses[(mixed >> 32) % TRACE_STRING_GUESSES];
}

// A long string never equals what was cut of it.
uint32_t trace_string_intern(const struct trace_memory *memory, const char *text)
{
    if (!text || !*text)
        return 0;
    _Atomic uint32_t *const guess = guess_of(memory, text);
    uint32_t number = atomic_load_explicit(guess, memory_order_acquire);
    if (number && number < TRACE_STRING_BYTES && strcmp(memory->strings + number, text) == 0)
        return number;
    number = find_or_store(memory, text);
    atomic_store_explicit(guess, number, memory_order_release);
    return number;
}

// A string that a program has damaged may have lost its end.
const char *trace_string_get(const struct trace_memory *memory, uint32_t number)
{
    if (number == 0 || number >= TRACE_STRING_BYTES)
        return "";
    const char *text = memory->strings + number;
    return memchr(text, '\0', TRACE_STRING_BYTES - number) ? text : "";
}

const char *trace_file_get(const struct trace_memory *memory, uint32_t number)
{
    const char *file = trace_string_get(memory, number);
    const bool unknown = strcmp(file, "unknown_file") == 0 || strcmp(file, "unknown-file") == 0;
    return unknown ? "" : file;
}
