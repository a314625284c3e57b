// SPDX-License-Identifier: MIT

#include "aspect/aspect.h"

#include <string.h>

#include "base/text.h"

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

const char *mez_aspect_suggest(const char *name, size_t length)
{
    skip_scope(&name, &length);
    mez_spelling spelling = mez_spelling_of(name, length);
    for (uint32_t i = 0; i < MEZ_ASPECT_COUNT; i++)
        mez_spelling_offer(&spelling, rows[i].name);
    return spelling.nearest;
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

mez_aspect mez_aspects_next(const mez_aspects *set, mez_aspect from)
{
    uint32_t i = from;
    while (i < MEZ_ASPECT_COUNT && !mez_aspects_has(set, (mez_aspect)i))
        i++;
    return (mez_aspect)i;
}
