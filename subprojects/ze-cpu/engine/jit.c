// SPDX-License-Identifier: MIT
//
// Objects become native code and variables in memory, with LLVM's ORC.
//
// Generated code may call the functions listed here and nothing else: a symbol that is missing is
// an error in the build log, and a kernel cannot reach into the process.

#include "jit.h"
#include "build.h"
#include "checked.h"
#include "races.h"
#include "runtime.h"
#include "target.h"
#include "unwritten.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Error.h>
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/Orc.h>
#include <llvm-c/OrcEE.h>

struct runtime_symbol {
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

static const struct runtime_symbol runtime_symbols[] = {SYMBOL(zc_printf),
    {ZC_ASSERT_RUNTIME, FUNCTION(zc_assert_fail)}, SYMBOL(zc_debugger_is_attached),
    SYMBOL(zc_frame_allocate), SYMBOL(zc_address_space_of), SYMBOL(zc_check_range),
    SYMBOL(zc_check_object), SYMBOL(zc_check_copy), {"zc_shadow_view", &zc_shadow_view},
    SYMBOL(zc_shadow_across), SYMBOL(zc_unwritten_variable), SYMBOL(zc_written),
    SYMBOL(zc_unwritten_state), SYMBOL(zc_unwritten_new_state), SYMBOL(zc_report_unwritten),
    SYMBOL(zc_use_memory), SYMBOL(zc_use_printf), {"__msan_memcpy", FUNCTION(zc_written_memcpy)},
    {"__msan_memmove", FUNCTION(zc_written_memmove)},
    {"__msan_memset", FUNCTION(zc_written_memset)},
    {"__msan_set_origin", FUNCTION(zc_written_set_origin)},
    {"__msan_instrument_asm_store", FUNCTION(zc_written)}, SYMBOL(zc_race_access),
    SYMBOL(zc_race_done), SYMBOL(zc_race_order), SYMBOL(memcpy), SYMBOL(memmove), SYMBOL(memset),
    SYMBOL(memcmp), SYMBOL(bcmp), SYMBOL(strlen), {"__truncdfhf2", FUNCTION(zc_truncdfhf2)},
    {"__truncsfhf2", FUNCTION(zc_truncsfhf2)}, {"__extendhfsf2", FUNCTION(zc_extendhfsf2)},
    MATH(acos), MATH(acosh), MATH(asin), MATH(asinh), MATH(atan), MATH(atan2), MATH(atanh),
    MATH(cbrt), MATH(ceil), MATH(copysign), MATH(cos), MATH(cosh), MATH(erf), MATH(erfc), MATH(exp),
    MATH(exp10), MATH(exp2), MATH(expm1), MATH(fabs), MATH(fdim), MATH(floor), MATH(fma),
    MATH(fmax), MATH(fmin), MATH(fmod), MATH(frexp), MATH(hypot), MATH(ilogb), MATH(ldexp),
    MATH(log), MATH(log10), MATH(log1p), MATH(log2), MATH(logb), MATH(modf), MATH(nearbyint),
    MATH(nextafter), MATH(pow), MATH(remainder), MATH(remquo), MATH(rint), MATH(round),
    MATH(roundeven), MATH(sin), MATH(sincos), MATH(sinh), MATH(sqrt), MATH(tan), MATH(tanh),
    MATH(tgamma), MATH(trunc), SYMBOL(lgamma_r), SYMBOL(lgammaf_r)};

#define RUNTIME_SYMBOL_COUNT (sizeof(runtime_symbols) / sizeof(runtime_symbols[0]))

bool zc_symbols_init(struct zc_symbols *symbols, size_t capacity)
{
    *symbols = (struct zc_symbols){.list = calloc(capacity + 1, sizeof(*symbols->list))};
    return symbols->list != NULL;
}

bool zc_symbols_add(struct zc_symbols *symbols, const char *prefix, const char *name, void *address)
{
    char *full = NULL;
    if (asprintf(&full, "%s%s", prefix, name) < 0)
        return false;
    symbols->list[symbols->count++] = (struct zc_symbol){full, address};
    return true;
}

void zc_symbols_finish(struct zc_symbols *symbols)
{
    for (size_t i = 0; i < symbols->count; i++)
        free(symbols->list[i].name);
    free(symbols->list);
}

static bool check(struct zc_log *log, LLVMErrorRef error, const char *what)
{
    if (error == NULL)
        return true;
    char *message = LLVMGetErrorMessage(error);
    zc_log_add(log, "error: %s: %s", what, message);
    LLVMDisposeErrorMessage(message);
    return false;
}

// ORC reports what it could not resolve here; the default prints to stderr.
static void report(void *log, LLVMErrorRef error)
{
    check(log, error, "linking native code");
}

static void ignore_late_error(void *context, LLVMErrorRef error)
{
    (void)context;
    LLVMConsumeError(error);
}

// Registers the code with debuggers (GDB's JIT interface); they ask for it when they are attached.
static LLVMOrcObjectLayerRef create_watched_layer(
    void *unused, LLVMOrcExecutionSessionRef session, const char *triple)
{
    (void)unused, (void)triple;
    LLVMOrcObjectLayerRef layer =
        LLVMOrcCreateRTDyldObjectLinkingLayerWithSectionMemoryManager(session);
    LLVMOrcRTDyldObjectLinkingLayerRegisterJITEventListener(
        layer, LLVMCreateGDBRegistrationListener());
    return layer;
}

static bool create_jit(struct zc_log *log, bool has_debug_info, LLVMOrcLLJITRef *jit)
{
    LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
    LLVMTargetMachineRef machine = zc_target_machine(zc_target(), true);
    LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
        builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine));
    if (has_debug_info)
        LLVMOrcLLJITBuilderSetObjectLinkingLayerCreator(builder, create_watched_layer, NULL);
    return check(log, LLVMOrcCreateLLJIT(jit, builder), "native code");
}

