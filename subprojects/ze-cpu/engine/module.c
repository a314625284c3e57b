// SPDX-License-Identifier: MIT
//
// From several SPIR-V modules to one LLVM module: parse, check, link by import and export.
//
// LLVM's linkage tells what SPIR-V said: external is LinkageAttributes Export, a declaration is
// Import, internal is no linkage at all. Kernels have a calling convention of their own.

#include "build.h"
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>

#define SPIR_KERNEL_CONVENTION 76

static bool is_kernel(LLVMValueRef function)
{
    return LLVMGetFunctionCallConv(function) == SPIR_KERNEL_CONVENTION &&
           !LLVMIsDeclaration(function);
}

static const char *name_of(LLVMValueRef value)
{
    size_t length;
    return LLVMGetValueName2(value, &length);
}

static unsigned address_space(LLVMValueRef global)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(global));
}

// Local memory is each kernel's own, whatever the module says about linkage.
static bool is_shared_symbol(LLVMValueRef value)
{
    return !LLVMIsDeclaration(value) && LLVMGetLinkage(value) == LLVMExternalLinkage &&
           address_space(value) != 3;
}

// Calls visit for each symbol that the module defines for others; stops at the first false.
typedef bool (*symbol_visitor)(struct zc_build *build, LLVMValueRef symbol, void *data);

static bool visit_symbols(
    struct zc_build *build, LLVMModuleRef module, symbol_visitor visit, void *data)
{
    bool ok = true;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); ok && f; f = LLVMGetNextFunction(f))
        ok = !is_shared_symbol(f) || visit(build, f, data);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); ok && g; g = LLVMGetNextGlobal(g))
        ok = !is_shared_symbol(g) || visit(build, g, data);
    return ok;
}

static bool refuse_duplicate(struct zc_build *build, LLVMValueRef symbol, void *data)
{
    LLVMModuleRef earlier = data;
    const char *name = name_of(symbol);
    LLVMValueRef other = LLVMGetNamedFunction(earlier, name);
    if (other == NULL)
        other = LLVMGetNamedGlobal(earlier, name);
    if (other == NULL || !is_shared_symbol(other))
        return true;
    zc_log_add(&build->log, "error: symbol '%s' is defined by two modules", name);
    build->failure = ZC_BUILD_LINK_FAILED;
    return false;
}

static bool note_export(struct zc_build *build, LLVMValueRef symbol, void *data)
{
    (void)data;
    if (!LLVMIsAFunction(symbol) || !is_kernel(symbol))
        build->program->has_exports = true;
    return true;
}

static LLVMModuleRef parse(struct zc_build *build, const struct zc_spirv *spirv)
{
    LLVMMemoryBufferRef bitcode = zc_translate(&build->log, spirv->bytes, spirv->size);
    if (bitcode == NULL)
        return NULL;
    LLVMModuleRef module = NULL;
    const bool failed = LLVMParseBitcodeInContext2(build->context, bitcode, &module);
    LLVMDisposeMemoryBuffer(bitcode);
    if (failed) {
        zc_log_add(&build->log, "error: the translated module cannot be parsed");
        return NULL;
    }
    if (zc_debug_info_is_there(module)) {
        build->has_debug_info = true;
        zc_debug_info_adapt(build, module);
    }
    LLVMSetTarget(module, zc_target()->triple);
    LLVMSetDataLayout(module, zc_target()->layout);
    return module;
}

// Links a module into the build's; `module` is gone afterwards, whatever the result.
static bool link_module(struct zc_build *build, LLVMModuleRef module)
{
    if (!zc_features_check(build, module)) {
        LLVMDisposeModule(module);
        return false;
    }
    visit_symbols(build, module, note_export, NULL);
    if (build->module == NULL) {
        build->module = module;
        return true;
    }
    if (!visit_symbols(build, module, refuse_duplicate, build->module)) {
        LLVMDisposeModule(module);
        return false;
    }
    if (!LLVMLinkModules2(build->module, module))
        return true;
    zc_log_add(&build->log, "error: the modules cannot be linked");
    build->failure = ZC_BUILD_LINK_FAILED;
    return false;
}

static bool add_import(struct zc_build *build, LLVMValueRef value)
{
    struct zc_program *program = build->program;
    char **imports = realloc(program->imports, (program->import_count + 1) * sizeof(*imports));
    if (imports == NULL)
        return false;
    program->imports = imports;
    if ((imports[program->import_count] = strdup(name_of(value))) == NULL)
        return false;
    program->import_count++;
    return true;
}

static bool is_import(LLVMValueRef value)
{
    const char *name = name_of(value);
    return LLVMIsDeclaration(value) && LLVMGetFirstUse(value) != NULL &&
           !zc_has_prefix(name, "llvm.") && strcmp(name, ZC_ASSERT_RUNTIME) != 0 &&
           !zc_builtin_name(name, NULL, 0);
}

static bool find_imports(struct zc_build *build)
{
    bool ok = true;
    LLVMModuleRef module = build->module;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); ok && f; f = LLVMGetNextFunction(f))
        ok = !is_import(f) || add_import(build, f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); ok && g; g = LLVMGetNextGlobal(g))
        ok = !is_import(g) || add_import(build, g);
    return ok;
}

