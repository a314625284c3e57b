// SPDX-License-Identifier: MIT
//
// Accesses to memory are guarded (checked.h). That happens when everything has been inlined that depends on the work-item, so
// that it is known what pointers point to, and before LLVM optimises: it may take an access outside of an object for one that
// does not happen.
//
// A guard is a call, as the C API can't divide blocks; the branch comes with what is inlined.

#include "access.h"
#include "grow.h"

#include <stdlib.h>
#include <string.h>

struct checker {
    struct zc_build *build;
    const struct zc_kernel_build *kernel; // whose wrapper is looked at; NULL: another function
    LLVMValueRef check_range, check_object;
    LLVMValueRef variables;
    struct zc_access *accesses;
    uint32_t count;
    uint32_t range_count; // in this wrapper
    bool failed;
};

static void end_guard(struct zc_build *build, LLVMValueRef guard, LLVMValueRef is_wrong,
    const char *runtime, bool returns)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(guard);
    LLVMValueRef parameters[4];
    LLVMGetParams(guard, parameters);
    LLVMBasicBlockRef call = zc_append_block(build, guard), end = zc_append_block(build, guard);
    zc_set_unlikely(build, LLVMBuildCondBr(build->builder, is_wrong, call, end));
    LLVMPositionBuilderAtEnd(build->builder, call);
    LLVMValueRef function = zc_declare_runtime(build, runtime, type);
    LLVMBuildCall2(build->builder, type, function, parameters, 4, "");
    if (returns) {
        LLVMBuildBr(build->builder, end);
    } else {
        zc_add_attribute(build->context, function, "noreturn");
        LLVMBuildUnreachable(build->builder);
    }
    LLVMPositionBuilderAtEnd(build->builder, end);
    LLVMBuildRetVoid(build->builder);
}

// (range, address, size, site)
static LLVMTypeRef range_type(struct zc_build *build)
{
    const struct zc_types *t = &build->types;
    LLVMTypeRef parameters[4] = {t->pointer, t->i64, t->i64, t->pointer};
    return LLVMFunctionType(t->void_type, parameters, 4, false);
}

static LLVMValueRef create_range_guard(struct zc_build *build)
{
    LLVMBuilderRef b = build->builder;
    LLVMValueRef guard = zc_begin_inlined(build, range_type(build), "zc.check_range");
    LLVMValueRef range = LLVMGetParam(guard, 0), address = LLVMGetParam(guard, 1);
    LLVMValueRef begin = LLVMBuildLoad2(b, build->types.i64, range, "");
    LLVMValueRef span =
        LLVMBuildLoad2(b, build->types.i64, zc_byte_offset(build, range, sizeof(uint64_t)), "");
    LLVMValueRef distance = LLVMBuildSub(b, address, begin, "");
    end_guard(
        build, guard, LLVMBuildICmp(b, LLVMIntUGT, distance, span, ""), "zc_check_range", true);
    return guard;
}

// (offset, size, size of the object, site)
static LLVMValueRef create_object_guard(struct zc_build *build)
{
    LLVMBuilderRef b = build->builder;
    const struct zc_types *t = &build->types;
    LLVMTypeRef parameters[4] = {t->i64, t->i64, t->i64, t->pointer};
    LLVMValueRef guard = zc_begin_inlined(
        build, LLVMFunctionType(t->void_type, parameters, 4, false), "zc.check_object");
    LLVMValueRef offset = LLVMGetParam(guard, 0), size = LLVMGetParam(guard, 1);
    LLVMValueRef object_size = LLVMGetParam(guard, 2);
    LLVMValueRef is_larger = LLVMBuildICmp(b, LLVMIntUGT, size, object_size, "");
    LLVMValueRef last = LLVMBuildSub(b, object_size, size, "");
    LLVMValueRef is_behind = LLVMBuildICmp(b, LLVMIntUGT, offset, last, "");
    LLVMValueRef is_outside = LLVMBuildOr(b, is_larger, is_behind, "");
    LLVMValueRef is_wrong = LLVMBuildAnd(b, is_outside, LLVMBuildIsNotNull(b, size, ""), "");
    end_guard(build, guard, is_wrong, "zc_check_object", false);
    return guard;
}

// ---- constants that the guards pass ----

static LLVMValueRef describe_site(
    struct checker *checker, const struct zc_access *access, const struct zc_object *object)
{
    return zc_add_constant(
        checker->build, zc_access_describe(checker->build, access, object, checker->variables));
}

// Declarations, too: variables are an object of their own, and known by address.
static bool is_program_variable(LLVMValueRef global)
{
    return zc_address_space(global) != 3 && LLVMGetFirstUse(global) != NULL &&
           LLVMTypeIsSized(LLVMGlobalGetValueType(global)) &&
           !zc_has_prefix(zc_name_of(global), "llvm.") && !zc_has_prefix(zc_name_of(global), "zc.");
}

static void describe_variables(struct checker *checker)
{
    struct zc_build *build = checker->build;
    LLVMValueRef *words = NULL;
    uint32_t count = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(build->module); g; g = LLVMGetNextGlobal(g)) {
        if (!is_program_variable(g))
            continue;
        LLVMValueRef *grown = realloc(words, (count + 2) * sizeof(*words));
        if (grown == NULL) { // an access to one that is left out would be a finding
            checker->failed = true;
            break;
        }
        words = grown;
        words[count++] = LLVMConstPtrToInt(g, build->types.i64);
        words[count++] =
            zc_const_i64(build, LLVMABISizeOfType(build->layout, LLVMGlobalGetValueType(g)));
    }
    LLVMValueRef parts[2] = {
        zc_const_i64(build, count / 2), LLVMConstArray(build->types.i64, words, count)};
    free(words);
    checker->variables =
        zc_add_constant(build, LLVMConstStructInContext(build->context, parts, 2, false));
}

