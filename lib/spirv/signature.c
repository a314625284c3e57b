// SPDX-License-Identifier: MIT
//
// Reading a kernel's arguments from its function's parameters.

#include "spirv/signature.h"

#include <stdio.h>

#include "base/alloc.h"

static struct mez_spirv_number number_of(
    const struct mez_spirv_module *module, const struct mez_spirv_type *type)
{
    struct mez_spirv_number number = {.components = 1};
    if (type && type->opcode == MEZ_OP_TypeVector) {
        number.components = (uint32_t)type->count;
        type = mez_spirv_find_type(module, type->component);
    }
    if (type && type->opcode == MEZ_OP_TypeInt)
        number.kind = MEZ_NUMBER_INT;
    else if (type && type->opcode == MEZ_OP_TypeFloat)
        number.kind = MEZ_NUMBER_FLOAT;
    else
        return (struct mez_spirv_number){0};
    number.width = type->width;
    return number;
}

static void fill_by_value(const struct mez_spirv_module *module,
    const struct mez_spirv_type *pointer, struct mez_spirv_argument *argument, uint32_t param)
{
    const struct mez_spirv_type *pointee = mez_spirv_component(module, pointer);
    argument->kind = MEZ_ARGUMENT_STRUCT;
    argument->size = pointee ? pointee->size : 0;
    if (argument->size)
        argument->alignment = mez_spirv_decoration_value(
            module, param, MEZ_DECORATION_ALIGNMENT, (uint32_t)pointee->alignment);
}

static enum mez_spirv_argument_kind pointer_kind(uint32_t storage)
{
    switch (storage) {
    case MEZ_STORAGE_CROSS_WORKGROUP:
        return MEZ_ARGUMENT_GLOBAL_POINTER;
    case MEZ_STORAGE_UNIFORM_CONSTANT:
        return MEZ_ARGUMENT_CONSTANT_POINTER;
    case MEZ_STORAGE_WORKGROUP:
        return MEZ_ARGUMENT_LOCAL_POINTER;
    default:
        return MEZ_ARGUMENT_OTHER;
    }
}

static void fill_pointer(const struct mez_spirv_module *module,
    const struct mez_spirv_type *pointer, struct mez_spirv_argument *argument)
{
    argument->kind = pointer_kind(pointer->storage);
    if (argument->kind == MEZ_ARGUMENT_OTHER)
        return;

    const struct mez_spirv_type *pointee = mez_spirv_component(module, pointer);
    argument->size = pointer->size;
    argument->alignment = pointer->alignment;
    argument->pointee_size = pointee ? pointee->size : 0;
    argument->number = number_of(module, pointee);
}

static void fill_value(const struct mez_spirv_module *module, const struct mez_spirv_type *type,
    struct mez_spirv_argument *argument)
{
    argument->kind = type->opcode == MEZ_OP_TypeStruct ? MEZ_ARGUMENT_STRUCT : MEZ_ARGUMENT_VALUE;
    argument->size = type->size;
    argument->alignment = type->alignment;
    argument->number = number_of(module, type);
}

static void fill_argument(const struct mez_spirv_module *module, const struct mez_spirv_type *type,
    struct mez_spirv_argument *argument, uint32_t param)
{
    switch (type->opcode) {
    case MEZ_OP_TypeInt:
    case MEZ_OP_TypeFloat:
    case MEZ_OP_TypeBool:
    case MEZ_OP_TypeVector:
    case MEZ_OP_TypeArray:
    case MEZ_OP_TypeStruct:
        fill_value(module, type, argument);
        break;
    case MEZ_OP_TypePointer:
        if (mez_spirv_is_decorated_with(
                module, param, MEZ_DECORATION_FUNC_PARAM_ATTR, MEZ_PARAM_ATTRIBUTE_BY_VAL))
            fill_by_value(module, type, argument, param);
        else
            fill_pointer(module, type, argument);
        break;
    case MEZ_OP_TypeImage:
    case MEZ_OP_TypeSampledImage:
        argument->kind = MEZ_ARGUMENT_IMAGE;
        break;
    case MEZ_OP_TypeSampler:
        argument->kind = MEZ_ARGUMENT_SAMPLER;
        break;
    }
}

static struct mez_spirv_argument read_argument(
    const struct mez_spirv_module *module, uint32_t param)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(module, param);
    const struct mez_spirv_type *type = mez_spirv_find_type(module, def->type);
    struct mez_spirv_argument argument = {
        .kind = MEZ_ARGUMENT_OTHER,
        .name = def->name ? (const char *)(module->words + def->name) : NULL,
        .type = def->type,
    };
    if (type)
        fill_argument(module, type, &argument, param);
    return argument;
}

enum mez_spirv_status mez_spirv_signature_init(const struct mez_spirv_module *module,
    const struct mez_spirv_entry_point *entry, struct mez_spirv_problem *problem,
    struct mez_spirv_signature *signature)
{
    const struct mez_spirv_function *function = &module->functions[entry->function];
    const uint32_t count = function->param_count;

