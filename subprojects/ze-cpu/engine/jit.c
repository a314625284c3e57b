// SPDX-License-Identifier: MIT
//
// From the finished module to native code in memory, with LLVM's ORC.
//
// Generated code may call the functions listed here and nothing else: a symbol that is missing is
// an error in the build log, and a kernel cannot reach into the process.

#include "build.h"
#include "runtime.h"
#include "target.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Error.h>
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/Orc.h>
#include <llvm-c/OrcEE.h>

struct symbol {
    const char *name;
    void *address;
};

// The compiler's helpers for half on processors without conversion instructions, from libgcc.
extern uint32_t zc_truncdfhf2(void) __asm__("__truncdfhf2");
extern uint32_t zc_truncsfhf2(void) __asm__("__truncsfhf2");
extern uint32_t zc_extendhfsf2(void) __asm__("__extendhfsf2");

// A function pointer in a table of object pointers: POSIX allows the conversion.
#define FUNCTION(name) __extension__(void *)(name)
#define SYMBOL(name)          \
    {                         \
#name, FUNCTION(name) \
    }
#define MATH(name)                   \
    SYMBOL(name),                    \
    {                                \
#name "f", FUNCTION(name##f) \
    }

static const struct symbol symbols[] = {SYMBOL(zc_printf),
    {ZC_ASSERT_RUNTIME, FUNCTION(zc_assert_fail)}, SYMBOL(zc_debugger_is_attached),
    SYMBOL(zc_frame_allocate), SYMBOL(memcpy), SYMBOL(memmove), SYMBOL(memset), SYMBOL(memcmp),
    SYMBOL(bcmp), SYMBOL(strlen), {"__truncdfhf2", FUNCTION(zc_truncdfhf2)},
    {"__truncsfhf2", FUNCTION(zc_truncsfhf2)}, {"__extendhfsf2", FUNCTION(zc_extendhfsf2)},
    MATH(acos), MATH(acosh), MATH(asin), MATH(asinh), MATH(atan), MATH(atan2), MATH(atanh),
    MATH(cbrt), MATH(ceil), MATH(copysign), MATH(cos), MATH(cosh), MATH(erf), MATH(erfc), MATH(exp),
    MATH(exp10), MATH(exp2), MATH(expm1), MATH(fabs), MATH(fdim), MATH(floor), MATH(fma),
    MATH(fmax), MATH(fmin), MATH(fmod), MATH(frexp), MATH(hypot), MATH(ilogb), MATH(ldexp),
    MATH(log), MATH(log10), MATH(log1p), MATH(log2), MATH(logb), MATH(modf), MATH(nearbyint),
    MATH(nextafter), MATH(pow), MATH(remainder), MATH(remquo), MATH(rint), MATH(round),
    MATH(roundeven), MATH(sin), MATH(sincos), MATH(sinh), MATH(sqrt), MATH(tan), MATH(tanh),
    MATH(tgamma), MATH(trunc), SYMBOL(lgamma_r), SYMBOL(lgammaf_r)};

#define SYMBOL_COUNT (sizeof(symbols) / sizeof(symbols[0]))

static bool check(struct zc_build *build, LLVMErrorRef error, const char *what)
{
    if (error == NULL)
        return true;
    char *message = LLVMGetErrorMessage(error);
    zc_log_add(&build->log, "error: %s: %s", what, message);
    LLVMDisposeErrorMessage(message);
    return false;
}

// ORC reports what it could not resolve here; the default prints to stderr.
static void report(void *context, LLVMErrorRef error)
{
    check(context, error, "linking native code");
}

// Tells debuggers of the code (GDB's JIT interface); they ask for it when they are attached.
static LLVMOrcObjectLayerRef create_told_layer(
    void *unused, LLVMOrcExecutionSessionRef session, const char *triple)
{
    (void)unused, (void)triple;
    LLVMOrcObjectLayerRef layer =
        LLVMOrcCreateRTDyldObjectLinkingLayerWithSectionMemoryManager(session);
    LLVMOrcRTDyldObjectLinkingLayerRegisterJITEventListener(
        layer, LLVMCreateGDBRegistrationListener());
    return layer;
}

static bool create_jit(struct zc_build *build)
{
    LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
    LLVMTargetMachineRef machine = zc_target_machine(zc_target(), build->optimise);
    LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
        builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine));
    if (build->has_debug_info)
        LLVMOrcLLJITBuilderSetObjectLinkingLayerCreator(builder, create_told_layer, NULL);
    return check(build, LLVMOrcCreateLLJIT(&build->program->jit, builder), "native compiler");
}

static bool define_symbols(struct zc_build *build)
{
    LLVMOrcLLJITRef jit = build->program->jit;
    LLVMOrcCSymbolMapPair pairs[SYMBOL_COUNT];
    for (size_t i = 0; i < SYMBOL_COUNT; i++) {
        pairs[i].Name = LLVMOrcLLJITMangleAndIntern(jit, symbols[i].name);
        pairs[i].Sym.Address = (LLVMOrcJITTargetAddress)(uintptr_t)symbols[i].address;
        pairs[i].Sym.Flags = (LLVMJITSymbolFlags){LLVMJITSymbolGenericFlagsExported, 0};
    }
    LLVMOrcJITDylibRef library = LLVMOrcLLJITGetMainJITDylib(jit);
    return check(build, LLVMOrcJITDylibDefine(library, LLVMOrcAbsoluteSymbols(pairs, SYMBOL_COUNT)),
        "run-time functions");
}

static bool add_module(struct zc_build *build)
{
    LLVMOrcLLJITRef jit = build->program->jit;
    LLVMOrcThreadSafeModuleRef module =
        LLVMOrcCreateNewThreadSafeModule(build->module, build->shared_context);
    build->module = NULL;
    LLVMErrorRef error = LLVMOrcLLJITAddLLVMIRModule(jit, LLVMOrcLLJITGetMainJITDylib(jit), module);
    if (error != NULL)
        LLVMOrcDisposeThreadSafeModule(module);
    return check(build, error, "native compiler");
}

static bool look_up(struct zc_build *build, const char *prefix, const char *name, void **address)
{
    char *full = NULL;
    LLVMOrcExecutorAddress found = 0;
    if (asprintf(&full, "%s.%s", prefix, name) < 0)
        return false;
    LLVMErrorRef error = LLVMOrcLLJITLookup(build->program->jit, &found, full);
    free(full);
    *address = (void *)(uintptr_t)found;
    return check(build, error, name);
}

static bool look_up_all(struct zc_build *build)
{
    struct zc_program *program = build->program;
    bool ok = true;
    for (uint32_t i = 0; ok && i < program->kernel_count; i++) {
        struct zc_kernel_code *kernel = &program->kernels[i];
        ok = look_up(build, "kernel", kernel->public.name, &kernel->entry);
    }
    for (uint32_t i = 0; ok && i < program->global_count; i++)
        ok = look_up(build, "user", program->globals[i].name, &program->globals[i].address);
    return ok;
}

bool zc_jit_compile(struct zc_build *build)
{
    if (!create_jit(build))
        return false;
    LLVMOrcExecutionSessionRef session = LLVMOrcLLJITGetExecutionSession(build->program->jit);
    LLVMOrcExecutionSessionSetErrorReporter(session, report, build);
    return define_symbols(build) && add_module(build) && look_up_all(build);
}