// ---- guards ----

static void call_guard(struct checker *checker, LLVMValueRef guard, LLVMValueRef arguments[4])
{
    LLVMBuildCall2(checker->build->builder, LLVMGlobalGetValueType(guard), guard, arguments, 4, "");
}

static bool fits(
    const struct zc_access *access, const struct zc_object *object, LLVMValueRef offset)
{
    if (!LLVMIsAConstantInt(offset) || !LLVMIsAConstantInt(object->size) ||
        !LLVMIsAConstantInt(access->size))
        return false;
    const uint64_t size = LLVMConstIntGetZExtValue(access->size);
    const uint64_t room = LLVMConstIntGetZExtValue(object->size);
    return size <= room && LLVMConstIntGetZExtValue(offset) <= room - size;
}

static void guard_object(
    struct checker *checker, const struct zc_access *access, const struct zc_object *object)
{
    LLVMValueRef offset = zc_object_offset(checker->build, object->base, access->pointer);
    if (fits(access, object, offset))
        return;
    LLVMValueRef arguments[4] = {
        offset, access->size, object->size, describe_site(checker, access, object)};
    call_guard(checker, checker->check_object, arguments);
}

static LLVMValueRef next_range(struct checker *checker)
{
    struct zc_build *build = checker->build;
    LLVMValueRef ranges = LLVMBuildLoad2(build->builder, build->types.i64,
        zc_context_word(build, checker->kernel, ZC_CONTEXT_RANGES), "ranges");
    LLVMValueRef first = LLVMBuildIntToPtr(build->builder, ranges, build->types.pointer, "");
    return zc_byte_offset(build, first, (uint64_t)checker->range_count++ * sizeof(struct zc_range));
}

// A range is remembered for one size.
static void guard_address(
    struct checker *checker, const struct zc_access *access, const struct zc_object *object)
{
    struct zc_build *build = checker->build;
    const bool remembers = checker->kernel != NULL && LLVMIsAConstantInt(access->size);
    LLVMValueRef arguments[4] = {
        remembers ? next_range(checker) : LLVMConstNull(build->types.pointer),
        LLVMBuildPtrToInt(build->builder, access->pointer, build->types.i64, ""), access->size,
        describe_site(checker, access, object)};
    call_guard(checker,
        remembers ? checker->check_range
                  : zc_declare_runtime(build, "zc_check_range", range_type(build)),
        arguments);
}

static void guard_access(struct checker *checker, const struct zc_access *access)
{
    const struct zc_object object = zc_object_of(checker->build, checker->kernel, access->pointer);
    if (object.is_ours)
        return;
    LLVMPositionBuilderBefore(checker->build->builder, access->instruction);
    if (object.kind == ZC_OBJECT_UNKNOWN)
        guard_address(checker, access, &object);
    else
        guard_object(checker, access, &object);
}

static void note_access(struct checker *checker, const struct zc_access *access)
{
    struct zc_access *grown =
        zc_grow(checker->accesses, checker->count, sizeof(*checker->accesses));
    if (grown == NULL) {
        checker->failed = true;
        return;
    }
    checker->accesses = grown;
    grown[checker->count++] = *access;
}

// All are found before the first is guarded, as guards have accesses of their own.
static void find_accesses(struct checker *checker, LLVMValueRef function)
{
    struct zc_access found[2];
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const unsigned count = zc_access_find(checker->build, i, found);
            for (unsigned n = 0; n < count; n++)
                note_access(checker, &found[n]);
        }
    }
}

static void guard_function(struct checker *checker, LLVMValueRef function)
{
    struct zc_kernel_build *kernel = zc_kernel_of_wrapper(checker->build, function);
    checker->kernel = kernel;
    checker->count = 0;
    checker->range_count = 0;
    find_accesses(checker, function);
    for (uint32_t i = 0; i < checker->count; i++)
        guard_access(checker, &checker->accesses[i]);
    if (kernel != NULL)
        kernel->info->range_count = checker->range_count;
}

static bool is_guard(const struct checker *checker, LLVMValueRef function)
{
    return function == checker->check_range || function == checker->check_object;
}

static bool insert_guards(struct zc_build *build)
{
    struct checker checker = {.build = build};
    describe_variables(&checker);
    checker.check_range = create_range_guard(build);
    checker.check_object = create_object_guard(build);
    for (LLVMValueRef f = LLVMGetFirstFunction(build->module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && !is_guard(&checker, f))
            guard_function(&checker, f);
    }
    free(checker.accesses);
    LLVMSetCurrentDebugLocation2(build->builder, NULL);
    return !checker.failed;
}

// Where guards are inlined, blocks are divided: what else looks at accesses comes before.
bool zc_checks_insert(struct zc_build *build)
{
    if (!(build->checks & (ZC_CHECK_MEMORY | ZC_CHECK_RACES)))
        return true;
    if (!zc_run_passes(build, build->module, "function(mem2reg)"))
        return false;
    if (build->checks & ZC_CHECK_MEMORY && !insert_guards(build))
        return false;
    if (build->checks & ZC_CHECK_RACES && !zc_race_check_insert(build))
        return false;
    return zc_run_passes(build, build->module, "always-inline,globaldce");
}