static bool add_global(struct zc_build *build, LLVMValueRef value)
{
    struct zc_program *program = build->program;
    struct zc_global *globals =
        realloc(program->globals, (program->global_count + 1) * sizeof(*globals));
    if (globals == NULL)
        return false;
    program->globals = globals;
    const size_t size = LLVMABISizeOfType(build->layout, LLVMGlobalGetValueType(value));
    struct zc_global global = {.name = strdup(name_of(value)), .size = size};
    if (global.name == NULL)
        return false;
    globals[program->global_count++] = global;
    return true;
}

static bool find_globals(struct zc_build *build)
{
    bool ok = true;
    for (LLVMValueRef g = LLVMGetFirstGlobal(build->module); ok && g; g = LLVMGetNextGlobal(g))
        ok = !is_shared_symbol(g) || address_space(g) != 1 || add_global(build, g);
    return ok;
}

// A user's function may be called sinf or memcpy, as the functions that generated code needs: '.'
// sets them apart, since no C name has one.
static void set_apart(LLVMValueRef value)
{
    char *name = NULL;
    const int length = asprintf(&name, "user.%s", name_of(value));
    if (length < 0)
        return;
    LLVMSetValueName2(value, name, (size_t)length);
    free(name);
}

static void close_module(struct zc_build *build)
{
    LLVMModuleRef module = build->module;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        LLVMSetLinkage(f, LLVMInternalLinkage);
        set_apart(f);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMIsDeclaration(g))
            continue;
        if (address_space(g) != 1 || !is_shared_symbol(g))
            LLVMSetLinkage(g, LLVMInternalLinkage);
        set_apart(g);
    }
}

static bool wants_optimisation(const struct zc_build_request *request)
{
    static const char *const disabling[] = {
        "-cl-opt-disable", "-ze-opt-disable", "-ze-opt-level=0", "-ze-opt-level=O0"};
    for (size_t m = 0; m < request->module_count; m++) {
        for (size_t i = 0; i < sizeof(disabling) / sizeof(disabling[0]); i++) {
            if (request->modules[m].flags && strstr(request->modules[m].flags, disabling[i]))
                return false;
        }
    }
    return true;
}

bool zc_module_load(struct zc_build *build, const struct zc_build_request *request)
{
    build->optimise = wants_optimisation(request);
    if (request->module_count == 0) {
        zc_log_add(&build->log, "error: no module to build");
        return false;
    }
    for (size_t i = 0; i < request->module_count; i++) {
        LLVMModuleRef module = parse(build, &request->modules[i]);
        if (module == NULL || !link_module(build, module))
            return false;
    }
    build->layout = LLVMGetModuleDataLayout(build->module);
    if (build->has_debug_info && !zc_debug_info_choose_version(build))
        return false;
    if (request->native_asserts && !zc_assert_define(build))
        return false;
    return find_imports(build) && find_globals(build);
}

static bool add_kernel(struct zc_build *build, LLVMValueRef function, uint32_t index)
{
    struct zc_kernel_code *code = &build->program->kernels[index];
    code->public.name = strdup(name_of(function));
    build->kernels[index] = (struct zc_kernel_build){.code = code, .body = function};
    return code->public.name != NULL;
}

bool zc_module_find_kernels(struct zc_build *build)
{
    uint32_t count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(build->module); f; f = LLVMGetNextFunction(f))
        count += is_kernel(f);
    build->kernels = calloc(count + 1, sizeof(*build->kernels));
    build->program->kernels = calloc(count + 1, sizeof(*build->program->kernels));
    if (build->kernels == NULL || build->program->kernels == NULL)
        return false;
    bool ok = true;
    for (LLVMValueRef f = LLVMGetFirstFunction(build->module); ok && f;
         f = LLVMGetNextFunction(f)) {
        if (is_kernel(f))
            ok = add_kernel(build, f, build->program->kernel_count++);
    }
    close_module(build);
    return ok;
}

static void normalise_calls(LLVMValueRef function)
{
    static const char *const unwanted[] = {"noinline", "optnone", "convergent"};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsACallInst(i))
                continue;
            LLVMSetInstructionCallConv(i, LLVMCCallConv);
            for (size_t a = 0; a < sizeof(unwanted) / sizeof(unwanted[0]); a++)
                LLVMRemoveCallSiteEnumAttribute(i, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                    zc_attribute_kind(unwanted[a]));
        }
    }
}

// The target machine's processor holds for functions that name none.
static void normalise_function(LLVMValueRef function)
{
    static const char *const unwanted[] = {
        "noinline", "optnone", "convergent", "alwaysinline", "optsize", "minsize"};
    static const char *const unwanted_texts[] = {
        "target-cpu", "target-features", "tune-cpu", "min-legal-vector-width", "frame-pointer"};
    const LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    for (size_t i = 0; i < sizeof(unwanted) / sizeof(unwanted[0]); i++)
        LLVMRemoveEnumAttributeAtIndex(function, index, zc_attribute_kind(unwanted[i]));
    for (size_t i = 0; i < sizeof(unwanted_texts) / sizeof(unwanted_texts[0]); i++)
        LLVMRemoveStringAttributeAtIndex(
            function, index, unwanted_texts[i], (unsigned)strlen(unwanted_texts[i]));
}

void zc_module_normalise(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMGetIntrinsicID(f) != 0)
            continue;
        LLVMSetFunctionCallConv(f, LLVMCCallConv);
        normalise_function(f);
        normalise_calls(f);
    }
}
