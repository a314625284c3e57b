// SPDX-License-Identifier: MIT
//
// A function that asks for its work-item, waits at a barrier or touches local memory cannot stand
// alone: the answer lies in its kernel's wrapper. All such functions, and their callers up to the
// kernel, are inlined there. The others are left to LLVM's judgement.

#include "build.h"

#include <string.h>

#define LOCAL_ADDRESS_SPACE 3

static bool is_marked(LLVMValueRef function)
{
    return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
               zc_attribute_kind("alwaysinline")) != NULL;
}

static void mark_function(struct zc_build *build, LLVMValueRef function)
{
    zc_add_attribute(build->context, function, "alwaysinline");
}

static void mark_users(struct zc_build *build, LLVMValueRef value)
{
    static const struct zc_mark mark = {.is_set = is_marked, .set = mark_function};
    zc_mark_users(build, value, &mark);
}

static void mark_users_of_function(struct zc_build *build, const char *name)
{
    LLVMValueRef function = LLVMGetNamedFunction(build->module, name);
    if (function != NULL)
        mark_users(build, function);
}

// Waiting kernels are found first, while nothing else is marked.
static void find_waiting_kernels(struct zc_build *build)
{
    mark_users_of_function(build, "zc_suspend");
    for (uint32_t i = 0; i < build->kernel_count; i++)
        build->kernels[i].info->has_barrier = is_marked(build->kernels[i].body);
}

static void create_wrapper(struct zc_build *build, struct zc_kernel_build *kernel)
{
    if (zc_fission_create(build, kernel))
        return;
    kernel->info->runs_coroutines = kernel->info->has_barrier;
    if (kernel->info->has_barrier)
        zc_coroutine_create(build, kernel);
    else
        zc_wrapper_create(build, kernel);
}

static bool is_wrapper(const struct zc_build *build, LLVMValueRef function, uint32_t *index)
{
    for (*index = 0; *index < build->kernel_count; ++*index) {
        if (build->kernels[*index].wrapper == function)
            return true;
    }
    return false;
}

static bool refuse_remaining(struct zc_build *build, LLVMValueRef function)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    zc_log_add(&build->log,
        "error: function '%s': recursion and function pointers are not supported where work-item "
        "functions, barriers or local memory are used",
        zc_has_prefix(name, "user.") ? name + strlen("user.") : name);
    return false;
}

// Answers each remaining question for the context with the wrapper's own copy.
static bool replace_context_calls(struct zc_build *build)
{
    LLVMValueRef question = LLVMGetNamedFunction(build->module, "zc_get_context");
    LLVMUseRef use;
    while (question != NULL && (use = LLVMGetFirstUse(question)) != NULL) {
        LLVMValueRef call = LLVMGetUser(use);
        LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
        uint32_t index;
        if (!is_wrapper(build, function, &index))
            return refuse_remaining(build, function);
        LLVMPositionBuilderBefore(build->builder, call);
        LLVMValueRef context = LLVMBuildAddrSpaceCast(
            build->builder, build->kernels[index].context, LLVMTypeOf(call), "");
        LLVMReplaceAllUsesWith(call, context);
        LLVMInstructionEraseFromParent(call);
    }
    return true;
}

static bool waits_are_in_wrappers(struct zc_build *build)
{
    LLVMValueRef suspend = LLVMGetNamedFunction(build->module, "zc_suspend");
    LLVMUseRef use = suspend != NULL ? LLVMGetFirstUse(suspend) : NULL;
    for (; use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
        uint32_t index;
        if (!is_wrapper(build, function, &index))
            return refuse_remaining(build, function);
    }
    return true;
}

// What a pointer that a function is given points to is known to its caller.
static bool has_pointers(LLVMValueRef function)
{
    bool found = false;
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        found |= LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, i))) == LLVMPointerTypeKind;
    return found;
}

static void mark_checked_functions(struct zc_build *build)
{
    if (build->checks == 0)
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(build->module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && has_pointers(f) && !is_marked(f))
            mark_function(build, f);
    }
}

bool zc_inline_work_item_functions(struct zc_build *build)
{
    find_waiting_kernels(build);
    mark_users_of_function(build, "zc_get_context");
    for (LLVMValueRef g = LLVMGetFirstGlobal(build->module); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == LOCAL_ADDRESS_SPACE)
            mark_users(build, g);
    }
    for (uint32_t i = 0; i < build->kernel_count; i++) {
        if (!is_marked(build->kernels[i].body))
            zc_add_attribute(build->context, build->kernels[i].body, "alwaysinline");
    }
    if (!zc_fission_prepare(build))
        return false;
    mark_checked_functions(build);
    for (uint32_t i = 0; i < build->kernel_count; i++)
        create_wrapper(build, &build->kernels[i]);
    zc_debug_info_describe_wrappers(build);
    return zc_run_passes(build, build->module, "always-inline,globaldce") &&
           waits_are_in_wrappers(build) && replace_context_calls(build);
}
