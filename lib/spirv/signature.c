// SPDX-License-Identifier: MIT
//
// Reading a kernel's arguments from its function's parameters.

#include "spirv/signature.h"

#include "base/alloc.h"

static const struct mez_spirv_type *pointee_of(
    const struct mez_spirv_module *module, const struct mez_spirv_type *pointer)
{
    return mez_spirv_find_type(module, pointer->component);
}

static void fill_by_value(const struct mez_spirv_module *module,
    const struct mez_spirv_type *pointer, struct mez_spirv_argument *argument, uint32_t param)
{
    const struct mez_spirv_type *pointee = pointee_of(module, pointer);
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

    const struct mez_spirv_type *pointee = pointee_of(module, pointer);
    argument->size = pointer->size;
    argument->alignment = pointer->alignment;
    argument->pointee_size = pointee ? pointee->size : 0;
}

static void fill_value(const struct mez_spirv_type *type, struct mez_spirv_argument *argument)
{
    argument->kind = type->opcode == MEZ_OP_TypeStruct ? MEZ_ARGUMENT_STRUCT : MEZ_ARGUMENT_VALUE;
    argument->size = type->size;
    argument->alignment = type->alignment;
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
        fill_value(type, argument);
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

void mez_spirv_signature_finish(struct mez_spirv_signature *signature)
{
    mez_free_memory(signature->arguments);
    *signature = (struct mez_spirv_signature){0};
}
