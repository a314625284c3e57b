// SPDX-License-Identifier: MIT
//
// Judging each instruction that a kernel reaches.

#include "spirv/needs.h"

#include <string.h>

#include "base/alloc.h"
#include "spirv/reach.h"

static enum mez_spirv_status no_memory(struct mez_spirv_problem *problem)
{
    return mez_spirv_fail(
        problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory to find out what a kernel needs");
}

// A parameter that is put into a variable, as compilers do without optimisation. If it is used, a
// load tells.
static bool spills_parameter(const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    if (in.opcode != MEZ_OP_Store)
        return false;
    const struct mez_spirv_def *variable = mez_spirv_find_def(module, in.words[1]);
    const struct mez_spirv_def *value = mez_spirv_find_def(module, in.words[2]);
    return variable && value &&
           mez_spirv_instruction_at(module, variable->word).opcode == MEZ_OP_Variable &&
           mez_spirv_instruction_at(module, value->word).opcode == MEZ_OP_FunctionParameter;
}

// Handing a value to a function of this module uses it only if that function does.
static bool calls_known_function(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    if (in.opcode != MEZ_OP_FunctionCall)
        return false;
    const struct mez_spirv_function *callee = mez_spirv_find_function(module, in.words[3]);
    return callee && callee->has_body;
}

static uint32_t held_by(
    const struct mez_spirv_module *module, const struct mez_spirv_operand *operand)
{
    const struct mez_spirv_type *type = NULL;
    if (operand->kind == MEZ_OPERAND_TYPE)
        type = mez_spirv_find_type(module, operand->value);
    else if (operand->kind == MEZ_OPERAND_ID)
        type = mez_spirv_value_type(module, operand->value);
    return type ? type->holds : 0;
}

// What the values hold that an instruction takes and gives: bits of enum mez_spirv_holds.
static uint32_t touched_by(const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    if (mez_spirv_is_debug(module, in) || in.opcode == MEZ_OP_Function)
        return 0;

    uint32_t touched = 0;
    struct mez_spirv_operand_iter iter = mez_spirv_operands(module, in);
    struct mez_spirv_operand operand;
    while (mez_spirv_next_operand(&iter, &operand))
        touched |= held_by(module, &operand);

    const bool passes_on = in.opcode == MEZ_OP_FunctionParameter || spills_parameter(module, in) ||
                           calls_known_function(module, in);
    return passes_on ? touched & MEZ_HOLDS_IMAGE : touched;
}

// The type that an atomic instruction works on; NULL: no atomic instruction.
static const struct mez_spirv_type *atomic_type(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    if (in.opcode == MEZ_OP_AtomicStore)
        return mez_spirv_value_type(module, in.words[4]);
    const bool gives_value = (in.opcode >= MEZ_OP_AtomicLoad && in.opcode <= MEZ_OP_AtomicXor) ||
                             in.opcode == MEZ_OP_AtomicFMinEXT ||
                             in.opcode == MEZ_OP_AtomicFMaxEXT || in.opcode == MEZ_OP_AtomicFAddEXT;
    return gives_value ? mez_spirv_find_type(module, in.words[1]) : NULL;
}

static bool is_needed_by(const struct mez_spirv_module *module, struct mez_spirv_instruction in,
    enum mez_spirv_need_kind kind, uint32_t touched)
{
    const struct mez_spirv_type *type;
    switch (kind) {
    case MEZ_NEED_FP64:
        return touched & MEZ_HOLDS_DOUBLE;
    case MEZ_NEED_FP16:
        return touched & MEZ_HOLDS_HALF;
    case MEZ_NEED_IMAGES:
        return touched & MEZ_HOLDS_IMAGE;
    case MEZ_NEED_INT64_ATOMICS:
        type = atomic_type(module, in);
        return type && type->width == 64;
    default: // from execution modes, not from instructions
        return false;
    }
}

// The names on the way to the function, that of a kernel's wrapper and its body once.
static bool fill_chain(const struct mez_spirv_reach *reach, struct mez_spirv_place *where)
{
    const uint32_t id = where->function->id;
    const uint32_t length = mez_spirv_reach_chain(reach, id, NULL, 0);
    const struct mez_spirv_function **functions = mez_alloc_array(length, sizeof *functions);
    where->chain = mez_alloc_array(length, sizeof *where->chain);
    if (!functions || !where->chain) {
        mez_free_memory(functions);
        return false;
    }

    mez_spirv_reach_chain(reach, id, functions, length);
    for (uint32_t i = 0; i < length; i++) {
        if (i != 1 || strcmp(functions[0]->name, functions[1]->name) != 0)
            where->chain[where->chain_length++] = functions[i]->name;
    }
    mez_free_memory(functions);
    return true;
}

static bool note_need(const struct mez_spirv_reach *reach,
    const struct mez_spirv_function *function, uint32_t word, struct mez_spirv_need *need)
{
    need->needed = true;
    need->where = (struct mez_spirv_place){
        .function = function,
        .word = word,
        .opcode = mez_spirv_instruction_at(reach->module, word).opcode,
    };
    // Execution modes stand outside any function and have no line.
    if (word >= function->first)
        need->where.line = mez_spirv_source_line(reach->module, function, word);
    return fill_chain(reach, &need->where);
}

static bool judge_function(const struct mez_spirv_reach *reach,
    const struct mez_spirv_function *function, struct mez_spirv_needs *needs)
{
    mez_spirv_each_instruction(reach->module, in, function->first, function->end)
    {
        const uint32_t touched = touched_by(reach->module, in);
        for (uint32_t kind = 0; kind < MEZ_NEED_COUNT; kind++) {
            struct mez_spirv_need *need = &needs->needs[kind];
            if (!need->needed && is_needed_by(reach->module, in, kind, touched) &&
                !note_need(reach, function, in.at, need))
                return false;
        }
    }
    return true;
}

static bool judge_code(const struct mez_spirv_reach *reach, struct mez_spirv_needs *needs)
{
    for (uint32_t i = 0; i < reach->count; i++) {
        const uint32_t id = reach->module->defs[reach->order[i]].id;
        const struct mez_spirv_function *function = mez_spirv_find_function(reach->module, id);
        if (function && !judge_function(reach, function, needs))
            return false;
    }
    return true;
}

static bool judge_modes(const struct mez_spirv_reach *reach, struct mez_spirv_needs *needs)
{
    const struct mez_spirv_function *function = &reach->module->functions[needs->kernel->function];
    const struct mez_spirv_modes *modes = &function->modes;

    if (modes->has_local_size) {
        struct mez_spirv_need *need = &needs->needs[MEZ_NEED_WORK_GROUP_SIZE];
        memcpy(need->values, modes->local_size, sizeof need->values);
        if (!note_need(reach, function, modes->local_size_word, need))
            return false;
    }
    if (modes->sub_group_size) {
        struct mez_spirv_need *need = &needs->needs[MEZ_NEED_SUB_GROUP_SIZE];
        need->values[0] = modes->sub_group_size;
        if (!note_need(reach, function, modes->sub_group_size_word, need))
            return false;
    }
    return true;
}

static bool reports_assert(const struct mez_spirv_function *function)
{
    if (strcmp(function->name, "__devicelib_assert_fail") == 0)
        return true;
    return !function->has_body && (strcmp(function->name, "__assert_fail") == 0 ||
                                      strcmp(function->name, "__assertfail") == 0);
}

// The variable that a device library fills, where a toolchain has linked one: its function may have been put into its callers.
static bool holds_assert(const struct mez_spirv_symbol *symbol)
{
    return !symbol->is_function && (strcmp(symbol->name, "__SYCL_AssertHappenedMem") == 0 ||
                                       strcmp(symbol->name, "SPIR_AssertHappenedMem") == 0);
}

static bool reaches_assert(const struct mez_spirv_reach *reach)
{
    for (uint32_t i = 0; i < reach->module->export_count; i++) {
        const struct mez_spirv_symbol *symbol = &reach->module->exports[i];
        if (holds_assert(symbol) && mez_spirv_reaches(reach, symbol->id))
            return true;
    }
    for (uint32_t i = 0; i < reach->module->function_count; i++) {
        const struct mez_spirv_function *function = &reach->module->functions[i];
        if (reports_assert(function) && mez_spirv_reaches(reach, function->id))
            return true;
    }
    return false;
}

// Indexes of the functions whose address is taken.
static uint32_t list_address_taken(const struct mez_spirv_module *module, uint32_t *list)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < module->function_count; i++) {
        if (module->functions[i].address_taken)
            list[count++] = i;
    }
    return count;
}

