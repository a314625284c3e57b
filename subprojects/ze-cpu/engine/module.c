// SPDX-License-Identifier: MIT
//
// From several SPIR-V modules to one LLVM module: parse, check, link by import and export.
//
// LLVM's linkage stands for SPIR-V's: external is LinkageAttributes Export, a declaration is
// Import, internal means that there is none. Kernels have a calling convention of their own.

#include "build.h"
#include "builtin_index.h"
#include "grow.h"
#include "image_types.h"
#include "images.h"
#include "lazy.h"
#include "llvm_versions.h"
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>

#define SPIR_KERNEL_CONVENTION 76

static bool is_kernel(LLVMValueRef function)
{
    return LLVMGetFunctionCallConv(function) == SPIR_KERNEL_CONVENTION &&
           !LLVMIsDeclaration(function);
}

// Calls visit for each symbol that the module defines for others; stops at the first false.
typedef bool (*symbol_visitor)(struct zc_build *build, LLVMValueRef symbol, void *data);

static bool visit_symbols(
    struct zc_build *build, LLVMModuleRef module, symbol_visitor visit, void *data)
{
    bool ok = true;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); ok && f; f = LLVMGetNextFunction(f))
        ok = !zc_is_shared_symbol(f) || visit(build, f, data);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); ok && g; g = LLVMGetNextGlobal(g))
        ok = !zc_is_shared_symbol(g) || visit(build, g, data);
    return ok;
}

static bool refuse_duplicate(struct zc_build *build, LLVMValueRef symbol, void *data)
{
    LLVMModuleRef earlier = data;
    const char *name = zc_name_of(symbol);
    LLVMValueRef other = LLVMGetNamedFunction(earlier, name);
    if (other == NULL)
        other = LLVMGetNamedGlobal(earlier, name);
    if (other == NULL || !zc_is_shared_symbol(other))
        return true;
    zc_log_add(&build->log, "error: symbol '%s' is defined by two modules", name);
    build->failure = ZC_BUILD_LINK_FAILED;
    return false;
}

LLVMModuleRef zc_parse_bitcode(struct zc_build *build, LLVMMemoryBufferRef bitcode)
{
    LLVMModuleRef module = NULL;
    const bool failed = LLVMParseBitcodeInContext2(build->context, bitcode, &module);
    LLVMDisposeMemoryBuffer(bitcode);
    if (!failed)
        return module;
    zc_log_add(&build->log, "error: the translated module cannot be parsed");
    return NULL;
}

static bool has_target_types(LLVMModuleRef module)
{
    bool found = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        found |= zc_is_target_type(LLVMGetReturnType(LLVMGlobalGetValueType(f)));
        for (unsigned i = 0; i < LLVMCountParams(f); i++)
            found |= zc_is_target_type(LLVMTypeOf(LLVMGetParam(f, i)));
    }
    return found;
}

static LLVMModuleRef parse_assembler(struct zc_build *build, const char *text)
{
    LLVMModuleRef module = NULL;
    char *message = NULL;
    if (text == NULL) {
        zc_log_add(&build->log, "error: the types of images can't be replaced");
        return NULL;
    }
    if (!LLVMParseIRInContext(build->context,
            LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "module"), &module,
            &message))
        return module;
    zc_log_add(&build->log, "error: the types of images can't be replaced: %s", message);
    LLVMDisposeMessage(message);
    return NULL;
}

// Images and samplers are pointers from here on; takes the module. NULL on failure.
static LLVMModuleRef use_pointers_for_images(struct zc_build *build, LLVMModuleRef module)
{
    if (!has_target_types(module))
        return module;
    char *text = LLVMPrintModuleToString(module);
    LLVMDisposeModule(module);
    char *replaced = zc_image_types_as_pointers(text);
    LLVMDisposeMessage(text);
    module = parse_assembler(build, replaced);
    free(replaced);
    return module;
}

static LLVMModuleRef parse(struct zc_build *build, const struct zc_spirv *spirv)
{
    LLVMMemoryBufferRef bitcode = zc_translate(&build->log, spirv);
    if (bitcode == NULL)
        return NULL;
    LLVMModuleRef module = zc_parse_bitcode(build, bitcode);
    if (module == NULL || (module = use_pointers_for_images(build, module)) == NULL)
        return NULL;
    build->has_debug_info |= zc_debug_info_is_there(module);
    LLVMSetTarget(module, zc_target()->triple);
    LLVMSetDataLayout(module, zc_target()->layout);
    return module;
}

bool zc_link_modules(struct zc_build *build, LLVMModuleRef module)
{
    if (build->module == NULL) {
        build->module = module;
        return true;
    }
    if (!LLVMLinkModules2(build->module, module))
        return true;
    zc_log_add(&build->log, "error: the modules cannot be linked");
    build->failure = ZC_BUILD_LINK_FAILED;
    return false;
}

