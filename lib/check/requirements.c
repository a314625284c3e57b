// SPDX-License-Identifier: MIT

#include "check/requirements.h"

#include <string.h>

#include "base/alloc.h"

static bool same_words(mez_slice a, mez_slice b)
{
    return a.length == b.length && memcmp(a.start, b.start, a.length) == 0;
}

static bool is_for_all(const mez_requirement *requirement)
{
    return !requirement->aspect.compilers && !requirement->aspect.perhaps;
}

// Do both ask for the same, be it from different places? What the first asks for may be more.
static bool says_the_same(const mez_requirement *a, const mez_requirement *b)
{
    switch (a->kind) {
    case MEZ_REQUIRES_ARCHITECTURE:
        return strcmp(a->architecture, b->architecture) == 0;
    case MEZ_REQUIRES_ASPECT:
        return a->aspect.name == b->aspect.name && a->aspect.number == b->aspect.number &&
               (a->aspect.compilers == b->aspect.compilers || is_for_all(a));
    case MEZ_REQUIRES_SUB_GROUP_SIZE:
        return a->sub_group_size == b->sub_group_size;
    case MEZ_REQUIRES_GROUP_SIZE:
        return memcmp(a->group.sizes, b->group.sizes, sizeof a->group.sizes) == 0 &&
               a->group.dimensions == b->group.dimensions;
    case MEZ_REQUIRES_LOCAL_MEMORY:
    case MEZ_REQUIRES_ARGUMENTS:
        return a->bytes == b->bytes;
    case MEZ_REQUIRES_MATRIX:
    case MEZ_REQUIRES_MATRIX_MAD:
        return same_words(a->matrix, b->matrix);
    case MEZ_REQUIRES_DEFINITION:
        return strcmp(a->import->name, b->import->name) == 0;
    case MEZ_REQUIRES_SPIRV_VERSION:
        return a->spirv_version == b->spirv_version;
    case MEZ_REQUIRES_CAPABILITY:
        return a->capability == b->capability;
    case MEZ_REQUIRES_EXTENSION:
        return strcmp(a->extension, b->extension) == 0;
    case MEZ_REQUIRES_ASSERT_FUNCTION: // one name in all code
        return (a->import == NULL) == (b->import == NULL);
    default: // each list of fixed targets narrows the choice
        return false;
    }
}

// How many are compared with a new one. No list of sense has more of a kind; one of millions must not take their square.
#define COMPARED 256

// `place` is behind the last of its kind.
static mez_requirement *find_same(
    mez_requirements *requirements, uint32_t place, const mez_requirement *wanted)
{
    const uint32_t end = place > COMPARED ? place - COMPARED : 0;
    for (uint32_t i = place; i > end && requirements->items[i - 1].kind == wanted->kind; i--)
        if (says_the_same(&requirements->items[i - 1], wanted))
            return &requirements->items[i - 1];
    return NULL;
}

// Of two that say the same the first stays, but a declaration counts wherever it stands, and what is certain more than what may be.
static void unite(mez_requirement *first, const mez_requirement *second)
{
    if (first->kind != MEZ_REQUIRES_ASPECT)
        return;
    if (first->aspect.perhaps && !second->aspect.perhaps)
        *first = *second;
    else if (!second->aspect.perhaps && !second->aspect.only_used)
        first->aspect.only_used = false;
}

// Behind all that are judged before it or with it.
static uint32_t find_place(const mez_requirements *requirements, mez_requirement_kind kind)
{
    uint32_t place = requirements->count;
    while (place > 0 && requirements->items[place - 1].kind > kind)
        place--;
    return place;
}

mez_error mez_requirements_add(mez_requirements *requirements, const mez_requirement *requirement)
{
    const uint32_t place = find_place(requirements, requirement->kind);
    mez_requirement *same = find_same(requirements, place, requirement);
    if (same) {
        unite(same, requirement);
        return mez_ok();
    }
    if (!mez_grow(&requirements->items, requirements->count, &requirements->capacity))
        return mez_error_no_memory("what a kernel requires");
    mez_requirement *items = requirements->items;
    memmove(&items[place + 1], &items[place], (requirements->count - place) * sizeof *items);
    items[place] = *requirement;
    requirements->count++;
    return mez_ok();
}

void mez_requirements_drop(mez_requirements *requirements, mez_requirement_kind kind)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < requirements->count; i++)
        if (requirements->items[i].kind != kind)
            requirements->items[kept++] = requirements->items[i];
    requirements->count = kept;
}

void mez_requirements_finish(mez_requirements *requirements)
{
    mez_free_memory(requirements->items);
    *requirements = (mez_requirements){0};
}
