// SPDX-License-Identifier: MIT
//
// Fuzz target of what happens to SPIR-V before it is translated: cleaning it and setting its
// specialization constants. What comes out has whole instructions only; setting the same values again
// changes nothing, unless vectors were spelled out.

#include "words.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

// A vector made of values becomes insertions, of six words each (composites.c). What is rewritten grows to this (rewriting.c).
#define MOST_GROWTH (6 * 16)
#define MOST_ADDED (1u << 20)

static void check_words(const struct zc_words *words)
{
    size_t at = ZC_SPIRV_HEADER_WORDS;
    while (at < words->count) {
        const size_t length = words->data[at] >> 16;
        require(length > 0 && length <= words->count - at);
        at += length;
    }
}

static void check_again(const struct zc_spirv *spirv, const struct zc_words *words)
{
    struct zc_log log = {0};
    struct zc_words again;
    const struct zc_spirv same = {.bytes = words->data,
        .size = words->count * sizeof(uint32_t),
        .constants = spirv->constants};
    require(zc_words_read(&log, &same, &again));
    require(again.count == words->count);
    require(memcmp(again.data, words->data, same.size) == 0);
    free(again.data);
    free(zc_log_take(&log));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const uint64_t number = UINT64_C(0xfedcba9876543210);
    static const uint32_t ids[] = {0, 1, 7, 8};
    static const void *const values[] = {&number, &number, &number, &number};
    const struct zc_spirv spirv = {
        .bytes = bytes, .size = size, .constants = {.count = 4, .ids = ids, .values = values}};
    struct zc_log log = {0};
    struct zc_words words;
    if (zc_words_read(&log, &spirv, &words)) {
        require(words.count <= MOST_GROWTH * (size / sizeof(uint32_t)) + MOST_ADDED);
        check_words(&words);
        const uint8_t *bound =
            bytes + ZC_SPIRV_BOUND * sizeof(uint32_t); // another one, if ids were added
        if (memcmp(words.data + ZC_SPIRV_BOUND, bound, sizeof(uint32_t)) == 0)
            check_again(&spirv, &words);
        free(words.data);
    }
    free(zc_log_take(&log));
    return 0;
}
