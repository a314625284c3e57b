// SPDX-License-Identifier: MIT
//
// Refuses what ze-cpu never has by the names of instructions, before llvm-spirv sees them, which crashes on some.

#include "instructions.h"
#include "log.h"
#include "words.h"

#include <stdlib.h>

enum { OP_TYPE_IMAGE = 25, IMAGE_SAMPLES = 6 };

static int compare(const void *key, const void *item)
{
    const uint32_t opcode = *(const uint32_t *)key;
    const struct zc_instruction *instruction = item;
    return opcode < instruction->opcode ? -1 : opcode > instruction->opcode;
}

const struct zc_instruction *zc_instruction_find(uint32_t opcode)
{
    return bsearch(
        &opcode, zc_instructions, zc_instruction_count, sizeof(zc_instructions[0]), compare);
}

static const char *find_refusal(
    const struct zc_instruction *instruction, const uint32_t *words, uint32_t length)
{
    if (instruction->opcode == OP_TYPE_IMAGE && length > IMAGE_SAMPLES && words[IMAGE_SAMPLES] != 0)
        return "images have one sample for each pixel";
    return instruction->refusal;
}

// Each instruction is named once, where it comes first.
static bool accept(struct zc_log *log, const uint32_t *words, bool *is_named)
{
    const struct zc_instruction *instruction = zc_instruction_find(words[0] & 0xffff);
    const char *refusal =
        instruction != NULL ? find_refusal(instruction, words, words[0] >> 16) : NULL;
    if (refusal == NULL)
        return true;
    if (!is_named[instruction - zc_instructions])
        zc_log_add(log, "error: %s is not available: %s", instruction->name, refusal);
    is_named[instruction - zc_instructions] = true;
    return false;
}

bool zc_instructions_accept(struct zc_log *log, const struct zc_words *words)
{
    bool *is_named = calloc(zc_instruction_count, sizeof(*is_named));
    bool ok = is_named != NULL;
    if (!ok)
        zc_log_add(log, "error: out of memory");
    for (size_t at = ZC_SPIRV_HEADER_WORDS; is_named != NULL && at < words->count;
         at += words->data[at] >> 16)
        ok &= accept(log, words->data + at, is_named);
    free(is_named);
    return ok;
}
