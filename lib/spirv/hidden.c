// SPDX-License-Identifier: MIT

#include "spirv/rewrite.h"

#include "base/alloc.h"
#include "base/vector.h"
#include "spirv/survey.h"

#define BOUND_WORD 3 // of the header

// Types are looked for one by one; no program that people write comes near it.
#define MOST_TYPES 256

// A type of functions, with and without hidden arguments.
typedef struct pair {
    uint32_t old, changed; // ids
    bool is_new;           // the module has no such type as the changed one
} pair;

typedef struct change {
    const struct mez_spirv_module *module;
    const struct mez_spirv_function_needs *needs; // by the function's index
    uint32_t bound;                               // of ids, with those that are added
    uint32_t byte, number, pointer;               // ids of types
    bool new_byte, new_number, new_pointer;       // the module has none
    MEZ_VECTOR(pair) types;
    uint32_t first_argument; // its id; those of the functions follow each other
} change;

// --- Types

static bool is_of(const struct mez_spirv_type *type, uint16_t opcode, uint32_t width)
{
    return type->opcode == opcode && (opcode != MEZ_OP_TypeInt || type->width == width);
}

// The id of the module's type; 0: it has none.
static uint32_t find_int(const struct mez_spirv_module *module, uint32_t width)
{
    for (uint32_t i = 0; i < module->type_count; i++)
        if (is_of(&module->types[i], MEZ_OP_TypeInt, width))
            return module->types[i].id;
    return 0;
}

static uint32_t find_pointer(const struct mez_spirv_module *module, uint32_t to)
{
    for (uint32_t i = 0; i < module->type_count; i++)
        if (module->types[i].opcode == MEZ_OP_TypePointer && module->types[i].component == to &&
            module->types[i].storage == MEZ_STORAGE_CROSS_WORKGROUP)
            return module->types[i].id;
    return 0;
}

static uint32_t or_new(change *change, uint32_t found, bool *is_new)
{
    *is_new = found == 0;
    return found ? found : change->bound++;
}

static void choose_types(change *change)
{
    const struct mez_spirv_module *module = change->module;
    change->byte = or_new(change, find_int(module, 8), &change->new_byte);
    change->number = or_new(change, find_int(module, 32), &change->new_number);
    const uint32_t pointer = change->new_byte ? 0 : find_pointer(module, change->byte);
    change->pointer = or_new(change, pointer, &change->new_pointer);
}

// Is it the other one's type with the hidden arguments? A type that is not an aggregate may not be there twice.
static bool is_changed(
    const change *change, struct mez_spirv_instruction type, struct mez_spirv_instruction old)
{
    return type.opcode == MEZ_OP_TypeFunction && type.length == old.length + MEZ_HIDDEN_ARGUMENTS &&
           memcmp(type.words + 2, old.words + 2, (old.length - 2u) * sizeof *old.words) == 0 &&
           type.words[old.length] == change->pointer &&
           type.words[old.length + 1] == change->number;
}

static struct mez_spirv_instruction type_at(const change *change, uint32_t id)
{
    const struct mez_spirv_type *type = mez_spirv_find_type(change->module, id);
    return mez_spirv_instruction_at(change->module, type ? type->word : change->module->word_count);
}

static uint32_t find_changed(const change *change, struct mez_spirv_instruction old)
{
    const struct mez_spirv_module *module = change->module;
    for (uint32_t i = 0; i < module->type_count; i++)
        if (is_changed(change, mez_spirv_instruction_at(module, module->types[i].word), old))
            return module->types[i].id;
    return 0;
}

static const pair *find_pair(const change *change, uint32_t old)
{
    for (size_t i = 0; i < change->types.count; i++)
        if (change->types.items[i].old == old)
            return &change->types.items[i];
    return NULL;
}

// --- Functions

static uint32_t index_of(const change *change, const struct mez_spirv_function *function)
{
    return (uint32_t)(function - change->module->functions);
}

// Does the function get hidden arguments? False for NULL.
static bool is_meant(const change *change, const struct mez_spirv_function *function)
{
    return function && change->needs[index_of(change, function)].may_assert;
}

