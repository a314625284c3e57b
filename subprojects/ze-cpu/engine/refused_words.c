// SPDX-License-Identifier: MIT
//
// Refuses what ze-cpu never has by the names of instructions, before llvm-spirv sees them, which crashes on some.

#include "instructions.h"
#include "log.h"
#include "words.h"

#include <stdlib.h>

enum { OP_TYPE_IMAGE = 25 };
enum { IMAGE_DIMENSION = 3, IMAGE_DEPTH, IMAGE_ARRAYED, IMAGE_SAMPLES };
enum { DIMENSION_1D, DIMENSION_2D, DIMENSION_3D, DIMENSION_BUFFER = 5 };

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

// Depth images have two dimensions, arrays one or two, apart from layers. llvm-spirv finds no name for others, and aborts.
static bool is_of_opencl(const uint32_t *type)
{
    const uint32_t is_depth = type[IMAGE_DEPTH], is_array = type[IMAGE_ARRAYED];
    switch (type[IMAGE_DIMENSION]) {
    case DIMENSION_1D:
        return is_depth == 0 && is_array <= 1;
    case DIMENSION_2D:
        return is_depth <= 1 && is_array <= 1;
    case DIMENSION_3D:
    case DIMENSION_BUFFER:
        return is_depth == 0 && is_array == 0;
    default:
        return false;
    }
}

static const char *find_refusal(
    const struct zc_instruction *instruction, const uint32_t *words, uint32_t length)
{
    if (instruction->opcode != OP_TYPE_IMAGE || length <= IMAGE_SAMPLES)
        return instruction->refusal;
    if (words[IMAGE_SAMPLES] != 0)
        return "images have one sample for each pixel";
    return is_of_opencl(words) ? NULL : "OpenCL C has no images of this type";
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
