// SPDX-License-Identifier: MIT

#include "aspect/aspect.h"

#include <string.h>

#define NONE UINT32_MAX

static const struct aspect_row {
    const char *name, *other;
    uint32_t numbers[MEZ_ASPECT_NUMBERINGS];
} rows[] = {
#define ASPECT(name, other, classic, renumbered) {#name, other, {classic, renumbered}},
#include "aspect/aspects.def"
#undef ASPECT
};

const char *mez_aspect_name(mez_aspect aspect)
{
    return rows[aspect].name;
}

static bool is_called(const char *name, const char *wanted, size_t length)
{
    return name && strlen(name) == length && memcmp(name, wanted, length) == 0;
}

#define SCOPE "aspect::"

static void skip_scope(const char **name, size_t *length)
{
    const size_t scope = sizeof SCOPE - 1;
    if (*length < scope || memcmp(*name, SCOPE, scope) != 0)
        return;
    *name += scope;
    *length -= scope;
}

mez_aspect mez_aspect_find(const char *name, size_t length)
{
    skip_scope(&name, &length);
    for (uint32_t i = 0; i < MEZ_ASPECT_COUNT; i++)
        if (is_called(rows[i].name, name, length) || is_called(rows[i].other, name, length))
            return (mez_aspect)i;
    return MEZ_ASPECT_NONE;
}

bool mez_aspect_get_number(mez_aspect aspect, mez_aspect_numbering numbering, uint32_t *number)
{
    *number = rows[aspect].numbers[numbering];
    return *number != NONE;
}

mez_aspect mez_aspect_from_number(mez_aspect_numbering numbering, uint32_t number)
{
    for (uint32_t i = 0; number != NONE && i < MEZ_ASPECT_COUNT; i++)
        if (rows[i].numbers[numbering] == number)
            return (mez_aspect)i;
    return MEZ_ASPECT_NONE;
}

// --- Misspelt names

#define LONGEST_NAME 64

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// Letters to insert, remove or change until one is the other (Levenshtein).
static uint32_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    uint32_t row[LONGEST_NAME + 1];
    for (uint32_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (uint32_t i = 1; i <= a_length; i++) {
        uint32_t diagonal = row[0];
        row[0] = i;
        for (uint32_t j = 1; j <= b_length; j++) {
            const uint32_t changed = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(changed, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[b_length];
}

const char *mez_aspect_suggest(const char *name, size_t length)
{
    skip_scope(&name, &length);
    const char *nearest = NULL;
    uint32_t best = 3; // more letters than a slip of the hand
    for (uint32_t i = 0; length <= LONGEST_NAME && i < MEZ_ASPECT_COUNT; i++) {
        const uint32_t far = distance(name, length, rows[i].name, strlen(rows[i].name));
        if (far >= best)
            continue;
        best = far;
        nearest = rows[i].name;
    }
    return nearest;
}

// --- Sets

bool mez_aspects_unite(mez_aspects *set, const mez_aspects *more)
{
    uint64_t grown = 0;
    for (uint32_t i = 0; i < MEZ_ASPECT_WORDS; i++) {
        grown |= more->words[i] & ~set->words[i];
        set->words[i] |= more->words[i];
    }
    return grown != 0;
}

mez_aspects mez_aspects_except(const mez_aspects *set, const mez_aspects *without)
{
    mez_aspects rest;
    for (uint32_t i = 0; i < MEZ_ASPECT_WORDS; i++)
        rest.words[i] = set->words[i] & ~without->words[i];
    return rest;
}

bool mez_aspects_equal(const mez_aspects *a, const mez_aspects *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

bool mez_aspects_empty(const mez_aspects *set)
{
    return mez_aspects_next(set, (mez_aspect)0) == MEZ_ASPECT_COUNT;
}

mez_aspect mez_aspects_next(const mez_aspects *set, mez_aspect from)
{
    uint32_t i = from;
    while (i < MEZ_ASPECT_COUNT && !mez_aspects_has(set, (mez_aspect)i))
        i++;
    return (mez_aspect)i;
}