static uint32_t argument_of(const change *change, const struct mez_spirv_function *function)
{
    return change->first_argument + MEZ_HIDDEN_ARGUMENTS * index_of(change, function);
}

static bool can_be_changed(const change *change, const struct mez_spirv_function *function)
{
    const struct mez_spirv_instruction type = type_at(change, function->type);
    return !function->address_taken && type.opcode == MEZ_OP_TypeFunction &&
           type.length <= UINT16_MAX - MEZ_HIDDEN_ARGUMENTS;
}

// False: no memory.
static bool change_type(change *change, uint32_t old)
{
    if (find_pair(change, old))
        return true;
    pair pair = {.old = old};
    pair.changed = or_new(change, find_changed(change, type_at(change, old)), &pair.is_new);
    return mez_vector_push(&change->types, pair);
}

static bool any_is_meant(const change *change)
{
    for (uint32_t i = 0; i < change->module->function_count; i++)
        if (is_meant(change, &change->module->functions[i]))
            return true;
    return false;
}

// *possible is false where the module can't be changed. False: no memory.
static bool plan(change *change, bool *possible)
{
    const struct mez_spirv_module *module = change->module;
    if (!any_is_meant(change))
        return true;
    choose_types(change);
    for (uint32_t i = 0; i < module->function_count && *possible; i++) {
        const struct mez_spirv_function *function = &module->functions[i];
        if (!is_meant(change, function))
            continue;
        *possible = can_be_changed(change, function);
        if (*possible && !change_type(change, function->type))
            return false;
        *possible = *possible && change->types.count <= MOST_TYPES;
    }
    change->first_argument = change->bound;
    change->bound += MEZ_HIDDEN_ARGUMENTS * module->function_count;
    *possible = *possible && change->bound <= MEZ_SPIRV_LARGEST_BOUND;
    return true;
}

// --- Writing

static void add(
    struct mez_spirv_words *out, uint16_t opcode, const uint32_t *operands, uint32_t count)
{
    const uint32_t first = (count + 1) << 16 | opcode;
    mez_spirv_add_words(out, &first, 1);
    mez_spirv_add_words(out, operands, count);
}

// The instruction with more operands behind its own.
static void add_longer(struct mez_spirv_words *out, struct mez_spirv_instruction in,
    const uint32_t *more, uint32_t count)
{
    const size_t start = out->count;
    mez_spirv_add_words(out, in.words, in.length);
    mez_spirv_add_words(out, more, count);
    mez_spirv_close_instruction(out, start, in.opcode);
}

static void add_changed_type(const change *change, const pair *pair, struct mez_spirv_words *out)
{
    const struct mez_spirv_instruction old = type_at(change, pair->old);
    const uint32_t more[] = {change->pointer, change->number};
    const size_t start = out->count;
    mez_spirv_add_words(out, old.words, 1);
    mez_spirv_add_words(out, &pair->changed, 1);
    mez_spirv_add_words(out, old.words + 2, old.length - 2u);
    mez_spirv_add_words(out, more, MEZ_HIDDEN_ARGUMENTS);
    mez_spirv_close_instruction(out, start, MEZ_OP_TypeFunction);
}

static void add_types(const change *change, struct mez_spirv_words *out)
{
    if (change->new_byte)
        add(out, MEZ_OP_TypeInt, (uint32_t[]){change->byte, 8, 0}, 3);
    if (change->new_number)
        add(out, MEZ_OP_TypeInt, (uint32_t[]){change->number, 32, 0}, 3);
    if (change->new_pointer)
        add(out, MEZ_OP_TypePointer,
            (uint32_t[]){change->pointer, MEZ_STORAGE_CROSS_WORKGROUP, change->byte}, 3);
    for (size_t i = 0; i < change->types.count; i++)
        if (change->types.items[i].is_new)
            add_changed_type(change, &change->types.items[i], out);
}

static void add_arguments(
    const change *change, const struct mez_spirv_function *function, struct mez_spirv_words *out)
{
    const uint32_t id = argument_of(change, function);
    add(out, MEZ_OP_FunctionParameter, (uint32_t[]){change->pointer, id}, 2);
    add(out, MEZ_OP_FunctionParameter, (uint32_t[]){change->number, id + 1}, 2);
}

