// SPDX-License-Identifier: MIT
//
// Walks over the instructions that write a module again, or change its words in place. Copies are measured by a first walk and
// written by a second one.

#include "spirv/rewrite.h"

#include <string.h>

#include "base/alloc.h"
#include "spirv/debug.h"
#include "spirv/reader.h"

// --- Names

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

// --- Leaving instructions out

// The words of a module without the instructions that `leaves` says yes to.
static enum mez_spirv_status copy_without(const struct mez_spirv_module *module,
    bool (*leaves)(const void *context, struct mez_spirv_instruction in), const void *context,
    struct mez_spirv_problem *problem, uint32_t **words, uint32_t *count)
{
    struct mez_spirv_words out = {.words = mez_alloc_array(module->word_count, sizeof **words)};
    *words = out.words;
    *count = 0;
    if (!out.words)
        return mez_spirv_fail(problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory for a copy of a module");
    mez_spirv_add_words(&out, module->words, MEZ_SPIRV_HEADER_WORDS);
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        if (!leaves(context, in))
            mez_spirv_add_words(&out, in.words, in.length);
    }
    *count = (uint32_t)out.count;
    return MEZ_SPIRV_OK;
}

// --- Annotations

typedef struct search {
    const struct mez_spirv_module *module;
    bool *goes; // by the number of what stands at module scope
    uint32_t count;
} search;

// Whether it goes, by its id; NULL: it is not defined at module scope.
static bool *mark_of(const search *search, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(search->module, id);
    return def && def->global != MEZ_SPIRV_NO_INDEX ? &search->goes[def->global] : NULL;
}

static bool is_stray(const struct mez_spirv_module *module, const struct mez_spirv_def *def)
{
    const struct mez_spirv_instruction in = mez_spirv_instruction_at(module, def->word);
    return in.opcode == MEZ_OP_Variable && in.words[3] == MEZ_STORAGE_FUNCTION;
}

static void mark_all(search *search)
{
    const struct mez_spirv_module *module = search->module;
    for (uint32_t i = 0; i < module->global_count; i++) {
        search->goes[i] = is_stray(module, &module->defs[module->globals[i]]);
        search->count += search->goes[i];
    }
}

static bool is_about_another(uint16_t opcode)
{
    return opcode == MEZ_OP_Name || opcode == MEZ_OP_Decorate;
}

static void keep_used(search *search, struct mez_spirv_instruction in)
{
    struct mez_spirv_id_iter ids = mez_spirv_ids(search->module, in);
    struct mez_spirv_id id;
    while (mez_spirv_next_id(&ids, &id)) {
        bool *goes = id.kind == MEZ_ID_RESULT ? NULL : mark_of(search, id.value);
        if (!goes || !*goes)
            continue;
        *goes = false;
        search->count--;
    }
}

static bool goes(const void *context, struct mez_spirv_instruction in)
{
    const uint32_t id = is_about_another(in.opcode) ? in.words[1] : mez_spirv_result_of(in);
    const bool *mark = id ? mark_of(context, id) : NULL;
    return mark && *mark;
}

enum mez_spirv_status mez_spirv_drop_annotation_texts(const struct mez_spirv_module *module,
    struct mez_spirv_problem *problem, uint32_t **words, uint32_t *count)
{
    search search = {.module = module};
    *words = NULL;
    *count = 0;
    if (module->has_unknown_opcodes)
        return MEZ_SPIRV_OK;
    search.goes = mez_alloc_array((size_t)module->global_count + 1, sizeof *search.goes);
    if (!search.goes)
        return mez_spirv_fail(problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory for a copy of a module");
    mark_all(&search);
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        if (search.count == 0)
            break;
        if (!is_about_another(in.opcode))
            keep_used(&search, in);
    }
    const enum mez_spirv_status status =
        search.count ? copy_without(module, goes, &search, problem, words, count) : MEZ_SPIRV_OK;
    mez_free_memory(search.goes);
    return status;
}

// --- Debug information

static bool is_left_out(const void *module, struct mez_spirv_instruction in)
{
    return in.opcode == MEZ_OP_LoopMerge || in.opcode == MEZ_OP_SelectionMerge ||
           mez_spirv_is_debug_ext_inst(module, in);
}

enum mez_spirv_status mez_spirv_strip(const struct mez_spirv_module *module,
    struct mez_spirv_problem *problem, uint32_t **words, uint32_t *count)
{
    return copy_without(module, is_left_out, module, problem, words, count);
}

// --- Specialization constants

static bool is_spec_constant(uint16_t opcode)
{
    return opcode == MEZ_OP_SpecConstant || opcode == MEZ_OP_SpecConstantTrue ||
           opcode == MEZ_OP_SpecConstantFalse;
}

// 0: it is not a number that could be given.
static uint32_t size_of(const struct mez_spirv_module *module, const struct mez_spirv_def *def,
    struct mez_spirv_instruction in)
{
    if (in.opcode != MEZ_OP_SpecConstant)
        return 1;
    const struct mez_spirv_type *type = mez_spirv_find_type(module, def->type);
    if (!type || (type->opcode != MEZ_OP_TypeInt && type->opcode != MEZ_OP_TypeFloat))
        return 0;
    const uint32_t words = type->width > 32 ? 2 : 1;
    return in.length == 3 + words ? (uint32_t)type->size : 0;
}