static enum mez_spirv_status find_indirect_assert(
    const struct mez_spirv_module *module, struct mez_spirv_problem *problem, bool *found)
{
    uint32_t *taken = mez_alloc_array(module->function_count, sizeof *taken);
    if (!taken)
        return no_memory(problem);

    struct mez_spirv_reach *reach = NULL;
    const uint32_t count = list_address_taken(module, taken);
    const enum mez_spirv_status status =
        count ? mez_spirv_reach_create(module, taken, count, problem, &reach) : MEZ_SPIRV_OK;
    *found = reach && reaches_assert(reach);

    mez_spirv_reach_destroy(&reach);
    mez_free_memory(taken);
    return status;
}

static bool list_imports(const struct mez_spirv_reach *reach, struct mez_spirv_needs *needs)
{
    const struct mez_spirv_module *module = reach->module;
    needs->imports =
        mez_alloc_array(module->import_count ? module->import_count : 1, sizeof *needs->imports);
    if (!needs->imports)
        return false;

    for (uint32_t i = 0; i < module->import_count; i++) {
        if (mez_spirv_reaches(reach, module->imports[i].id))
            needs->imports[needs->import_count++] = &module->imports[i];
    }
    return true;
}

static enum mez_spirv_status judge(const struct mez_spirv_module *module,
    struct mez_spirv_problem *problem, struct mez_spirv_needs *needs)
{
    struct mez_spirv_reach *reach = NULL;
    enum mez_spirv_status status =
        mez_spirv_reach_create(module, &needs->kernel->function, 1, problem, &reach);
    if (status)
        return status;

