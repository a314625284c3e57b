// SPDX-License-Identifier: MIT
//
// Writing SPIR-V in two runs of the same code: the first counts, the second writes.
//
// Thread-safety: none.

#ifndef MEZ_SPIRV_WORDS_H
#define MEZ_SPIRV_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct mez_spirv_words {
    uint32_t *words; // NULL: only count; else room for all that the counting run counted
    size_t count;
};

static inline void mez_spirv_add_words(
    struct mez_spirv_words *out, const uint32_t *words, size_t count)
{
    if (out->words && count)
        memcpy(out->words + out->count, words, count * sizeof *words);
    out->count += count;
}

// Writes the first word of the instruction that began at `start`, whose length is known now.
static inline void mez_spirv_close_instruction(
    struct mez_spirv_words *out, size_t start, uint16_t opcode)
{
    if (out->words)
        out->words[start] = (uint32_t)(out->count - start) << 16 | opcode;
}

#endif
