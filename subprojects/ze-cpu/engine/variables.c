// SPDX-License-Identifier: MIT
//
// Program-scope variables live apart from the code: in memory that is made once, when the program is
// created, whether its code is complete or not yet linked. The code of every program that is linked
// with it, its own among them, finds them there by address.
//
// So the module is divided: one with the variables and their initial values becomes an object of
// its own, the other declares them. Constants that nobody outside can name stay with the code. Of
// the others the code knows the value all the same, so that it need not read what it can compute.

#include "build.h"
#include "grow.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#define GLOBAL_ADDRESS_SPACE 1
#define CONSTANT_ADDRESS_SPACE 2

// An address that is known only once the code is there.
static bool needs_code(LLVMValueRef value)
{
    if (LLVMIsAGlobalValue(value))
        return LLVMIsAFunction(value) || LLVMIsDeclaration(value);
    const int count = LLVMIsAUser(value) ? LLVMGetNumOperands(value) : 0;
    for (int i = 0; i < count; i++)
        if (needs_code(LLVMGetOperand(value, (unsigned)i)))
            return true;
    return false;
}

// One whose initial value can't be known here stays with the code, and has no address for others.
static bool is_named_constant(LLVMValueRef global)
{
    return zc_address_space(global) == CONSTANT_ADDRESS_SPACE && zc_is_shared_symbol(global) &&
           !needs_code(LLVMGetInitializer(global));
}

static bool is_variable(LLVMValueRef global)
{
    if (is_named_constant(global))
        return true;
    if (LLVMIsDeclaration(global) || zc_address_space(global) != GLOBAL_ADDRESS_SPACE)
        return false;
    return zc_is_shared_symbol(global) ||
           (!LLVMIsGlobalConstant(global) && LLVMGetFirstUse(global) != NULL);
}

static bool note_variable(struct zc_build *build, LLVMValueRef global)
{
    struct zc_variable *list = zc_grow(build->variables, build->variable_count, sizeof(*list));
    if (list == NULL)
        return false;
    build->variables = list;
    struct zc_variable variable = {.name = strdup(zc_name_of(global)),
        .size = LLVMABISizeOfType(build->layout, LLVMGlobalGetValueType(global)),
        .is_exported = zc_is_shared_symbol(global)};
    if (variable.name == NULL)
        return false;
    list[build->variable_count++] = variable;
    return true;
}

static bool note_variables(struct zc_build *build)
{
    bool ok = true;
    for (LLVMValueRef g = LLVMGetFirstGlobal(build->module); ok && g; g = LLVMGetNextGlobal(g))
        ok = !is_variable(g) || note_variable(build, g);
    return ok;
}

// Leaves the variables and what their initial values need.
static bool keep_variables(struct zc_build *build, LLVMModuleRef data)
{
    LLVMStripModuleDebugInfo(data);
    for (LLVMValueRef f = LLVMGetFirstFunction(data); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f))
            LLVMSetLinkage(f, LLVMInternalLinkage);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(data); g; g = LLVMGetNextGlobal(g)) {
        const bool keep = is_variable(g);
        if (!LLVMIsDeclaration(g))
            LLVMSetLinkage(g, keep ? LLVMExternalLinkage : LLVMInternalLinkage);
        if (!keep)
            continue;
        LLVMSetGlobalConstant(g, false); // memory that the application may write to
        zc_set_apart(g);
    }
    return zc_run_passes(build, data, "globaldce");
}

static bool refuse_initial_value(struct zc_build *build, LLVMValueRef needed)
{
    zc_log_add(&build->log,
        "error: the initial value of a variable contains the address of '%s', %s",
        zc_name_of(needed),
        LLVMIsDeclaration(needed) ? "which no module defines" : "which is a function");
    return false;
}

// Initial values must be known before anything is linked.
static bool is_self_contained(struct zc_build *build, LLVMModuleRef data)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(data); f; f = LLVMGetNextFunction(f)) {
        if (LLVMGetIntrinsicID(f) == 0)
            return refuse_initial_value(build, f);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(data); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMIsDeclaration(g))
            return refuse_initial_value(build, g);
    }
    return true;
}

// Constants first: their initial values may contain the address of a variable, which has to be one as long as they are looked at.
static void declare_variables(struct zc_build *build)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(build->module); g; g = LLVMGetNextGlobal(g))
        if (is_named_constant(g))
            LLVMSetLinkage(g, LLVMAvailableExternallyLinkage);
    for (LLVMValueRef g = LLVMGetFirstGlobal(build->module); g; g = LLVMGetNextGlobal(g)) {
        if (!is_variable(g))
            continue;
        LLVMSetLinkage(g, LLVMExternalLinkage);
        LLVMSetInitializer(g, NULL);
    }
}

bool zc_variables_split(struct zc_build *build)
{
    if (!note_variables(build))
        return false;
    if (build->variable_count == 0)
        return true;
    LLVMModuleRef data = LLVMCloneModule(build->module);
    const bool ok = keep_variables(build, data) && is_self_contained(build, data) &&
                    zc_emit_object(build, data, &build->data);
    LLVMDisposeModule(data);
    if (ok)
        declare_variables(build);
    return ok;
}
