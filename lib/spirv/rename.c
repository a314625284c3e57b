// SPDX-License-Identifier: MIT
//
// Two walks over the instructions: the first measures the copy, the second writes it.

#include "spirv/rename.h"

#include <string.h>

#include "base/alloc.h"

struct renaming {
    const struct mez_spirv_module *module;
    const char *from, *to;
    uint32_t what;
};

static uint32_t words_of(const char *name)
{
    return (uint32_t)(strlen(name) / sizeof(uint32_t)) + 1;
}

static bool is_called(const struct renaming *renaming, const uint32_t *string)
{
    return strcmp((const char *)string, renaming->from) == 0;
}

// OpName stands before the decorations, so only the definition shows what its id is linked as.
static bool is_meant(const struct renaming *renaming, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(renaming->module, id);
    if (!def || !def->link || (uint32_t)def->linkage > MEZ_LINKAGE_LINK_ONCE_ODR)
        return false;
    return (renaming->what & 1u << def->linkage) &&
           is_called(renaming, renaming->module->words + def->link);
}

// Where in the instruction the name stands that has to change; 0: nowhere. The reader has seen that
// the strings of both instructions end.
static uint32_t find_name(const struct renaming *renaming, struct mez_spirv_instruction in)
{
    uint32_t at = 0;
    if (in.opcode == MEZ_OP_Name)
        at = 2;
    else if (in.opcode == MEZ_OP_Decorate && in.words[2] == MEZ_DECORATION_LINKAGE_ATTRIBUTES)
        at = 3;
    return at && is_meant(renaming, in.words[1]) && is_called(renaming, in.words + at) ? at : 0;
}

static size_t renamed_length(const struct renaming *renaming, struct mez_spirv_instruction in)
{
    return find_name(renaming, in)
               ? (size_t)in.length - words_of(renaming->from) + words_of(renaming->to)
               : in.length;
}

static enum mez_spirv_status measure(
    const struct renaming *renaming, struct mez_spirv_problem *problem, size_t *count)
{
    const struct mez_spirv_module *module = renaming->module;
    *count = MEZ_SPIRV_HEADER_WORDS;
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        const size_t length = renamed_length(renaming, in);
        *count += length;
        if (length > UINT16_MAX || *count > UINT32_MAX - UINT16_MAX)
            return mez_spirv_fail(problem, MEZ_SPIRV_TOO_LARGE, in.at,
                "no space to rename '%.60s' to '%.60s'", renaming->from, renaming->to);
    }
    return MEZ_SPIRV_OK;
}

// Returns how many words it has written.
static uint32_t write_renamed(const struct renaming *renaming, struct mez_spirv_instruction in,
    uint32_t name, uint32_t *words)
{
    const uint32_t old = words_of(renaming->from), new = words_of(renaming->to);
    const uint32_t behind = in.length - name - old, length = name + new + behind;
    memcpy(words, in.words, name * sizeof *words);
    words[0] = length << 16 | in.opcode;
    words[name + new - 1] = 0; // the last word is filled up with zeros
    memcpy(words + name, renaming->to, strlen(renaming->to));
    memcpy(words + name + new, in.words + name + old, behind * sizeof *words);
    return length;
}

static void write_copy(const struct renaming *renaming, uint32_t *words)
{
    const struct mez_spirv_module *module = renaming->module;
    memcpy(words, module->words, MEZ_SPIRV_HEADER_WORDS * sizeof *words);
    words += MEZ_SPIRV_HEADER_WORDS;
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        const uint32_t name = find_name(renaming, in);
        if (name) {
            words += write_renamed(renaming, in, name, words);
        } else {
            memcpy(words, in.words, in.length * sizeof *words);
            words += in.length;
        }
    }
}

enum mez_spirv_status mez_spirv_rename(const struct mez_spirv_module *module, const char *from,
    const char *to, uint32_t what, struct mez_spirv_problem *problem, uint32_t **words,
    uint32_t *count)
{
    const struct renaming renaming = {module, from, to, what};
    size_t size;
    *words = NULL;
    const enum mez_spirv_status status = measure(&renaming, problem, &size);
    if (status)
        return status;
    *words = mez_alloc_array(size, sizeof **words);
    if (!*words)
        return mez_spirv_fail(
            problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory to rename a module's symbol");
    write_copy(&renaming, *words);
    *count = (uint32_t)size;
    return MEZ_SPIRV_OK;
}
