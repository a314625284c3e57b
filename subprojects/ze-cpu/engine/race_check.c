// SPDX-License-Identifier: MIT
//
// Calls of what finds data races (races.h): before each access to memory that work-items share, and where a work-item may make
// what it wrote known to others without a barrier. Loads that nobody asks for are left out (demand.h).

#include "access.h"
#include "demand.h"
#include "grow.h"
#include "race_guard.h"

#include <stdlib.h>

// An access that is looked at, under a condition or always.
struct place {
    const struct zc_kernel_build *kernel; // whose wrapper it is in, or NULL
    struct zc_access access;
    struct zc_object object;
    struct zc_demand demand;
};

struct finder {
    struct zc_build *build;
    const struct zc_kernel_build *kernel; // whose wrapper is looked at; NULL: another function
    struct place *places;
    LLVMValueRef *fences;
    uint32_t count, fence_count;
    struct zc_race_guards guards;
    bool failed;
};

// ---- declarations ----

static LLVMValueRef declare(struct zc_build *build, const char *name, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetNamedFunction(build->module, name);
    if (function == NULL)
        function = LLVMAddFunction(build->module, name, type);
    zc_add_attribute(build->context, function, "nounwind");
    return function;
}

// (semantics, local)
static LLVMValueRef declare_order(struct zc_build *build, LLVMTypeRef *type)
{
    LLVMTypeRef parameters[2] = {build->types.i32, build->types.i32};
    *type = LLVMFunctionType(build->types.void_type, parameters, 2, false);
    return declare(build, "zc_race_order", *type);
}

static void call_order(struct zc_build *build, LLVMValueRef semantics, bool is_local)
{
    LLVMTypeRef type;
    LLVMValueRef function = declare_order(build, &type);
    LLVMValueRef arguments[2] = {semantics, zc_const_i32(build, is_local)};
    LLVMBuildCall2(build->builder, type, function, arguments, 2, "");
}

static unsigned space_of(LLVMValueRef pointer)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
}

void zc_race_check_note_order(struct zc_build *build, LLVMValueRef pointer, LLVMValueRef semantics)
{
    call_order(build, semantics, space_of(pointer) == ZC_SPACE_LOCAL);
}

// ---- which accesses ----

// A volatile access to global memory may be how groups notify each other, as atomic operations are.
static enum zc_access_kind kind_of(const struct zc_access *access)
{
    const bool is_plain = access->kind == ZC_ACCESS_READ || access->kind == ZC_ACCESS_WRITE;
    const bool is_single =
        LLVMIsALoadInst(access->instruction) || LLVMIsAStoreInst(access->instruction);
    if (!is_plain || !is_single || space_of(access->pointer) == ZC_SPACE_LOCAL ||
        !LLVMGetVolatile(access->instruction))
        return access->kind;
    return access->kind == ZC_ACCESS_READ ? ZC_ACCESS_ATOMIC_READ : ZC_ACCESS_ATOMIC;
}

static void note_place(struct finder *finder, const struct place *place)
{
    struct place *grown = zc_grow(finder->places, finder->count, sizeof(*finder->places));
    if (grown == NULL) {
        finder->failed = true;
        return;
    }
    finder->places = grown;
    grown[finder->count++] = *place;
}