// Composites and results of operations follow from others, and have no number.
static bool read(const struct mez_spirv_module *module, const struct mez_spirv_def *def,
    struct mez_spirv_spec_constant *constant)
{
    const struct mez_spirv_instruction in = mez_spirv_instruction_at(module, def->word);
    if (!is_spec_constant(in.opcode) ||
        !mez_spirv_is_decorated(module, def->id, MEZ_DECORATION_SPEC_ID))
        return false;
    *constant = (struct mez_spirv_spec_constant){
        .number = mez_spirv_decoration_value(module, def->id, MEZ_DECORATION_SPEC_ID, 0),
        .id = def->id,
        .size = size_of(module, def, in),
        .name = def->name ? (const char *)(module->words + def->name) : NULL,
    };
    return constant->size > 0;
}

bool mez_spirv_next_spec_constant(
    const struct mez_spirv_module *module, uint32_t *at, struct mez_spirv_spec_constant *constant)
{
    while (*at < module->def_count)
        if (read(module, &module->defs[(*at)++], constant))
            return true;
    return false;
}

bool mez_spirv_find_spec_constant(const struct mez_spirv_module *module, uint32_t number,
    struct mez_spirv_spec_constant *constant)
{
    for (uint32_t at = 0; mez_spirv_next_spec_constant(module, &at, constant);)
        if (constant->number == number)
            return true;
    return false;
}

// Narrow numbers fill a word as the specification wants it (2.2.1, Literal): signed ones by their sign, others by zeros.
static uint32_t widen(
    const struct mez_spirv_module *module, const struct mez_spirv_type *type, uint32_t bits)
{
    const bool is_signed = type->opcode == MEZ_OP_TypeInt && module->words[type->word + 3] == 1;
    const bool negative = bits >> (type->width - 1) & 1;
    return is_signed && negative ? bits | ~0u << type->width : bits;
}

static void write_number(struct mez_spirv_module *module, const struct mez_spirv_def *def,
    uint32_t size, const void *value)
{
    uint32_t bits[2] = {0};
    memcpy(bits, value, size);
    if (size < sizeof bits[0])
        bits[0] = widen(module, mez_spirv_find_type(module, def->type), bits[0]);
    memcpy(
        module->words + def->word + 3, bits, size > sizeof bits[0] ? sizeof bits : sizeof bits[0]);
}

static void write(struct mez_spirv_module *module, uint32_t id, uint32_t size, const void *value)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(module, id);
    const bool is_number =
        mez_spirv_instruction_at(module, def->word).opcode == MEZ_OP_SpecConstant;
    const bool is_true = *(const unsigned char *)value != 0;
    const uint32_t opcode = is_true ? MEZ_OP_SpecConstantTrue : MEZ_OP_SpecConstantFalse;
    uint32_t *first = &module->words[def->word];
    if (is_number)
        write_number(module, def, size, value);
    else
        *first = (*first & 0xffff0000u) | opcode;
}

void mez_spirv_specialize(struct mez_spirv_module *module, uint32_t number, const void *value)
{
    struct mez_spirv_spec_constant constant;
    for (uint32_t at = 0; mez_spirv_next_spec_constant(module, &at, &constant);)
        if (constant.number == number)
            write(module, constant.id, constant.size, value);
}

// --- Work-group sizes

static bool is_by_ids(struct mez_spirv_instruction in)
{
    return in.opcode == MEZ_OP_ExecutionModeId && in.length == MEZ_SPIRV_GROUP_SIZE_WORDS &&
           in.words[2] == MEZ_MODE_LOCAL_SIZE_ID;
}

static bool is_fixed(const struct mez_spirv_module *module, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(module, id);
    return def && mez_spirv_instruction_at(module, def->word).opcode == MEZ_OP_Constant;
}

// Both instructions have as many words. False: a size is not a constant, or more than the other one can hold.
static bool translate(const struct mez_spirv_module *module, struct mez_spirv_instruction in,
    uint32_t words[MEZ_SPIRV_GROUP_SIZE_WORDS])
{
    uint64_t sizes[3];
    for (uint32_t i = 0; i < 3; i++)
        if (!mez_spirv_constant(module, in.words[3 + i], &sizes[i]) || sizes[i] > UINT32_MAX)
            return false;
    words[0] = (uint32_t)MEZ_SPIRV_GROUP_SIZE_WORDS << 16 | MEZ_OP_ExecutionMode;
    words[1] = in.words[1];
    words[2] = MEZ_MODE_LOCAL_SIZE;
    for (uint32_t i = 0; i < 3; i++)
        words[3 + i] = (uint32_t)sizes[i];
    return true;
}

bool mez_spirv_literal_group_size(const struct mez_spirv_module *module,
    struct mez_spirv_instruction in, uint32_t words[MEZ_SPIRV_GROUP_SIZE_WORDS])
{
    if (!is_by_ids(in))
        return false;
    for (uint32_t i = 0; i < 3; i++)
        if (!is_fixed(module, in.words[3 + i]))
            return false;
    return translate(module, in, words);
}

void mez_spirv_write_group_sizes(struct mez_spirv_module *module)
{
    uint32_t words[MEZ_SPIRV_GROUP_SIZE_WORDS];
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        if (is_by_ids(in) && translate(module, in, words))
            memcpy(module->words + in.at, words, sizeof words);
    }
}
