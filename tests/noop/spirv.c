// SPDX-License-Identifier: MIT
// Reads just as much of a SPIR-V module as a driver that compiles nothing has to know: its kernels,
// how many arguments they take, and what it imports and exports.
#include "internal.h"

#include <stdlib.h>

enum {
    MAGIC = 0x07230203,
    HEADER_WORDS = 5,
    OP_ENTRY_POINT = 15,
    OP_FUNCTION = 54,
    OP_FUNCTION_PARAMETER = 55,
    OP_DECORATE = 71,
    EXECUTION_MODEL_KERNEL = 6,
    DECORATION_LINKAGE_ATTRIBUTES = 41,
    LINKAGE_IMPORT = 1,
};

struct instruction {
    uint32_t opcode;
    uint32_t length; // words, the first included
    const uint32_t *words;
};

// Returns false at the end, or where the next instruction would reach beyond it.
static bool next_instruction(const uint32_t **at, const uint32_t *end, struct instruction *next)
{
    if (*at == end)
        return false;
    next->opcode = **at & 0xffff;
    next->length = **at >> 16;
    next->words = *at;
    if (next->length == 0 || next->length > (size_t)(end - *at))
        return false;
    *at += next->length;
    return true;
}

// The string that begins at word `first`, or NULL where it doesn't end inside the instruction.
static const char *string_at(const struct instruction *instruction, uint32_t first)
{
    if (first >= instruction->length)
        return NULL;
    const char *string = (const char *)&instruction->words[first];
    const size_t room = (instruction->length - first) * sizeof(uint32_t);
    return memchr(string, '\0', room) != NULL ? string : NULL;
}

static void add_kernel(struct noop_spirv *spirv, const struct instruction *entry_point)
{
    const char *name = string_at(entry_point, 3);
    if (name == NULL || entry_point->words[1] != EXECUTION_MODEL_KERNEL)
        return;
    spirv->kernels[spirv->kernel_count++] =
        (struct noop_spirv_kernel){.function = entry_point->words[2], .name = name};
}

static void add_symbol(struct noop_spirv *spirv, const struct instruction *decorate)
{
    const char *name = string_at(decorate, 3);
    if (name == NULL || decorate->words[2] != DECORATION_LINKAGE_ATTRIBUTES)
        return;
    if (strncmp(name, "__spirv_BuiltIn", strlen("__spirv_BuiltIn")) == 0)
        return; // compilers bring those
    spirv->symbols[spirv->symbol_count++] = (struct noop_spirv_symbol){
        .name = name, .import = decorate->words[decorate->length - 1] == LINKAGE_IMPORT};
}

static void add_argument(struct noop_spirv *spirv, uint32_t function)
{
    for (size_t i = 0; i < spirv->kernel_count; i++)
        if (spirv->kernels[i].function == function)
            spirv->kernels[i].arguments++;
}

static void read_instructions(struct noop_spirv *spirv, const uint32_t *at, const uint32_t *end)
{
    struct instruction instruction;
    uint32_t function = 0;
    while (next_instruction(&at, end, &instruction)) {
        if (instruction.opcode == OP_ENTRY_POINT)
            add_kernel(spirv, &instruction);
        else if (instruction.opcode == OP_DECORATE)
            add_symbol(spirv, &instruction);
        else if (instruction.opcode == OP_FUNCTION && instruction.length > 2)
            function = instruction.words[2];
        else if (instruction.opcode == OP_FUNCTION_PARAMETER)
            add_argument(spirv, function);
    }
}

static size_t count_opcode(const uint32_t *at, const uint32_t *end, uint32_t opcode)
{
    struct instruction instruction;
    size_t count = 0;
    while (next_instruction(&at, end, &instruction))
        count += instruction.opcode == opcode;
    return count;
}

ze_result_t noop_spirv_init(struct noop_spirv *spirv, const uint32_t *words, size_t count)
{
    *spirv = (struct noop_spirv){0};
    if (count < HEADER_WORDS || words[0] != MAGIC)
        return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;

    const uint32_t *at = words + HEADER_WORDS, *end = words + count;
    const size_t entry_points = count_opcode(at, end, OP_ENTRY_POINT);
    const size_t decorations = count_opcode(at, end, OP_DECORATE);
    spirv->kernels = calloc(entry_points + 1, sizeof *spirv->kernels);
    spirv->symbols = calloc(decorations + 1, sizeof *spirv->symbols);
    if (spirv->kernels == NULL || spirv->symbols == NULL) {
        noop_spirv_finish(spirv);
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    }
    read_instructions(spirv, at, end);
    return ZE_RESULT_SUCCESS;
}

void noop_spirv_finish(struct noop_spirv *spirv)
{
    free(spirv->kernels);
    free(spirv->symbols);
}