static LLVMOrcCSymbolMapPair make_pair(LLVMOrcLLJITRef jit, const char *name, void *address)
{
    return (LLVMOrcCSymbolMapPair){.Name = LLVMOrcLLJITMangleAndIntern(jit, name),
        .Sym = {.Address = (LLVMOrcJITTargetAddress)(uintptr_t)address,
            .Flags = {LLVMJITSymbolGenericFlagsExported, 0}}};
}

// What the object may refer to: the run-time functions, and what it is given.
static bool define_symbols(struct zc_log *log, LLVMOrcLLJITRef jit, const struct zc_symbols *given)
{
    const size_t given_count = given != NULL ? given->count : 0;
    const size_t count = RUNTIME_SYMBOL_COUNT + given_count;
    LLVMOrcCSymbolMapPair *pairs = calloc(count, sizeof(*pairs));
    if (pairs == NULL)
        return false;
    for (size_t i = 0; i < RUNTIME_SYMBOL_COUNT; i++)
        pairs[i] = make_pair(jit, runtime_symbols[i].name, runtime_symbols[i].address);
    for (size_t i = 0; i < given_count; i++)
        pairs[RUNTIME_SYMBOL_COUNT + i] =
            make_pair(jit, given->list[i].name, given->list[i].address);
    LLVMErrorRef error = LLVMOrcJITDylibDefine(
        LLVMOrcLLJITGetMainJITDylib(jit), LLVMOrcAbsoluteSymbols(pairs, count));
    free(pairs);
    return check(log, error, "symbols for native code");
}

static bool add_object(struct zc_log *log, LLVMOrcLLJITRef jit, struct zc_span object)
{
    LLVMMemoryBufferRef copy =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(object.data, object.size, "native code");
    return check(
        log, LLVMOrcLLJITAddObjectFile(jit, LLVMOrcLLJITGetMainJITDylib(jit), copy), "native code");
}

static bool look_up(struct zc_log *log, LLVMOrcLLJITRef jit, struct zc_symbol *symbol)
{
    LLVMOrcExecutorAddress found = 0;
    LLVMErrorRef error = LLVMOrcLLJITLookup(jit, &found, symbol->name);
    symbol->address = (void *)(uintptr_t)found;
    return check(log, error, symbol->name);
}

static bool fill(struct zc_log *log, const struct zc_jit_request *request, LLVMOrcLLJITRef jit)
{
    bool ok = define_symbols(log, jit, request->given) && add_object(log, jit, request->object);
    for (size_t i = 0; ok && i < request->wanted->count; i++)
        ok = look_up(log, jit, &request->wanted->list[i]);
    return ok;
}

// The log ends with this call; the JIT lives on and must not write there.
bool zc_jit_load(struct zc_log *log, const struct zc_jit_request *request, LLVMOrcLLJITRef *jit)
{
    *jit = NULL;
    if (!create_jit(log, request->has_debug_info, jit))
        return false;
    LLVMOrcExecutionSessionRef session = LLVMOrcLLJITGetExecutionSession(*jit);
    LLVMOrcExecutionSessionSetErrorReporter(session, report, log);
    const bool ok = fill(log, request, *jit);
    LLVMOrcExecutionSessionSetErrorReporter(session, ignore_late_error, NULL);
    if (!ok) {
        zc_jit_close(*jit);
        *jit = NULL;
    }
    return ok;
}

void zc_jit_close(LLVMOrcLLJITRef jit)
{
    if (jit == NULL)
        return;
    LLVMErrorRef error = LLVMOrcDisposeLLJIT(jit);
    if (error != NULL)
        LLVMConsumeError(error);
}
