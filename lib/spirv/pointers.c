// SPDX-License-Identifier: MIT

#include "spirv/pointers.h"

static bool is_pointer(const struct mez_spirv_type *type)
{
    return type && type->opcode == MEZ_OP_TypePointer;
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
        return is_pointer(mez_spirv_value_type(module, in.words[3]));
    default:
        return false;
    }
}

static bool imports_function(const struct mez_spirv_module *module)
{
    for (uint32_t i = 0; i < module->import_count; i++)
        if (module->imports[i].is_function)
            return true;
    return false;
}

bool mez_spirv_finds_pointers(const struct mez_spirv_module *module)
{
    if (module->has_unknown_opcodes || imports_function(module))
        return true;
    for (uint32_t i = 0; i < module->def_count; i++) {
        const struct mez_spirv_def *def = &module->defs[i];
        if (is_pointer(mez_spirv_find_type(module, def->type)) &&
            !hands_on(module, mez_spirv_instruction_at(module, def->word)))
            return true;
    }
    return false;
}
