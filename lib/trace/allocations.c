// SPDX-License-Identifier: MIT

#include "trace/allocations.h"

#include "base/alloc.h"
#include "base/lock.h"

#define FIRST_CAPACITY 64 // a power of two, as all are

// Open addressing. The lock guards all three.
static mez_lock lock;
static mez_trace_live *table;
static size_t capacity, count;

static size_t home(const void *pointer, size_t places)
{
    return (size_t)(((uintptr_t)pointer >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (places - 1);
}

// The place of the pointer, or the empty one where it would stand. There is an empty one.
static mez_trace_live *place_of(mez_trace_live *places, size_t size, const void *pointer)
{
    size_t i = home(pointer, size);
    while (places[i].pointer && places[i].pointer != pointer)
        i = (i + 1) & (size - 1);
    return &places[i];
}

// Keeps a quarter of the places empty.
static bool make_room(void)
{
    if (count + 1 <= capacity / 4 * 3)
        return true;
    const size_t larger = capacity ? capacity * 2 : FIRST_CAPACITY;
    mez_trace_live *places = mez_alloc_array(larger, sizeof *places);
    if (!places)
        return false;
    for (size_t i = 0; i < capacity; i++)
        if (table[i].pointer)
            *place_of(places, larger, table[i].pointer) = table[i];
    mez_free_memory(table);
    table = places;
    capacity = larger;
    return true;
}

void mez_trace_allocations_add(const mez_trace_live *live)
{
    mez_trace_node *old = live->node;
    mez_lock_take(&lock);
    if (make_room()) {
        mez_trace_live *place = place_of(table, capacity, live->pointer);
        count += !place->pointer;
        old = place->node;
        *place = *live;
    }
    mez_lock_release(&lock);
    mez_trace_node_unref(old);
}

// What stood behind the gap and could not stand at home moves up, so that it is found.
static void close_gap(size_t gap)
{
    for (size_t i = (gap + 1) & (capacity - 1); table[i].pointer; i = (i + 1) & (capacity - 1)) {
        const size_t wanted = home(table[i].pointer, capacity);
        if (((i - wanted) & (capacity - 1)) < ((i - gap) & (capacity - 1)))
            continue;
        table[gap] = table[i];
        gap = i;
    }
    table[gap] = (mez_trace_live){.pointer = NULL};
}

static void empty_table(void)
{
    mez_free_memory(table);
    table = NULL;
    capacity = 0;
}

mez_trace_live mez_trace_allocations_take(const void *pointer)
{
    mez_trace_live found = {.pointer = NULL};
    mez_lock_take(&lock);
    mez_trace_live *place = count > 0 ? place_of(table, capacity, pointer) : NULL;
    if (place && place->pointer) {
        found = *place;
        close_gap((size_t)(place - table));
        if (--count == 0)
            empty_table();
    }
    mez_lock_release(&lock);
    return found;
}
