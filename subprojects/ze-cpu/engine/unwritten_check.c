// SPDX-License-Identifier: MIT
//
// Kernels are given the code that finds uses of what nobody has written (unwritten.h). LLVM's MemorySanitizer does it, before
// LLVM optimises, which makes of such values what it likes, and before coroutines are split, so that what it knows of a value is
// kept across barriers as the value is. Before it runs, this adds what it does not look at; afterwards its calls become ours, as
// it does not say where a use is.

#include "build.h"
#include "llvm_versions.h"
#include "unwritten.h"

#include <string.h>

#define PASS "msan<kernel;recover;track-origins=1>"
#define REPORT "zc_report_unwritten"

static LLVMValueRef describe_use(struct zc_build *build, LLVMValueRef instruction, enum zc_use use)
{
    uint64_t line;
    LLVMValueRef file = zc_source_place(build, instruction, &line);
    LLVMValueRef words[ZC_USE_SITE_WORDS] = {
        file, zc_const_i64(build, line), zc_const_i64(build, use)};
    return zc_add_constant(
        build, LLVMConstStructInContext(build->context, words, ZC_USE_SITE_WORDS, false));
}

// In no address space of its own.
static LLVMValueRef plain_pointer(struct zc_build *build, LLVMValueRef pointer)
{
    return LLVMBuildAddrSpaceCast(build->builder, pointer, build->types.pointer, "");
}

// ---- before ----

static bool is_kind(LLVMValueRef value, LLVMTypeKind kind)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == kind;
}

static LLVMValueRef size_of(struct zc_build *build, LLVMTypeRef type)
{
    return zc_const_i64(build, LLVMStoreSizeOfType(build->layout, type));
}

// What the operation finds in memory is looked at when it happens: MemorySanitizer takes the result for written.
static void use_in_atomic(struct zc_build *build, LLVMValueRef atomic)
{
    const bool exchanges =
        LLVMIsAAtomicRMWInst(atomic) && LLVMGetAtomicRMWBinOp(atomic) == LLVMAtomicRMWBinOpXchg;
    if (exchanges)
        return;
    LLVMPositionBuilderBefore(build->builder, atomic);
    LLVMValueRef arguments[3] = {plain_pointer(build, LLVMGetOperand(atomic, 0)),
        size_of(build, LLVMTypeOf(LLVMGetOperand(atomic, 1))),
        describe_use(build, atomic, ZC_USE_ATOMIC)};
    zc_call_runtime(build, "zc_use_memory", build->types.void_type, arguments, 3);
}

static void use_in_printf(struct zc_build *build, LLVMValueRef print)
{
    LLVMPositionBuilderBefore(build->builder, print);
    LLVMValueRef arguments[4] = {LLVMGetOperand(print, 1), LLVMGetOperand(print, 2),
        LLVMGetOperand(print, 3), describe_use(build, print, ZC_USE_PRINTF)};
    zc_call_runtime(build, "zc_use_printf", build->types.void_type, arguments, 4);
}

// Through their pointers functions of the C library set an int, or a number like the one that they are given.
static void note_results(struct zc_build *build, LLVMValueRef library_call)
{
    const unsigned count = LLVMGetNumArgOperands(library_call);
    LLVMValueRef first = LLVMGetOperand(library_call, 0);
    const char *name = zc_name_of(LLVMGetCalledValue(library_call));
    const bool like_first = zc_has_prefix(name, "modf") || zc_has_prefix(name, "sincos");
    for (unsigned i = 1; i < count; i++) {
        LLVMValueRef pointer = LLVMGetOperand(library_call, i);
        if (!is_kind(pointer, LLVMPointerTypeKind))
            continue;
        LLVMPositionBuilderBefore(build->builder, LLVMGetNextInstruction(library_call));
        LLVMValueRef arguments[2] = {plain_pointer(build, pointer),
            size_of(build, like_first ? LLVMTypeOf(first) : build->types.i32)};
        zc_call_runtime(build, "zc_written", build->types.void_type, arguments, 2);
    }
}

static bool is_library_call(LLVMValueRef instruction)
{
    LLVMValueRef callee = LLVMGetCalledValue(instruction);
    return LLVMIsAFunction(callee) && LLVMIsDeclaration(callee) &&
           LLVMGetIntrinsicID(callee) == 0 && LLVMGetNumArgOperands(instruction) > 0 &&
           (is_kind(LLVMGetOperand(instruction, 0), LLVMFloatTypeKind) ||
               is_kind(LLVMGetOperand(instruction, 0), LLVMDoubleTypeKind));
}

