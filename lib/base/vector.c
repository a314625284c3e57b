// SPDX-License-Identifier: MIT
//
// Growing arrays, and indexing items by their names.

#include "base/vector.h"

#include <string.h>

#define FIRST_CAPACITY 8

bool mez_vector_grow(void *items, size_t size, size_t *capacity)
{
    size_t larger = FIRST_CAPACITY;
    if (*capacity > 0 && __builtin_mul_overflow(*capacity, 2, &larger))
        return false;
    // The pointer is of another type than void *: its bytes are read and written.
    void *memory;
    memcpy(&memory, items, sizeof memory);
    memory = mez_realloc_array(memory, larger, size);
    if (!memory)
        return false;
    memcpy(items, &memory, sizeof memory);
    *capacity = larger;
    return true;
}

// --- Finding items by name

// Fewer names than this are looked through, which is faster and takes no memory.
#define FEW 16

static const char *name_of(const mez_named_items *items, size_t place)
{
    const char *name;
    memcpy(&name, (const char *)items->items + place * items->size, sizeof name);
    return name;
}

static bool is_called(const mez_named_items *items, size_t place, const char *name, size_t length)
{
    const char *its = name_of(items, place);
    return strncmp(its, name, length) == 0 && its[length] == '\0';
}

// FNV-1a.
static uint64_t hash_of(const char *name, size_t length)
{
    uint64_t value = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++)
        value = (value ^ (uint8_t)name[i]) * UINT64_C(0x100000001b3);
    return value ^ value >> 32;
}

static size_t look_through_names(const mez_named_items *items, const char *name, size_t length)
{
    for (size_t i = 0; i < items->count; i++)
        if (is_called(items, i, name, length))
            return i;
    return MEZ_NAME_NOT_FOUND;
}

size_t mez_name_index_find(
    const mez_name_index *index, const mez_named_items *items, const char *name, size_t length)
{
    if (!index->slots)
        return look_through_names(items, name, length);
    for (size_t i = hash_of(name, length) & (index->room - 1);; i = (i + 1) & (index->room - 1)) {
        const size_t slot = index->slots[i];
        if (slot == 0)
            return MEZ_NAME_NOT_FOUND;
        if (is_called(items, slot - 1, name, length))
            return slot - 1;
    }
}

static void insert_name(mez_name_index *index, const mez_named_items *items, size_t place)
{
    const char *name = name_of(items, place);
    size_t i = hash_of(name, strlen(name)) & (index->room - 1);
    while (index->slots[i] != 0)
        i = (i + 1) & (index->room - 1);
    index->slots[i] = place + 1;
}

// At most half of the slots are taken, so that looking for a name ends soon.
bool mez_name_index_reserve(mez_name_index *index, const mez_named_items *items)
{
    if (items->count < FEW || (items->count + 1) * 2 <= index->room)
        return true;
    size_t room = index->room ? index->room : 4 * FEW;
    while (room < (items->count + 1) * 2)
        room *= 2;
    mez_name_index larger = {
        .slots = mez_alloc_array(room, sizeof *larger.slots),
        .room = room,
    };
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < items->count; i++)
        insert_name(&larger, items, i);
    mez_name_index_finish(index);
    *index = larger;
    return true;
}

void mez_name_index_add(mez_name_index *index, const mez_named_items *items)
{
    if (index->slots)
        insert_name(index, items, items->count - 1);
}

void mez_name_index_finish(mez_name_index *index)
{
    mez_free_memory(index->slots);
    *index = (mez_name_index){0};
}