    *signature = (struct mez_spirv_signature){
        .arguments = mez_alloc_array(count ? count : 1, sizeof *signature->arguments)};
    if (!signature->arguments)
        return mez_spirv_fail(
            problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory for a kernel's arguments");

    signature->count = count;
    for (uint32_t i = 0; i < count; i++)
        signature->arguments[i] = read_argument(module, module->params[function->first_param + i]);
    return MEZ_SPIRV_OK;
}

// --- Words

void mez_spirv_number_name(const struct mez_spirv_number *number, char *name)
{
    static const char *const ints[] = {"char", "short", "int", "long"};
    static const char *const floats[] = {NULL, "half", "float", "double"};
    *name = '\0';
    if (number->kind == MEZ_NUMBER_NONE)
        return;
    const char *const *names = number->kind == MEZ_NUMBER_INT ? ints : floats;
    for (uint32_t i = 0, width = 8; i < 4; i++, width *= 2)
        if (width == number->width && names[i])
            snprintf(name, MEZ_SPIRV_NUMBER_NAME, number->components > 1 ? "%s%u" : "%s", names[i],
                (unsigned)number->components);
}

static const char *words_before(enum mez_spirv_argument_kind kind)
{
    switch (kind) {
    case MEZ_ARGUMENT_GLOBAL_POINTER:
        return "global ";
    case MEZ_ARGUMENT_CONSTANT_POINTER:
        return "constant ";
    case MEZ_ARGUMENT_LOCAL_POINTER:
        return "local ";
    case MEZ_ARGUMENT_STRUCT:
        return "struct";
    case MEZ_ARGUMENT_IMAGE:
        return "image";
    case MEZ_ARGUMENT_SAMPLER:
        return "sampler";
    default:
        return "";
    }
}

static bool is_pointer(enum mez_spirv_argument_kind kind)
{
    return kind == MEZ_ARGUMENT_GLOBAL_POINTER || kind == MEZ_ARGUMENT_CONSTANT_POINTER ||
           kind == MEZ_ARGUMENT_LOCAL_POINTER;
}

void mez_spirv_argument_declaration(
    const struct mez_spirv_argument *argument, char *text, size_t room)
{
    char type[MEZ_SPIRV_NUMBER_NAME];
    mez_spirv_number_name(&argument->number, type);
    if (is_pointer(argument->kind) && argument->pointee_size == 1) // may be anything
        *type = '\0';
    const char *before = words_before(argument->kind);
    const char *name = argument->name ? argument->name : "";
    if (is_pointer(argument->kind))
        snprintf(text, room, "%s%s%s*%s", before, type, *type ? " " : "", name);
    else
        snprintf(
            text, room, "%s%s%s%s", before, type, (*before || *type) && *name ? " " : "", name);
}

void mez_spirv_signature_finish(struct mez_spirv_signature *signature)
{
    mez_free_memory(signature->arguments);
    *signature = (struct mez_spirv_signature){0};
}

// --- Pointers

static bool is_pointer_type(const struct mez_spirv_type *type)
{
    return type && type->opcode == MEZ_OP_TypePointer;
}

// llvm-spirv makes a constant's pointer generic by way of a number.
static bool is_number_of_pointer(const struct mez_spirv_module *module, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(module, id);
    return def && mez_spirv_instruction_at(module, def->word).opcode == MEZ_OP_ConvertPtrToU;
}

// A pointer that is the result of one of these leads where a pointer among the operands does, to a
// variable, or to what a caller in the module handed over.
static bool hands_on(const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    switch (in.opcode) {
    case MEZ_OP_Undef:
    case MEZ_OP_ConstantNull:
    case MEZ_OP_Variable:
    case MEZ_OP_FunctionParameter:
    case MEZ_OP_FunctionCall:
    case MEZ_OP_AccessChain:
    case MEZ_OP_InBoundsAccessChain:
    case MEZ_OP_PtrAccessChain:
    case MEZ_OP_InBoundsPtrAccessChain:
    case MEZ_OP_PtrCastToGeneric:
    case MEZ_OP_GenericCastToPtr:
    case MEZ_OP_GenericCastToPtrExplicit:
    case MEZ_OP_CopyObject:
    case MEZ_OP_Select:
    case MEZ_OP_Phi:
        return true;
    case MEZ_OP_Bitcast:
        return is_pointer_type(mez_spirv_value_type(module, in.words[3]));
    case MEZ_OP_ConvertUToPtr:
        return is_number_of_pointer(module, in.words[3]);
    default:
        return false;
    }
}

bool mez_spirv_finds_pointer(const struct mez_spirv_module *module, const struct mez_spirv_def *def)
{
    return is_pointer_type(mez_spirv_find_type(module, def->type)) &&
           !hands_on(module, mez_spirv_instruction_at(module, def->word));
}