// Whether a compare-exchange is going to find what it compares with; not right if another thread changes that in between.
static LLVMValueRef ask_for_match(struct zc_build *build, LLVMValueRef exchange)
{
    LLVMValueRef expected = LLVMGetOperand(exchange, 1);
    LLVMPositionBuilderBefore(build->builder, exchange);
    LLVMValueRef found =
        LLVMBuildLoad2(build->builder, LLVMTypeOf(expected), LLVMGetOperand(exchange, 0), "");
    LLVMSetOrdering(found, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(found, (unsigned)LLVMABISizeOfType(build->layout, LLVMTypeOf(expected)));
    return LLVMBuildICmp(build->builder, LLVMIntEQ, found, expected, "");
}

// One that finds another value writes nothing.
static void note_exchange(struct finder *finder, struct place *place)
{
    place->demand.conditions[0] = ask_for_match(finder->build, place->access.instruction);
    place->demand.condition_count = 1;
    place->demand.wanted[0] = true;
    note_place(finder, place);
    place->demand.wanted[0] = false;
    place->access.kind = ZC_ACCESS_ATOMIC_READ;
    note_place(finder, place);
}

static void note_access(struct finder *finder, const struct zc_access *access)
{
    const unsigned space = space_of(access->pointer);
    struct place place = {
        .kernel = finder->kernel, .access = *access, .demand.before = access->instruction};
    if (space == ZC_SPACE_PRIVATE || space == ZC_SPACE_CONSTANT)
        return;
    place.object = zc_object_of(finder->build, finder->kernel, access->pointer);
    if (place.object.is_ours || place.object.kind == ZC_OBJECT_PRIVATE)
        return;
    place.access.kind = kind_of(access);
    if (LLVMIsAAtomicCmpXchgInst(access->instruction)) {
        note_exchange(finder, &place);
        return;
    }
    if (!LLVMIsALoadInst(access->instruction) || place.access.kind != ZC_ACCESS_READ) {
        note_place(finder, &place);
        return;
    }
    struct zc_demand demands[ZC_MAX_DEMANDS];
    const unsigned count = zc_demands_find(access->instruction, demands);
    for (unsigned i = 0; i < count; i++) {
        place.demand = demands[i];
        note_place(finder, &place);
    }
}

static void note_fence(struct finder *finder, LLVMValueRef fence)
{
    LLVMValueRef *grown = zc_grow(finder->fences, finder->fence_count, sizeof(*finder->fences));
    if (grown == NULL) {
        finder->failed = true;
        return;
    }
    finder->fences = grown;
    grown[finder->fence_count++] = fence;
}

static void look_at(struct finder *finder, LLVMValueRef instruction)
{
    struct zc_access found[2];
    if (LLVMIsAFenceInst(instruction))
        note_fence(finder, instruction);
    const unsigned count = zc_access_find(finder->build, instruction, found);
    for (unsigned n = 0; n < count; n++)
        note_access(finder, &found[n]);
}

static void find_in_function(struct finder *finder, LLVMValueRef function)
{
    finder->kernel = zc_kernel_of_wrapper(finder->build, function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            look_at(finder, i);
    }
}

// ---- calls ----

// Nothing is accessed where a condition is not as it has to be.
static LLVMValueRef size_of(struct zc_build *build, const struct place *place)
{
    LLVMValueRef size = place->access.size;
    for (unsigned i = 0; i < place->demand.condition_count; i++) {
        LLVMValueRef zero = zc_const_i64(build, 0);
        const bool wanted = place->demand.wanted[i];
        size = LLVMBuildSelect(build->builder, place->demand.conditions[i], wanted ? size : zero,
            wanted ? zero : size, "");
    }
    return size;
}

static LLVMValueRef as_plain_pointer(struct zc_build *build, LLVMValueRef pointer)
{
    return LLVMBuildAddrSpaceCast(build->builder, pointer, build->types.pointer, "");
}

static void call_access(
    struct finder *finder, const struct place *place, LLVMValueRef sites, uint64_t number)
{
    struct zc_build *build = finder->build;
    LLVMPositionBuilderBefore(build->builder, place->demand.before);
    const bool is_known = place->object.kind != ZC_OBJECT_UNKNOWN;
    LLVMValueRef arguments[5] = {as_plain_pointer(build, place->access.pointer),
        size_of(build, place),
        is_known ? as_plain_pointer(build, place->object.base)
                 : LLVMConstNull(build->types.pointer),
        sites, zc_const_i64(build, number)};
    zc_race_guard_access(&finder->guards, place->kernel, &place->access, arguments);
}

// The sites lie one behind the other: which one it was takes fewer bits than an address.
static void call_accesses(struct finder *finder)
{
    struct zc_build *build = finder->build;
    LLVMValueRef *sites = calloc(finder->count + 1, sizeof(*sites));
    if (sites == NULL) {
        finder->failed = true;
        return;
    }
    for (uint32_t i = 0; i < finder->count; i++)
        sites[i] = zc_access_describe(build, &finder->places[i].access, &finder->places[i].object,
            LLVMConstNull(build->types.pointer));
    if (finder->count > 0) {
        LLVMValueRef list =
            zc_add_constant(build, LLVMConstArray(LLVMTypeOf(sites[0]), sites, finder->count));
        for (uint32_t i = 0; i < finder->count; i++)
            call_access(finder, &finder->places[i], list, i);
    }
    free(sites);
}

static void call_orders(struct finder *finder)
{
    for (uint32_t i = 0; i < finder->fence_count; i++) {
        LLVMPositionBuilderBefore(finder->build->builder, finder->fences[i]);
        call_order(finder->build, zc_const_i32(finder->build, ZC_SEMANTICS_RELEASE), false);
    }
}

bool zc_race_check_insert(struct zc_build *build)
{
    struct finder finder = {.build = build};
    zc_race_guards_define(&finder.guards, build);
    for (LLVMValueRef f = LLVMGetFirstFunction(build->module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && !zc_has_prefix(zc_name_of(f), "zc.check_"))
            find_in_function(&finder, f);
    }
    call_accesses(&finder);
    call_orders(&finder);
    free(finder.places);
    free(finder.fences);
    LLVMSetCurrentDebugLocation2(build->builder, NULL);
    return !finder.failed;
}