// Takes a module into the build's; `module` is gone afterwards, whatever the result.
static bool add_module(struct zc_build *build, LLVMModuleRef module)
{
    const bool ok =
        zc_features_check(build, module) &&
        (build->module == NULL || visit_symbols(build, module, refuse_duplicate, build->module));
    if (ok)
        return zc_link_modules(build, module);
    LLVMDisposeModule(module);
    return false;
}

static bool add_name(struct zc_names *names, LLVMValueRef value)
{
    const char **list = zc_grow(names->list, names->count, sizeof(*list));
    if (list == NULL)
        return false;
    names->list = list;
    if ((list[names->count] = strdup(zc_name_of(value))) == NULL)
        return false;
    names->count++;
    return true;
}

static bool note_export(struct zc_build *build, LLVMValueRef symbol, void *data)
{
    (void)data;
    return (LLVMIsAFunction(symbol) && is_kernel(symbol)) || add_name(&build->exports, symbol);
}

static bool is_import(LLVMValueRef value)
{
    const char *name = zc_name_of(value);
    return LLVMIsDeclaration(value) && LLVMGetFirstUse(value) != NULL &&
           !zc_has_prefix(name, "llvm.") && strcmp(name, ZC_ASSERT_RUNTIME) != 0 &&
           strcmp(name, ZC_SAMPLER_INITIALIZER) != 0 && !zc_builtin_name(name, NULL, 0) &&
           !zc_builtin_is_mangled(name);
}

// What clang makes of get_kernel_work_group_size and its like, and llvm-spirv leaves as it is. No other module will define it.
static bool asks_about_kernel(struct zc_build *build, LLVMValueRef function)
{
    if (!zc_has_prefix(zc_name_of(function), "__get_kernel_"))
        return false;
    zc_log_add(&build->log, "error: function '%s' is not available: kernels can't start kernels",
        zc_name_of(function));
    return true;
}

static bool find_imports(struct zc_build *build)
{
    bool ok = true;
    LLVMModuleRef module = build->module;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); ok && f; f = LLVMGetNextFunction(f))
        ok = !is_import(f) || (!asks_about_kernel(build, f) && add_name(&build->imports, f));
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); ok && g; g = LLVMGetNextGlobal(g))
        ok = !is_import(g) || add_name(&build->imports, g);
    return ok;
}

// Nothing but kernels' wrappers is visible from here on. Variables are declared, not defined
// (variables.c).
static void close_module(struct zc_build *build)
{
    LLVMModuleRef module = build->module;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        LLVMSetLinkage(f, LLVMInternalLinkage);
        zc_set_apart(f);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        if (!LLVMIsDeclaration(g) && !zc_is_known_constant(g))
            LLVMSetLinkage(g, LLVMInternalLinkage);
        zc_set_apart(g);
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

static uint32_t count_kernels(LLVMModuleRef module)
{
    uint32_t count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        count += is_kernel(f);
    return count;
}

static void decide_when_to_compile(struct zc_build *build)
{
    build->is_lazy = build->may_be_lazy && build->imports.count == 0 && !build->has_debug_info &&
                     count_kernels(build->module) >= ZC_LAZY_KERNELS;
}

// What other programs need to be linked with this one, and what kernels are compiled from later.
static bool keep_linkable(struct zc_build *build)
{
    if (build->imports.count == 0 && build->exports.count == 0 && !build->is_lazy)
        return true;
    build->linkable = LLVMWriteBitcodeToMemoryBuffer(build->module);
    return build->linkable != NULL;
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
        if (module == NULL || !add_module(build, module))
            return false;
    }
    build->layout = LLVMGetModuleDataLayout(build->module);
    if (build->has_debug_info && !zc_debug_info_choose_version(build))
        return false;
    if (request->native_asserts && !zc_assert_define(build))
        return false;
    if (!visit_symbols(build, build->module, note_export, NULL) || !find_imports(build))
        return false;
    decide_when_to_compile(build);
    return zc_variables_split(build) && keep_linkable(build);
}

static bool add_kernel(struct zc_build *build, LLVMValueRef function)
{
    struct zc_kernel *info = &build->infos[build->kernel_count];
    info->name = strdup(zc_name_of(function));
    build->kernels[build->kernel_count++] =
        (struct zc_kernel_build){.info = info, .body = function};
    return info->name != NULL;
}

bool zc_module_find_kernels(struct zc_build *build)
{
    const uint32_t count = count_kernels(build->module);
    build->kernels = calloc(count + 1, sizeof(*build->kernels));
    build->infos = calloc(count + 1, sizeof(*build->infos));
    if (build->kernels == NULL || build->infos == NULL)
        return false;
    bool ok = true;
    for (LLVMValueRef f = LLVMGetFirstFunction(build->module); ok && f; f = LLVMGetNextFunction(f))
        ok = !is_kernel(f) || add_kernel(build, f);
    close_module(build);
    return ok;
}

void zc_module_forget_kernels(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!is_kernel(f))
            continue;
        LLVMSetFunctionCallConv(f, LLVMCCallConv);
        LLVMSetLinkage(f, LLVMInternalLinkage);
    }
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
