// SPDX-License-Identifier: MIT
//
// Kernels are given the code that finds uses of what nobody has written (unwritten.h). LLVM's MemorySanitizer does it, before
// LLVM optimises, which makes of such values what it likes, and before coroutines are split, so that what it knows of a value is
// kept across barriers as the value is. Before it runs, this adds what it does not look at; afterwards its calls become ours, as
// it does not say where a use is.

#include "build.h"
#include "unwritten.h"

#include <string.h>

#define PASS "msan<kernel;recover;track-origins=1>"
#define METADATA "__msan_metadata_ptr_for_"

static void forget_debug_location(struct zc_build *build)
{
    LLVMSetCurrentDebugLocation2(build->builder, NULL);
}

static LLVMValueRef declare(struct zc_build *build, const char *name, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetNamedFunction(build->module, name);
    return function != NULL ? function : LLVMAddFunction(build->module, name, type);
}

static LLVMValueRef call(struct zc_build *build, const char *name, LLVMTypeRef result,
    LLVMValueRef *arguments, unsigned count)
{
    LLVMTypeRef types[4];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    return LLVMBuildCall2(build->builder, type, declare(build, name, type), arguments, count, "");
}

static LLVMValueRef describe_use(struct zc_build *build, LLVMValueRef instruction, enum zc_use use)
{
    uint64_t line;
    LLVMValueRef file = zc_source_place(build, instruction, &line);
    LLVMValueRef words[ZC_USE_SITE_WORDS] = {
        file, zc_const_i64(build, line), zc_const_i64(build, use)};
    return zc_add_constant(
        build, LLVMConstStructInContext(build->context, words, ZC_USE_SITE_WORDS, false));
}

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
    call(build, "zc_use_memory", build->types.void_type, arguments, 3);
}

static void use_in_printf(struct zc_build *build, LLVMValueRef print)
{
    LLVMPositionBuilderBefore(build->builder, print);
    LLVMValueRef arguments[4] = {LLVMGetOperand(print, 1), LLVMGetOperand(print, 2),
        LLVMGetOperand(print, 3), describe_use(build, print, ZC_USE_PRINTF)};
    call(build, "zc_use_printf", build->types.void_type, arguments, 4);
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
        call(build, "zc_written", build->types.void_type, arguments, 2);
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

static bool is_of_wrapper(const struct zc_kernel_build *kernel, LLVMValueRef value)
{
    return value == kernel->context || value == LLVMGetParam(kernel->wrapper, ZC_WRAPPER_CONTEXT);
}

// The context is ours, and so is all memory that it has addresses of.
static bool is_ours(const struct zc_build *build, LLVMValueRef pointer)
{
    LLVMValueRef base = pointer;
    bool found = false;
    for (LLVMValueRef next = step_back(base); next != NULL; next = step_back(base))
        base = next;
    for (uint32_t i = 0; i < build->kernel_count; i++)
        found |= is_of_wrapper(&build->kernels[i], base);
    return found;
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
    forget_debug_location(build);
}

static void mark_functions(struct zc_build *build)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(build->module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f))
            zc_add_attribute(build->context, f, "sanitize_memory");
    }
}

// ---- where the shadow is ----

static LLVMValueRef view(struct zc_build *build, size_t offset)
{
    LLVMValueRef global = LLVMGetNamedGlobal(build->module, "zc_shadow_view");
    if (global == NULL) {
        global =
            LLVMAddGlobal(build->module, LLVMArrayType(build->types.pointer, 3), "zc_shadow_view");
        LLVMSetGlobalConstant(global, true);
    }
    return LLVMBuildLoad2(
        build->builder, build->types.pointer, zc_byte_offset(build, global, offset), "");
}

static LLVMValueRef at(struct zc_build *build, LLVMValueRef base, LLVMValueRef offset)
{
    return LLVMBuildGEP2(build->builder, build->types.i8, base, &offset, 1, "");
}

static LLVMValueRef bits(struct zc_build *build, LLVMValueRef value, unsigned shift, uint64_t mask)
{
    LLVMValueRef shifted = LLVMBuildLShr(build->builder, value, zc_const_i64(build, shift), "");
    return LLVMBuildAnd(build->builder, shifted, zc_const_i64(build, mask), "");
}

static LLVMValueRef find_region(struct zc_build *build, LLVMValueRef address)
{
    LLVMBuilderRef b = build->builder;
    LLVMValueRef index = bits(build, address, ZC_SHADOW_REGION_BITS, ZC_SHADOW_REGIONS - 1);
    LLVMValueRef slot = LLVMBuildGEP2(b, build->types.pointer,
        view(build, offsetof(struct zc_shadow_view, shadow)), &index, 1, "");
    LLVMValueRef region = LLVMBuildLoad2(b, build->types.pointer, slot, "");
    return LLVMBuildSelect(b, LLVMBuildIsNull(b, region, ""),
        view(build, offsetof(struct zc_shadow_view, nothing)), region, "");
}

// What is written to pages that are not tracked goes to the sink.
static void divert(struct zc_build *build, LLVMValueRef *region, LLVMValueRef *offset)
{
    LLVMBuilderRef b = build->builder;
    LLVMValueRef page = bits(build, *offset, ZC_SHADOW_PAGE_BITS, ZC_SHADOW_PAGES - 1);
    LLVMValueRef flag =
        at(build, zc_byte_offset(build, *region, offsetof(struct zc_shadow_region, tracked)), page);
    LLVMValueRef tracked = LLVMBuildIsNotNull(b, LLVMBuildLoad2(b, build->types.i8, flag, ""), "");
    LLVMValueRef within = bits(build, *offset, 0, ZC_SHADOW_SINK - 1);
    *region = LLVMBuildSelect(
        b, tracked, *region, view(build, offsetof(struct zc_shadow_view, sink)), "");
    *offset = LLVMBuildSelect(b, tracked, *offset, within, "");
}

