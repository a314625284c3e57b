// SPDX-License-Identifier: MIT
//
// Symbols that two modules know by types which differ in what pointers point to. Each module goes on with its own type: a function
// of that type calls the one that is there, and a pointer of that type is made of the variable's address.

#include <inttypes.h>

#include "base/alloc.h"
#include "spirv/contents.h"
#include "spirv/ids.h"
#include "spirv/link_parts.h"

// The ids of an adapter: its label and its call; then five for the result, and for each parameter.
enum { ID_LABEL, ID_CALL, ID_VALUES };
// Those of a value that passes from one type to another: pointers to each, a variable, its address, the value afterwards.
enum { OF_SOURCE_POINTER, OF_TARGET_POINTER, OF_VARIABLE, OF_ADDRESS, OF_VALUE, IDS_OF_VALUE };

// --- May it be done?

static struct mez_spirv_instruction function_type(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function)
{
    const struct mez_spirv_def *type = mez_spirv_find_def(module, function->type);
    return mez_spirv_instruction_at(module, type ? type->word : module->word_count);
}

// As the specification has it, which the reader does not ask for.
static bool is_whole(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function)
{
    const struct mez_spirv_instruction type = function_type(module, function);
    const struct mez_spirv_instruction head = mez_spirv_instruction_at(module, function->first);
    return type.opcode == MEZ_OP_TypeFunction && type.length == function->param_count + 3 &&
           head.words[1] == type.words[2];
}

static uint32_t shape_of(const struct mez_spirv_link_part *part, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(part->module, id);
    return def ? part->shapes[mez_spirv_def_index(part->module, def)] : 0;
}

static bool is_variable(const struct mez_spirv_module *module, const struct mez_spirv_def *def)
{
    return def->function == MEZ_SPIRV_NO_INDEX &&
           mez_spirv_instruction_at(module, def->word).opcode == MEZ_OP_Variable;
}

// A variable's own type is known to every compiler: what the pointer to it points to.
static bool are_alike(const struct mez_spirv_link_part *ours, const struct mez_spirv_def *first,
    const struct mez_spirv_link_part *theirs, const struct mez_spirv_def *other)
{
    const struct mez_spirv_function *one = mez_spirv_find_function(ours->module, first->id);
    const struct mez_spirv_function *two = mez_spirv_find_function(theirs->module, other->id);
    if (one && two)
        return is_whole(ours->module, one) && is_whole(theirs->module, two) &&
               shape_of(ours, one->type) == shape_of(theirs, two->type);
    if (one || two || !is_variable(ours->module, first) || !is_variable(theirs->module, other))
        return false;
    const struct mez_spirv_type *a = mez_spirv_find_type(ours->module, first->type);
    const struct mez_spirv_type *b = mez_spirv_find_type(theirs->module, other->type);
    return a && b && a->opcode == MEZ_OP_TypePointer && b->opcode == MEZ_OP_TypePointer &&
           a->storage == b->storage &&
           shape_of(ours, a->component) == shape_of(theirs, b->component);
}

enum mez_spirv_status mez_spirv_link_can_adapt(struct mez_spirv_linker *linker,
    const struct mez_spirv_link_part *ours, const struct mez_spirv_def *first,
    const struct mez_spirv_link_part *theirs, const struct mez_spirv_def *other, bool *can)
{
    const enum mez_spirv_status status =
        ours->shapes ? MEZ_SPIRV_OK : mez_spirv_link_shapes(linker);
    *can = !status && are_alike(ours, first, theirs, other);
    return status;
}

// --- Noting it

// Its parameters stay, with what is said about them; code that it may have is the other one's, too.
static void leave_code_out(
    struct mez_spirv_link_part *part, const struct mez_spirv_function *function)
{
    const struct mez_spirv_module *module = part->module;
    const struct mez_spirv_def *def = mez_spirv_find_def(module, function->id);
    for (uint32_t i = mez_spirv_def_index(module, def) + 1; i < module->def_count; i++) {
        if (module->defs[i].function != def->index)
            break;
        const struct mez_spirv_instruction in =
            mez_spirv_instruction_at(module, module->defs[i].word);
        part->is_other[i] = in.opcode != MEZ_OP_FunctionParameter;
    }
}

static enum mez_spirv_status add_adapter(
    struct mez_spirv_linker *linker, uint32_t part, const struct mez_spirv_function *function)
{
    const struct mez_spirv_module *module = linker->parts[part].module;
    const uint64_t ids = ID_VALUES + (uint64_t)IDS_OF_VALUE * (function->param_count + 1);
    if (linker->bound + ids > MEZ_SPIRV_LARGEST_BOUND)
        return mez_spirv_fail(linker->problem, MEZ_SPIRV_TOO_LARGE, 0,
            "together the modules have %" PRIu64 " ids, more than SPIR-V allows",
            linker->bound + ids);
    if (!mez_grow(&linker->adapters, linker->adapter_count, &linker->adapter_capacity))
        return mez_spirv_link_no_memory(linker);
    linker->adapters[linker->adapter_count++] = (struct mez_spirv_link_adapter){
        .part = part,
        .function = (uint32_t)(function - module->functions),
        .first_id = linker->bound,
    };
    linker->bound += (uint32_t)ids;
    leave_code_out(&linker->parts[part], function);
    return MEZ_SPIRV_OK;
}