// MemorySanitizer of LLVM 19 makes invalid calls of copies and fills in other address spaces.
static void use_plain_pointers(struct zc_build *build, LLVMValueRef memory_call)
{
    LLVMBuilderRef b = build->builder;
    LLVMPositionBuilderBefore(b, memory_call);
    LLVMValueRef to = plain_pointer(build, LLVMGetOperand(memory_call, 0));
    LLVMValueRef second = LLVMGetOperand(memory_call, 1), size = LLVMGetOperand(memory_call, 2);
    if (LLVMIsAMemSetInst(memory_call))
        LLVMBuildMemSet(b, to, second, size, 1);
    else if (LLVMIsAMemMoveInst(memory_call))
        LLVMBuildMemMove(b, to, 1, plain_pointer(build, second), 1, size);
    else
        LLVMBuildMemCpy(b, to, 1, plain_pointer(build, second), 1, size);
    LLVMInstructionEraseFromParent(memory_call);
}

// ---- what is not the program's ----

static LLVMValueRef step_back(LLVMValueRef value)
{
    switch (LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : LLVMRet) {
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMIntToPtr:
    case LLVMLoad:
        return LLVMGetOperand(value, 0);
    default:
        return NULL;
    }
}

// The kernel's own copy of the context, or the worker's.
static bool is_context(const struct zc_build *build, LLVMValueRef value)
{
    bool found = false;
    for (uint32_t i = 0; i < build->kernel_count; i++)
        found |= value == build->kernels[i].context ||
                 value == LLVMGetParam(build->kernels[i].wrapper, ZC_WRAPPER_CONTEXT);
    return found;
}

// The context is ours, and so is all memory that it has addresses of.
static bool is_ours(const struct zc_build *build, LLVMValueRef pointer)
{
    LLVMValueRef base = pointer;
    for (LLVMValueRef next = step_back(base); next != NULL; next = step_back(base))
        base = next;
    return is_context(build, base);
}

// It isn't looked at, and what is read has been written. LLVM can keep it in registers then.
static void leave_out(struct zc_build *build, LLVMValueRef instruction)
{
    LLVMValueRef nothing =
        LLVMMetadataAsValue(build->context, LLVMMDNodeInContext2(build->context, NULL, 0));
    LLVMSetMetadata(
        instruction, LLVMGetMDKindIDInContext(build->context, "nosanitize", 10), nothing);
}

static bool accesses_ours(const struct zc_build *build, LLVMValueRef instruction)
{
    if (LLVMIsALoadInst(instruction) || LLVMIsAMemCpyInst(instruction))
        return is_ours(build, LLVMGetOperand(instruction, 0));
    return LLVMIsAStoreInst(instruction) && is_ours(build, LLVMGetOperand(instruction, 1));
}

static void prepare_instruction(struct zc_build *build, LLVMValueRef instruction)
{
    if (accesses_ours(build, instruction)) {
        leave_out(build, instruction);
    } else if (LLVMIsAAtomicRMWInst(instruction) || LLVMIsAAtomicCmpXchgInst(instruction)) {
        use_in_atomic(build, instruction);
    } else if (LLVMIsAMemIntrinsic(instruction)) {
        use_plain_pointers(build, instruction);
    } else if (LLVMIsACallInst(instruction)) {
        if (is_library_call(instruction))
            note_results(build, instruction);
        else if (strcmp(zc_name_of(LLVMGetCalledValue(instruction)), "zc_printf") == 0)
            use_in_printf(build, instruction);
    }
}

typedef void visit(struct zc_build *build, LLVMValueRef instruction);

static void visit_all(struct zc_build *build, visit *visit)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(build->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                visit(build, i);
            }
        }
    }
    LLVMSetCurrentDebugLocation2(build->builder, NULL);
}

static void mark_functions(struct zc_build *build)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(build->module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f))
            zc_add_attribute(build->context, f, "sanitize_memory");
    }
}

// ---- afterwards ----

static bool calls(LLVMValueRef instruction, const char *name)
{
    return LLVMIsACallInst(instruction) &&
           strcmp(zc_name_of(LLVMGetCalledValue(instruction)), name) == 0;
}

static bool is_finding(LLVMBasicBlockRef block)
{
    return calls(LLVMGetFirstInstruction(block), "__msan_warning");
}

static enum zc_use use_of_call(LLVMValueRef instruction)
{
    const char *name = zc_name_of(LLVMGetCalledValue(instruction));
    return zc_has_prefix(name, "__msan_") ? ZC_USE_ADDRESS : ZC_USE_VALUE;
}

static enum zc_use use_of(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMBr:
    case LLVMSwitch:
        return ZC_USE_BRANCH;
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return ZC_USE_ADDRESS;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return ZC_USE_DIVISOR;
    case LLVMCall:
        return use_of_call(instruction);
    default:
        return ZC_USE_VALUE;
    }
}

static bool computes(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMICmp:
    case LLVMOr:
    case LLVMSelect:
    case LLVMPHI:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
        return true;
    default:
        return false;
    }
}

// The instruction for which something was looked at: the next one that is not MemorySanitizer's. There may be several findings for it,
// one after the other.
static LLVMValueRef instruction_of(LLVMValueRef warning)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(warning);
    LLVMValueRef at =
        LLVMGetFirstInstruction(LLVMGetSuccessor(LLVMGetBasicBlockTerminator(block), 0));
    for (LLVMValueRef next; LLVMGetInstructionOpcode(at) != LLVMBr; at = next) {
        next = LLVMGetNextInstruction(at);
        if (!computes(at))
            return at;
    }
    const bool goes_on = LLVMIsConditional(at) && is_finding(LLVMGetSuccessor(at, 0));
    return goes_on ? instruction_of(LLVMGetFirstInstruction(LLVMGetSuccessor(at, 0))) : at;
}