static LLVMValueRef pair(
    struct zc_build *build, LLVMTypeRef type, LLVMValueRef region, LLVMValueRef offset)
{
    LLVMBuilderRef b = build->builder;
    LLVMValueRef origins =
        zc_byte_offset(build, region, offsetof(struct zc_shadow_region, origins));
    LLVMValueRef word = bits(build, offset, 0, ~(uint64_t)3);
    LLVMValueRef half =
        LLVMBuildInsertValue(b, LLVMGetUndef(type), at(build, region, offset), 0, "");
    return LLVMBuildInsertValue(b, half, at(build, origins, word), 1, "");
}

static LLVMBasicBlockRef append_block(struct zc_build *build, LLVMValueRef function)
{
    return LLVMAppendBasicBlockInContext(build->context, function, "");
}

static void return_across(struct zc_build *build, LLVMTypeRef type, LLVMValueRef address,
    LLVMValueRef size, bool is_store)
{
    LLVMValueRef arguments[3] = {address, size, zc_const_i64(build, is_store)};
    LLVMBuildRet(build->builder, call(build, "zc_shadow_across", type, arguments, 3));
}

// The size is a part of the name, or else the second parameter.
static LLVMValueRef access_size(struct zc_build *build, LLVMValueRef function)
{
    const char *name = zc_name_of(function);
    const char digit = name[strlen(name) - 1];
    return digit == 'n' ? LLVMGetParam(function, 1) : zc_const_i64(build, (uint64_t)(digit - '0'));
}

// { shadow, origins } function(address, size)
static void define_metadata(struct zc_build *build, LLVMValueRef function)
{
    LLVMBuilderRef b = build->builder;
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    const bool is_store = zc_has_prefix(zc_name_of(function), METADATA "store");
    LLVMBasicBlockRef entry = append_block(build, function);
    LLVMBasicBlockRef across = append_block(build, function);
    LLVMBasicBlockRef within = append_block(build, function);
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMValueRef size = access_size(build, function);
    LLVMValueRef address = LLVMBuildPtrToInt(b, LLVMGetParam(function, 0), build->types.i64, "");
    LLVMValueRef offset = bits(build, address, 0, ZC_SHADOW_REGION - 1);
    LLVMValueRef last = LLVMBuildSub(b, zc_const_i64(build, ZC_SHADOW_REGION), size, "");
    LLVMValueRef is_across = LLVMBuildICmp(b, LLVMIntUGT, offset, last, "");
    zc_set_unlikely(build, LLVMBuildCondBr(b, is_across, across, within));
    LLVMPositionBuilderAtEnd(b, across);
    return_across(build, type, address, size, is_store);
    LLVMPositionBuilderAtEnd(b, within);
    LLVMValueRef region = find_region(build, address);
    if (is_store)
        divert(build, &region, &offset);
    LLVMBuildRet(b, pair(build, type, region, offset));
}

// A value that is stored keeps where it comes from.
static void define_chain(struct zc_build *build, LLVMValueRef function)
{
    LLVMPositionBuilderAtEnd(build->builder, append_block(build, function));
    LLVMBuildRet(build->builder, LLVMGetParam(function, 0));
}

static void define_function(struct zc_build *build, LLVMValueRef function)
{
    const char *name = zc_name_of(function);
    const bool is_chain = strcmp(name, "__msan_chain_origin") == 0;
    if (!LLVMIsDeclaration(function) || !(is_chain || zc_has_prefix(name, METADATA)))
        return;
    if (is_chain)
        define_chain(build, function);
    else
        define_metadata(build, function);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    zc_add_attribute(build->context, function, "alwaysinline");
}

static void define_functions(struct zc_build *build)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(build->module); f; f = LLVMGetNextFunction(f))
        define_function(build, f);
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
    call(build, "zc_report_unwritten", build->types.void_type, arguments, 2);
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

static bool is_context(const struct zc_build *build, LLVMValueRef variable)
{
    bool found = false;
    for (uint32_t i = 0; i < build->kernel_count; i++)
        found |= build->kernels[i].context == variable;
    return found;
}

static void replace_birth(struct zc_build *build, LLVMValueRef birth)
{
    LLVMValueRef variable = LLVMGetOperand(birth, 0);
    position_at_birth(build, birth);
    if (!is_context(build, variable)) {
        LLVMValueRef arguments[3] = {
            variable, LLVMGetOperand(birth, 1), describe_variable(build, variable)};
        call(build, "zc_unwritten_variable", build->types.void_type, arguments, 3);
    }
    LLVMInstructionEraseFromParent(birth);
}

static bool is_wrapper(const struct zc_build *build, LLVMValueRef function)
{
    bool found = false;
    for (uint32_t i = 0; i < build->kernel_count; i++)
        found |= build->kernels[i].wrapper == function;
    return found;
}

static void replace_state(struct zc_build *build, LLVMValueRef state)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(state));
    const char *name =
        is_wrapper(build, function) ? "zc_unwritten_new_state" : "zc_unwritten_state";
    LLVMPositionBuilderBefore(build->builder, state);
    LLVMReplaceAllUsesWith(state, call(build, name, build->types.pointer, NULL, 0));
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
    define_functions(build);
    return zc_run_passes(build, build->module, "always-inline,globaldce");
}
