// SPDX-License-Identifier: MIT

#include "spirv/asserts.h"

#include <stdio.h>
#include <string.h>

// Bits of each parameter that is an integer; 0: a pointer.
static const uint32_t published[] = {0, 0, 32, 0, 64, 64, 64, 64, 64, 64};

enum { PARAMETERS = sizeof published / sizeof published[0] };

const struct mez_spirv_function *mez_spirv_find_assert(const struct mez_spirv_module *module)
{
    for (uint32_t i = 0; i < module->function_count; i++)
        if (strcmp(module->functions[i].name, MEZ_ASSERT_FUNCTION) == 0)
            return &module->functions[i];
    return NULL;
}

static bool is_pointer(const struct mez_spirv_type *type)
{
    return type && type->opcode == MEZ_OP_TypePointer &&
           (type->storage == MEZ_STORAGE_GENERIC || type->storage == MEZ_STORAGE_CROSS_WORKGROUP ||
               type->storage == MEZ_STORAGE_UNIFORM_CONSTANT);
}

static bool is_integer(const struct mez_spirv_type *type, uint32_t bits)
{
    return type && type->opcode == MEZ_OP_TypeInt && type->width == bits;
}

static bool returns_nothing(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function)
{
    const struct mez_spirv_type *type = mez_spirv_find_type(module, function->type);
    const struct mez_spirv_type *result = mez_spirv_component(module, type);
    return result && result->opcode == MEZ_OP_TypeVoid;
}

static bool parameter_deviates(const struct mez_spirv_module *module,
    const struct mez_spirv_function *function, uint32_t index, char *deviation)
{
    const uint32_t bits = published[index];
    const struct mez_spirv_type *type =
        mez_spirv_value_type(module, module->params[function->first_param + index]);
    if (bits == 0 ? is_pointer(type) : is_integer(type, bits))
        return false;
    if (bits == 0)
        snprintf(deviation, MEZ_ASSERT_DEVIATION_ROOM,
            "its parameter %u is not a pointer to generic, global or constant memory", index + 1);
    else
        snprintf(deviation, MEZ_ASSERT_DEVIATION_ROOM,
            "its parameter %u is not an integer of %u bits", index + 1, bits);
    return true;
}

bool mez_spirv_assert_deviates(const struct mez_spirv_module *module,
    const struct mez_spirv_function *function, char deviation[MEZ_ASSERT_DEVIATION_ROOM])
{
    if (!returns_nothing(module, function))
        return snprintf(deviation, MEZ_ASSERT_DEVIATION_ROOM, "it returns a value") > 0;
    if (function->param_count != PARAMETERS)
        return snprintf(deviation, MEZ_ASSERT_DEVIATION_ROOM, "it has %u parameters, not %d",
                   function->param_count, PARAMETERS) > 0;
    for (uint32_t i = 0; i < PARAMETERS; i++)
        if (parameter_deviates(module, function, i, deviation))
            return true;
    return false;
}

// --- Who reports asserts

bool mez_spirv_function_asserts(const struct mez_spirv_function *function)
{
    if (strcmp(function->name, MEZ_ASSERT_FUNCTION) == 0)
        return true;
    return !function->has_body && (strcmp(function->name, "__assert_fail") == 0 ||
                                      strcmp(function->name, "__assertfail") == 0);
}

// The variable that a device library fills, where a toolchain has linked one: its function may have
// been put into its callers.
bool mez_spirv_symbol_asserts(const struct mez_spirv_symbol *symbol)
{
    return !symbol->is_function && (strcmp(symbol->name, "__SYCL_AssertHappenedMem") == 0 ||
                                       strcmp(symbol->name, "SPIR_AssertHappenedMem") == 0);
}