static void replace_warning(struct zc_build *build, LLVMValueRef warning)
{
    LLVMValueRef instruction = instruction_of(warning);
    LLVMPositionBuilderBefore(build->builder, warning);
    LLVMValueRef place =
        LLVMGetDebugLocFilename(instruction, &(unsigned){0}) ? instruction : warning;
    LLVMValueRef arguments[2] = {
        LLVMGetOperand(warning, 0), describe_use(build, place, use_of(instruction))};
    zc_call_runtime(build, REPORT, build->types.void_type, arguments, 2);
    LLVMInstructionEraseFromParent(warning);
}

// LLVM adds ".i" and perhaps a number where it inlines.
static size_t length_of_own_name(const char *name)
{
    const char *end = strstr(name, ".i");
    return end != NULL ? (size_t)(end - name) : strlen(name);
}

static LLVMValueRef describe_variable(struct zc_build *build, LLVMValueRef variable)
{
    const char *name = zc_name_of(variable);
    LLVMValueRef words[2] = {
        zc_add_text(build, name, length_of_own_name(name)), zc_const_i64(build, 0)};
    LLVMValueRef constant =
        zc_add_constant(build, LLVMConstStructInContext(build->context, words, 2, false));
    LLVMSetGlobalConstant(constant, false); // where it is numbered
    return constant;
}

static LLVMValueRef find_begin(LLVMValueRef function)
{
    const unsigned id = LLVMLookupIntrinsicID("llvm.coro.begin", strlen("llvm.coro.begin"));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsACallInst(i) && LLVMGetIntrinsicID(LLVMGetCalledValue(i)) == id)
                return i;
        }
    }
    return NULL;
}

// The variables of a coroutine are in its frame, which is there only once it has begun.
static void position_at_birth(struct zc_build *build, LLVMValueRef birth)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(birth);
    LLVMValueRef function = LLVMGetBasicBlockParent(block);
    LLVMValueRef begin = block == LLVMGetEntryBasicBlock(function) ? find_begin(function) : NULL;
    LLVMPositionBuilderBefore(
        build->builder, begin != NULL ? LLVMGetNextInstruction(begin) : birth);
}

static void replace_birth(struct zc_build *build, LLVMValueRef birth)
{
    LLVMValueRef variable = LLVMGetOperand(birth, 0);
    position_at_birth(build, birth);
    if (!is_context(build, variable)) {
        LLVMValueRef arguments[3] = {
            variable, LLVMGetOperand(birth, 1), describe_variable(build, variable)};
        zc_call_runtime(build, "zc_unwritten_variable", build->types.void_type, arguments, 3);
    }
    LLVMInstructionEraseFromParent(birth);
}

static void replace_state(struct zc_build *build, LLVMValueRef state)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(state));
    const char *name = zc_kernel_of_wrapper(build, function) != NULL ? "zc_unwritten_new_state"
                                                                     : "zc_unwritten_state";
    LLVMPositionBuilderBefore(build->builder, state);
    LLVMReplaceAllUsesWith(state, zc_call_runtime(build, name, build->types.pointer, NULL, 0));
    LLVMInstructionEraseFromParent(state);
}

static void replace_call(struct zc_build *build, LLVMValueRef instruction)
{
    if (calls(instruction, "__msan_warning"))
        replace_warning(build, instruction);
    else if (calls(instruction, "__msan_poison_alloca"))
        replace_birth(build, instruction);
    else if (calls(instruction, "__msan_get_context_state"))
        replace_state(build, instruction);
    else if (LLVMIsACallInst(instruction))
        zc_shadow_find_local(build, instruction);
}

static void promise(struct zc_build *build, const char *name, const char *attribute)
{
    LLVMValueRef function = LLVMGetNamedFunction(build->module, name);
    if (function != NULL)
        zc_add_attribute(build->context, function, attribute);
}

// Where the state lies is the same for all that a thread runs.
static void describe_runtime(struct zc_build *build)
{
    promise(build, REPORT, "noreturn");
    promise(build, "zc_unwritten_state", "nounwind");
    promise(build, "zc_unwritten_state", "willreturn");
    promise(build, "zc_unwritten_state", ZC_NO_MEMORY_ATTRIBUTE);
}

bool zc_unwritten_check_insert(struct zc_build *build)
{
    if (!(build->checks & ZC_CHECK_UNINITIALIZED))
        return true;
    visit_all(build, prepare_instruction);
    mark_functions(build);
    if (!zc_run_passes(build, build->module, PASS))
        return false;
    visit_all(build, replace_call);
    describe_runtime(build);
    zc_shadow_define_lookups(build);
    return zc_run_passes(build, build->module, "always-inline,globaldce");
}