enum mez_spirv_status mez_spirv_link_adapt(
    struct mez_spirv_linker *linker, uint32_t part, const struct mez_spirv_def *def, uint32_t id)
{
    const struct mez_spirv_link_part *ours = &linker->parts[part];
    const struct mez_spirv_function *function = mez_spirv_find_function(ours->module, def->id);
    ours->passes_to[mez_spirv_def_index(ours->module, def)] = id;
    return function ? add_adapter(linker, part, function) : MEZ_SPIRV_OK;
}

uint32_t mez_spirv_passes_to(const struct mez_spirv_link_part *part, uint32_t id)
{
    const struct mez_spirv_def *def = part->passes_to ? mez_spirv_find_def(part->module, id) : NULL;
    return def ? part->passes_to[mez_spirv_def_index(part->module, def)] : 0;
}

// --- Writing it

static void add(struct mez_spirv_words *out, uint16_t opcode, const uint32_t *words, uint32_t count)
{
    const uint32_t head = (count + 1) << 16 | opcode;
    mez_spirv_add_words(out, &head, 1);
    mez_spirv_add_words(out, words, count);
}

#define ADD(out, opcode, ...)                                  \
    add(out, MEZ_OP_##opcode, (const uint32_t[]){__VA_ARGS__}, \
        (uint32_t)(sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)))

void mez_spirv_write_adapted_variable(
    struct mez_spirv_words *out, const struct mez_spirv_link_part *part, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(part->module, id);
    ADD(out, SpecConstantOp, mez_spirv_linked_id(part, def->type), mez_spirv_linked_id(part, id),
        MEZ_OP_Bitcast, mez_spirv_passes_to(part, id));
}

// A value that passes from one type to another.
struct value {
    uint32_t source_type, target_type;
    uint32_t source;
    uint32_t first_id; // of those that it needs
    bool is_pointer;
};

static uint32_t id_of(const struct value *value, uint32_t which)
{
    return value->first_id + which;
}

static bool is_same(const struct value *value)
{
    return value->source_type == value->target_type;
}

// Pointers are cast; what holds pointers is stored as one type and loaded as the other.
static bool needs_memory(const struct value *value)
{
    return !is_same(value) && !value->is_pointer;
}

static void add_pointer_types(struct mez_spirv_words *out, const struct value *value)
{
    if (!needs_memory(value))
        return;
    ADD(out, TypePointer, id_of(value, OF_SOURCE_POINTER), MEZ_STORAGE_FUNCTION,
        value->source_type);
    ADD(out, TypePointer, id_of(value, OF_TARGET_POINTER), MEZ_STORAGE_FUNCTION,
        value->target_type);
}

static void add_variable(struct mez_spirv_words *out, const struct value *value)
{
    if (needs_memory(value))
        ADD(out, Variable, id_of(value, OF_SOURCE_POINTER), id_of(value, OF_VARIABLE),
            MEZ_STORAGE_FUNCTION);
}

// Returns the id of the value afterwards.
static uint32_t add_cast(struct mez_spirv_words *out, const struct value *value)
{
    if (is_same(value))
        return value->source;
    if (value->is_pointer) {
        ADD(out, Bitcast, value->target_type, id_of(value, OF_VALUE), value->source);
    } else {
        ADD(out, Store, id_of(value, OF_VARIABLE), value->source);
        ADD(out, Bitcast, id_of(value, OF_TARGET_POINTER), id_of(value, OF_ADDRESS),
            id_of(value, OF_VARIABLE));
        ADD(out, Load, value->target_type, id_of(value, OF_VALUE), id_of(value, OF_ADDRESS));
    }
    return id_of(value, OF_VALUE);
}

// Both sides of an adapter.
struct sides {
    const struct mez_spirv_link_adapter *adapter;
    const struct mez_spirv_link_part *caller, *callee;
    const struct mez_spirv_function *function, *called;
    struct mez_spirv_instruction type, called_type;
};

static struct sides sides_of(
    const struct mez_spirv_linker *linker, const struct mez_spirv_link_adapter *adapter)
{
    struct sides sides = {.adapter = adapter, .caller = &linker->parts[adapter->part]};
    sides.function = &sides.caller->module->functions[adapter->function];
    uint32_t part;
    const struct mez_spirv_def *called =
        mez_spirv_linked_def(linker, mez_spirv_passes_to(sides.caller, sides.function->id), &part);
    sides.callee = &linker->parts[part];
    sides.called = mez_spirv_find_function(sides.callee->module, called->id);
    sides.type = function_type(sides.caller->module, sides.function);
    sides.called_type = function_type(sides.callee->module, sides.called);
    return sides;
}