// OpFunction of another type.
static void add_head(const change *change, const struct mez_spirv_function *function,
    struct mez_spirv_instruction in, struct mez_spirv_words *out)
{
    mez_spirv_add_words(out, in.words, 4);
    mez_spirv_add_words(out, &find_pair(change, function->type)->changed, 1);
}

static void add_call(const change *change, const struct mez_spirv_function *caller,
    struct mez_spirv_instruction in, struct mez_spirv_words *out)
{
    const uint32_t id = argument_of(change, caller), more[] = {id, id + 1};
    const bool passes = is_meant(change, mez_spirv_find_function(change->module, in.words[3]));
    add_longer(out, in, more, passes ? MEZ_HIDDEN_ARGUMENTS : 0);
}

static void write_function(
    const change *change, const struct mez_spirv_function *function, struct mez_spirv_words *out)
{
    uint32_t parameters = function->param_count;
    mez_spirv_each_instruction(change->module, in, function->first, function->end)
    {
        if (in.opcode == MEZ_OP_Function)
            add_head(change, function, in, out);
        else if (in.opcode == MEZ_OP_FunctionCall)
            add_call(change, function, in, out);
        else
            mez_spirv_add_words(out, in.words, in.length);
        const bool takes = in.opcode == MEZ_OP_Function || in.opcode == MEZ_OP_FunctionParameter;
        parameters -= in.opcode == MEZ_OP_FunctionParameter;
        if (takes && parameters == 0)
            add_arguments(change, function, out);
    }
}

static void write_module(const change *change, struct mez_spirv_words *out)
{
    const struct mez_spirv_module *module = change->module;
    uint32_t at = MEZ_SPIRV_HEADER_WORDS;
    mez_spirv_add_words(out, module->words, at);
    if (out->words)
        out->words[BOUND_WORD] = change->bound;
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct mez_spirv_function *function = &module->functions[i];
        mez_spirv_add_words(out, module->words + at, function->first - at);
        at = function->first;
        if (i == 0)
            add_types(change, out);
        if (!is_meant(change, function))
            continue;
        write_function(change, function, out);
        at = function->end;
    }
    mez_spirv_add_words(out, module->words + at, module->word_count - at);
}

#define DEVICE_ENQUEUE 19 // the capability

// Kernels that kernels enqueue are called by no instruction that passes arguments on.
static bool enqueues(const struct mez_spirv_module *module)
{
    for (uint32_t i = 0; i < module->capability_count; i++)
        if (module->capabilities[i] == DEVICE_ENQUEUE)
            return true;
    return false;
}

static bool has_long_call(const change *change)
{
    const struct mez_spirv_module *module = change->module;
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        if (in.opcode == MEZ_OP_FunctionCall && in.length > UINT16_MAX - MEZ_HIDDEN_ARGUMENTS)
            return true;
    }
    return false;
}

// False: no memory.
static bool write_copy(change *change, uint32_t **words, uint32_t *count)
{
    bool possible =
        !change->module->has_unknown_opcodes && !enqueues(change->module) && !has_long_call(change);
    if (possible && !plan(change, &possible))
        return false;
    if (!possible)
        return true;
    struct mez_spirv_words out = {0};
    write_module(change, &out);
    if (out.count > UINT32_MAX)
        return true;
    *words = out.words = mez_alloc_array(out.count, sizeof **words);
    *count = (uint32_t)out.count;
    out.count = 0;
    if (out.words)
        write_module(change, &out);
    return out.words != NULL;
}

enum mez_spirv_status mez_spirv_add_hidden(const struct mez_spirv_module *module,
    struct mez_spirv_problem *problem, uint32_t **words, uint32_t *count)
{
    struct mez_spirv_survey *survey;
    *words = NULL;
    *count = 0;
    enum mez_spirv_status status =
        mez_spirv_survey_create(module, MEZ_SURVEY_VALUES, problem, &survey);
    if (status)
        return status;
    change change = {.module = module, .needs = survey->functions, .bound = module->bound};
    if (!write_copy(&change, words, count))
        status = mez_spirv_fail(
            problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory to pass on where asserts fail");
    mez_vector_finish(&change.types);
    mez_spirv_survey_destroy(&survey);
    return status;
}