    if (!judge_code(reach, needs) || !judge_modes(reach, needs) || !list_imports(reach, needs))
        status = no_memory(problem);
    needs->may_assert = reaches_assert(reach);
    if (!status && !needs->may_assert)
        status = find_indirect_assert(module, problem, &needs->may_assert);

    mez_spirv_reach_destroy(&reach);
    return status;
}

enum mez_spirv_status mez_spirv_needs_create(const struct mez_spirv_module *module,
    const char *kernel, struct mez_spirv_problem *problem, struct mez_spirv_needs **needs)
{
    *needs = NULL;
    const struct mez_spirv_entry_point *entry = mez_spirv_find_entry_point(module, kernel);
    if (!entry)
        return mez_spirv_fail(
            problem, MEZ_SPIRV_NOT_FOUND, 0, "the module has no kernel named '%.100s'", kernel);

    *needs = mez_alloc_array(1, sizeof **needs);
    if (!*needs)
        return no_memory(problem);

    (*needs)->kernel = entry;
    (*needs)->minor_version = module->minor_version;
    const enum mez_spirv_status status = judge(module, problem, *needs);
    if (status)
        mez_spirv_needs_destroy(needs);
    return status;
}

void mez_spirv_needs_destroy(struct mez_spirv_needs **needs)
{
    struct mez_spirv_needs *old = *needs;
    *needs = NULL;
    if (!old)
        return;
    for (uint32_t kind = 0; kind < MEZ_NEED_COUNT; kind++)
        mez_free_memory(old->needs[kind].where.chain);
    mez_free_memory(old->imports);
    mez_free_memory(old);
}
