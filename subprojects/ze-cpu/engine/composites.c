// SPDX-License-Identifier: MIT
//
// Composites made of values that are computed (OpCompositeConstruct), which llvm-spirv-15 crashes on: clang makes vectors
// by inserting one element after the other, other compilers don't. They become insertions here:
//
//     %v = OpCompositeConstruct %t %a %b      %x = OpUndef %t
//                                             %y = OpCompositeInsert %t %a %x 0
//                                             %v = OpCompositeInsert %t %b %y 1
//
// Vectors made of other vectors are left to rewriting_composites.c.

#include "words.h"

#include <stdlib.h>
#include <string.h>

enum {
    OP_UNDEF = 1,
    OP_TYPE_VECTOR = 23,
    OP_COMPOSITE_CONSTRUCT = 80,
    OP_COMPOSITE_INSERT = 82,
};
enum { UNDEF_LENGTH = 3, INSERT_LENGTH = 6, CONSTRUCT_HEAD = 3 };

// The sizes of vector types, by id.
struct vectors {
    uint32_t *sizes; // 0: another type
    uint32_t bound;
};

static size_t length_at(const struct zc_words *words, size_t at)
{
    return words->data[at] >> 16;
}

static bool is_at(const struct zc_words *words, size_t at, uint32_t opcode, size_t least)
{
    return (words->data[at] & 0xffff) == opcode && length_at(words, at) >= least;
}

static void note_type(struct vectors *vectors, const uint32_t *instruction)
{
    if (instruction[1] < vectors->bound)
        vectors->sizes[instruction[1]] = instruction[3];
}

// Of single elements, as far as the type is known.
static bool can_be_spelled_out(const struct vectors *vectors, const uint32_t *instruction)
{
    const uint32_t type = instruction[1], size = type < vectors->bound ? vectors->sizes[type] : 0;
    return size == 0 || size == (instruction[0] >> 16) - CONSTRUCT_HEAD;
}

// How many words it takes.
static size_t spelled_length(const uint32_t *instruction)
{
    return UNDEF_LENGTH + INSERT_LENGTH * ((instruction[0] >> 16) - CONSTRUCT_HEAD);
}

// Returns the end of what it writes. Ids from *bound on are new.
static uint32_t *spell_out(const uint32_t *instruction, uint32_t *to, uint32_t *bound)
{
    const uint32_t type = instruction[1], result = instruction[2];
    const uint32_t count = (instruction[0] >> 16) - CONSTRUCT_HEAD;
    uint32_t before = count > 0 ? (*bound)++ : result;
    *to++ = UNDEF_LENGTH << 16 | OP_UNDEF;
    *to++ = type;
    *to++ = before;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t id = i + 1 == count ? result : (*bound)++;
        const uint32_t insert[INSERT_LENGTH] = {INSERT_LENGTH << 16 | OP_COMPOSITE_INSERT, type, id,
            instruction[CONSTRUCT_HEAD + i], before, i};
        memcpy(to, insert, sizeof(insert));
        to += INSERT_LENGTH;
        before = id;
    }
    return to;
}

static void note_types(const struct zc_words *words, struct vectors *vectors)
{
    for (size_t at = ZC_SPIRV_HEADER_WORDS; at < words->count; at += length_at(words, at)) {
        if (is_at(words, at, OP_TYPE_VECTOR, 4))
            note_type(vectors, words->data + at);
    }
}

// Returns the words that are needed, as many as there are if nothing is to do. All types are known: a damaged module may define one
// behind its use, or twice.
static size_t measure(const struct zc_words *words, const struct vectors *vectors)
{
    size_t needed = words->count;
    for (size_t at = ZC_SPIRV_HEADER_WORDS; at < words->count; at += length_at(words, at)) {
        if (is_at(words, at, OP_COMPOSITE_CONSTRUCT, CONSTRUCT_HEAD) &&
            can_be_spelled_out(vectors, words->data + at))
            needed += spelled_length(words->data + at) - length_at(words, at);
    }
    return needed;
}

static void write_all(const struct zc_words *words, const struct vectors *vectors, uint32_t *data)
{
    uint32_t *to = data + ZC_SPIRV_HEADER_WORDS;
    memcpy(data, words->data, ZC_SPIRV_HEADER_WORDS * sizeof(*data));
    for (size_t at = ZC_SPIRV_HEADER_WORDS; at < words->count; at += length_at(words, at)) {
        if (is_at(words, at, OP_COMPOSITE_CONSTRUCT, CONSTRUCT_HEAD) &&
            can_be_spelled_out(vectors, words->data + at)) {
            to = spell_out(words->data + at, to, &data[ZC_SPIRV_BOUND]);
        } else {
            memcpy(to, words->data + at, length_at(words, at) * sizeof(*to));
            to += length_at(words, at);
        }
    }
}

bool zc_composites_spell_out(struct zc_log *log, struct zc_words *words)
{
    struct vectors vectors = {.bound = words->data[ZC_SPIRV_BOUND]};
    if (vectors.bound > words->count) // each id takes a word
        vectors.bound = (uint32_t)words->count;
    vectors.sizes = calloc((size_t)vectors.bound + 1, sizeof(*vectors.sizes));
    uint32_t *data = NULL;
    if (vectors.sizes != NULL) {
        note_types(words, &vectors);
        const size_t needed = measure(words, &vectors);
        data = needed == words->count ? words->data : malloc(needed * sizeof(*data));
        if (data != NULL && data != words->data) {
            write_all(words, &vectors, data);
            free(words->data);
            *words = (struct zc_words){data, needed};
        }
    }
    free(vectors.sizes);
    if (data == NULL)
        zc_log_add(log, "error: out of memory");
    return data != NULL;
}