static bool is_pointer(const struct mez_spirv_link_part *part, uint32_t type)
{
    const struct mez_spirv_type *found = mez_spirv_find_type(part->module, type);
    return found && found->opcode == MEZ_OP_TypePointer;
}

static struct value parameter_of(const struct sides *sides, uint32_t number)
{
    const struct mez_spirv_module *module = sides->caller->module;
    const uint32_t type = sides->type.words[3 + number];
    return (struct value){
        .source_type = mez_spirv_linked_id(sides->caller, type),
        .target_type = mez_spirv_linked_id(sides->callee, sides->called_type.words[3 + number]),
        .source = mez_spirv_linked_id(
            sides->caller, module->params[sides->function->first_param + number]),
        .first_id = sides->adapter->first_id + ID_VALUES + IDS_OF_VALUE * (number + 1),
        .is_pointer = is_pointer(sides->caller, type),
    };
}

static struct value result_of(const struct sides *sides)
{
    const uint32_t type = sides->type.words[2];
    return (struct value){
        .source_type = mez_spirv_linked_id(sides->callee, sides->called_type.words[2]),
        .target_type = mez_spirv_linked_id(sides->caller, type),
        .source = sides->adapter->first_id + ID_CALL,
        .first_id = sides->adapter->first_id + ID_VALUES,
        .is_pointer = is_pointer(sides->caller, type),
    };
}

void mez_spirv_write_adapter_types(
    struct mez_spirv_words *out, const struct mez_spirv_linker *linker)
{
    for (uint32_t i = 0; i < linker->adapter_count; i++) {
        const struct sides sides = sides_of(linker, &linker->adapters[i]);
        const struct value result = result_of(&sides);
        add_pointer_types(out, &result);
        for (uint32_t j = 0; j < sides.function->param_count; j++) {
            const struct value value = parameter_of(&sides, j);
            add_pointer_types(out, &value);
        }
    }
}

// Whether it is inlined is the compiler's to choose: Intel's crashes where functions that call each other are to be inlined.
static void add_head(struct mez_spirv_words *out, const struct sides *sides)
{
    const struct mez_spirv_module *module = sides->caller->module;
    const struct mez_spirv_instruction head =
        mez_spirv_instruction_at(module, sides->function->first);
    ADD(out, Function, mez_spirv_linked_id(sides->caller, head.words[1]),
        mez_spirv_linked_id(sides->caller, head.words[2]),
        head.words[3] & ~(uint32_t)(MEZ_FUNCTION_INLINE | MEZ_FUNCTION_DONT_INLINE),
        mez_spirv_linked_id(sides->caller, head.words[4]));
    for (uint32_t i = 0; i < sides->function->param_count; i++) {
        const struct value value = parameter_of(sides, i);
        ADD(out, FunctionParameter, value.source_type, value.source);
    }
}

static void add_variables(struct mez_spirv_words *out, const struct sides *sides)
{
    const struct value result = result_of(sides);
    add_variable(out, &result);
    for (uint32_t i = 0; i < sides->function->param_count; i++) {
        const struct value value = parameter_of(sides, i);
        add_variable(out, &value);
    }
}

// The casts come first, and then the words that name what they give: both are the same walk.
static void add_call(struct mez_spirv_words *out, const struct sides *sides)
{
    struct mez_spirv_words nowhere = {0};
    for (uint32_t i = 0; i < sides->function->param_count; i++) {
        const struct value value = parameter_of(sides, i);
        add_cast(out, &value);
    }
    const size_t start = out->count;
    const uint32_t head[] = {0, mez_spirv_linked_id(sides->callee, sides->called_type.words[2]),
        sides->adapter->first_id + ID_CALL,
        mez_spirv_passes_to(sides->caller, sides->function->id)};
    mez_spirv_add_words(out, head, 4);
    for (uint32_t i = 0; i < sides->function->param_count; i++) {
        const struct value value = parameter_of(sides, i);
        const uint32_t id = add_cast(&nowhere, &value);
        mez_spirv_add_words(out, &id, 1);
    }
    mez_spirv_close_instruction(out, start, MEZ_OP_FunctionCall);
}

static void add_return(struct mez_spirv_words *out, const struct sides *sides)
{
    const struct value result = result_of(sides);
    const struct mez_spirv_type *type =
        mez_spirv_find_type(sides->caller->module, sides->type.words[2]);
    if (type && type->opcode == MEZ_OP_TypeVoid) {
        add(out, MEZ_OP_Return, NULL, 0);
    } else {
        const uint32_t id = add_cast(out, &result);
        ADD(out, ReturnValue, id);
    }
}

void mez_spirv_write_adapter(struct mez_spirv_words *out, const struct mez_spirv_linker *linker,
    const struct mez_spirv_link_adapter *adapter)
{
    const struct sides sides = sides_of(linker, adapter);
    add_head(out, &sides);
    ADD(out, Label, adapter->first_id + ID_LABEL);
    add_variables(out, &sides);
    add_call(out, &sides);
    add_return(out, &sides);
    add(out, MEZ_OP_FunctionEnd, NULL, 0);
}
