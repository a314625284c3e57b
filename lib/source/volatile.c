// SPDX-License-Identifier: MIT

#include "source/volatile.h"

#include <string.h>

static const char *const words[MEZ_VOLATILE_WORDS] = {
    "__DATE__", "__TIME__", "__TIMESTAMP__", "__has_include", "__has_include_next", "__has_embed"};

// --- Reading

typedef struct reader {
    const char *next, *end;
} reader;

static bool begins(const reader *reader, const char *with)
{
    const size_t length = strlen(with);
    return (size_t)(reader->end - reader->next) >= length &&
           memcmp(reader->next, with, length) == 0;
}

// The end of a line that goes on: a \, which ??/ stands for too, and blanks that compilers ignore. 0: there is none.
static size_t length_of_splice(const reader *reader)
{
    const size_t mark = begins(reader, "\\") ? 1 : begins(reader, "?\?/") ? 3 : 0;
    for (const char *c = reader->next + mark; mark && c < reader->end; c++) {
        const size_t length = (size_t)(c + 1 - reader->next);
        if (*c == '\n')
            return length;
        if (*c == '\r')
            return length + (c + 1 < reader->end && c[1] == '\n');
        if (*c != ' ' && *c != '\t' && *c != '\f' && *c != '\v')
            return 0;
    }
    return 0;
}

static void pass_splices(reader *reader)
{
    size_t length;
    while ((length = length_of_splice(reader)))
        reader->next += length;
}

static bool is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80;
}

// A name's length, which may be greater than that of any word; of such the end is missing.
static size_t take_name(reader *reader, char name[MEZ_VOLATILE_LENGTH])
{
    size_t length = 0;
    while (reader->next < reader->end && is_of_name(*reader->next)) {
        if (length < MEZ_VOLATILE_LENGTH)
            name[length] = *reader->next;
        length++;
        reader->next++;
        pass_splices(reader);
    }
    return length;
}

// --- Pieces

static void note_piece(mez_volatile *seen, size_t word, const char *name, size_t length)
{
    const size_t whole = strlen(words[word]);
    for (size_t i = 0; i + length <= whole; i++)
        if (memcmp(words[word] + i, name, length) == 0)
            seen->pieces[word][i] |= (uint32_t)1 << length;
}

static void note_name(mez_volatile *seen, const char *name, size_t length)
{
    for (size_t i = 0; length <= MEZ_VOLATILE_LENGTH && i < MEZ_VOLATILE_WORDS; i++)
        note_piece(seen, i, name, length);
}

// The operator, in the spellings that it has; one that a line's end parts is seen by its first half.
static bool is_hash(const reader *reader)
{
    return begins(reader, "##") || begins(reader, "%:%:") || begins(reader, "?\?=") ||
           begins(reader, "#\\") || begins(reader, "#?\?/") || begins(reader, "%\\") ||
           begins(reader, "%?\?/") || begins(reader, "%:\\") || begins(reader, "%:?\?/");
}

void mez_volatile_look(mez_volatile *seen, const char *text, size_t size)
{
    reader reader = {text, text + size};
    char name[MEZ_VOLATILE_LENGTH];
    while (reader.next < reader.end) {
        const size_t length = take_name(&reader, name);
        if (length > 0) {
            note_name(seen, name, length);
            continue;
        }
        seen->pastes = seen->pastes || is_hash(&reader);
        reader.next++;
    }
}

// --- Words

static bool can_be_made(const mez_volatile *seen, size_t word)
{
    const size_t whole = strlen(words[word]);
    uint32_t ends = 1; // where a row of pieces may end
    if (seen->pieces[word][0] & (uint32_t)1 << whole)
        return true;
    for (size_t i = 0; i < whole; i++)
        if (ends & (uint32_t)1 << i)
            ends |= seen->pieces[word][i] << i;
    return seen->pastes && (ends & (uint32_t)1 << whole);
}

bool mez_volatile_is(const mez_volatile *seen)
{
    for (size_t i = 0; i < MEZ_VOLATILE_WORDS; i++)
        if (can_be_made(seen, i))
            return true;
    return false;
}
