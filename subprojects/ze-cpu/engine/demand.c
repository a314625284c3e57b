// SPDX-License-Identifier: MIT
//
// A value is needed for sure where every way that control may take from it comes to a place that uses it: a store, a branch, a
// call. What is computed from a value needs it as the result is needed. A value that a phi takes is needed on the way into the
// phi's block, if the phi is needed for sure. Loops make phis depend on each other; they are taken for needed until the contrary
// is found, and then all is asked again (a greatest fixed point).
//
// All of that is bounded: in functions that are too large for it, loads don't count.
//
// Compilers load ahead only where memory is known to be there: from a variable at a constant index, or where a reference says so.
// A load from another address, of which the value is not needed for sure, as with `if (i == 0) out[0] = sum`, is the program's own
// unless its value is selected.

#include "demand.h"
#include "access.h"
#include "llvm_versions.h"

#define MAX_VALUES 128
#define MAX_PLACES 64
#define MAX_VISITS 256
#define MAX_PHIS 32

struct phi {
    LLVMValueRef value;
    bool is_lost;    // not needed for sure
    bool is_assumed; // needed for sure, as far as is known
};

struct query {
    struct phi phis[MAX_PHIS];
    unsigned count;
    bool has_changed; // a phi has been lost
    bool is_too_large;
};

struct edge {
    LLVMBasicBlockRef from, to;
};

// Where a value is used, and what is computed from it.
struct uses {
    LLVMValueRef values[MAX_VALUES];
    LLVMBasicBlockRef blocks[MAX_PLACES];
    struct edge edges[MAX_PLACES];
    unsigned value_count, block_count, edge_count;
    bool is_too_large;
};

// ---- instructions ----

static bool is_truth(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

static const char *callee_of(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) ? zc_name_of(callee) : "";
}

// Guards ask for what the access behind them asks for.
static bool is_guard(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) && (zc_has_prefix(callee_of(instruction), "zc.check_") ||
                                               zc_has_prefix(callee_of(instruction), "zc_check_"));
}

static bool is_pure_call(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) != 0 &&
           zc_touches_no_memory(callee);
}

// All that it does is its result.
static bool is_computation(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad: // at an address that is computed from the value
        return !LLVMGetVolatile(instruction);
    case LLVMCall:
        return is_pure_call(instruction);
    case LLVMGetElementPtr:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMExtractValue:
    case LLVMInsertValue:
    case LLVMFreeze:
        return true;
    default:
        return LLVMIsABinaryOperator(instruction) || LLVMIsAUnaryOperator(instruction) ||
               LLVMIsACastInst(instruction);
    }
}

// The truth value that decides whether the result depends on the operand at all; NULL: it does. `*wanted`: then it does.
static LLVMValueRef condition_of(LLVMValueRef instruction, LLVMValueRef operand, bool *wanted)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    LLVMValueRef first = LLVMGetOperand(instruction, 0), second;
    if (opcode == LLVMSelect) {
        *wanted = operand == LLVMGetOperand(instruction, 1);
        return operand == first ? NULL : first;
    }
    if ((opcode != LLVMAnd && opcode != LLVMOr) || !is_truth(instruction))
        return NULL;
    second = LLVMGetOperand(instruction, 1);
    *wanted = opcode == LLVMAnd;
    return operand == first ? second : first;
}

// ---- uses ----

static bool is_needed(struct query *query, LLVMValueRef value);

static void add_block(struct uses *uses, LLVMBasicBlockRef block)
{
    if (uses->block_count == MAX_PLACES)
        uses->is_too_large = true;
    else
        uses->blocks[uses->block_count++] = block;
}

static void add_edge(struct uses *uses, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    if (uses->edge_count == MAX_PLACES)
        uses->is_too_large = true;
    else
        uses->edges[uses->edge_count++] = (struct edge){from, to};
}

static void add_value(struct uses *uses, LLVMValueRef value)
{
    for (unsigned i = 0; i < uses->value_count; i++) {
        if (uses->values[i] == value)
            return;
    }
    if (uses->value_count == MAX_VALUES)
        uses->is_too_large = true;
    else
        uses->values[uses->value_count++] = value;
}

static struct phi *find_phi(struct query *query, LLVMValueRef value)
{
    for (unsigned i = 0; i < query->count; i++) {
        if (query->phis[i].value == value)
            return &query->phis[i];
    }
    if (query->count == MAX_PHIS) {
        query->is_too_large = true;
        return NULL;
    }
    query->phis[query->count] = (struct phi){.value = value};
    return &query->phis[query->count++];
}

static bool is_phi_needed(struct query *query, LLVMValueRef value)
{
    struct phi *phi = find_phi(query, value);
    if (phi == NULL || phi->is_lost)
        return false;
    if (phi->is_assumed)
        return true;
    phi->is_assumed = true;
    if (is_needed(query, value))
        return true;
    phi->is_lost = true;
    query->has_changed = true;
    return false;
}

static void add_phi(struct query *query, struct uses *uses, LLVMValueRef phi, LLVMValueRef value)
{
    if (!is_phi_needed(query, phi))
        return;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (LLVMGetIncomingValue(phi, i) == value)
            add_edge(uses, LLVMGetIncomingBlock(phi, i), LLVMGetInstructionParent(phi));
    }
}

static void add_user(struct query *query, struct uses *uses, LLVMValueRef user, LLVMValueRef value)
{
    bool wanted;
    if (is_guard(user))
        return;
    if (LLVMIsAPHINode(user)) {
        add_phi(query, uses, user, value);
    } else if (!is_computation(user)) {
        add_block(uses, LLVMGetInstructionParent(user));
    } else if (condition_of(user, value, &wanted) == NULL) {
        add_value(uses, user);
    }
}

static void find_uses(struct query *query, struct uses *uses, LLVMValueRef value)
{
    add_value(uses, value);
    for (unsigned i = 0; i < uses->value_count; i++) {
        LLVMUseRef use = LLVMGetFirstUse(uses->values[i]);
        for (; use != NULL && !uses->is_too_large; use = LLVMGetNextUse(use))
            add_user(query, uses, LLVMGetUser(use), uses->values[i]);
    }
}

// ---- ways ----

struct visits {
    LLVMBasicBlockRef blocks[MAX_VISITS];
    unsigned count;
};

static bool has_use(const struct uses *uses, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < uses->block_count; i++) {
        if (uses->blocks[i] == block)
            return true;
    }
    return false;
}

static bool is_used_on(const struct uses *uses, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    for (unsigned i = 0; i < uses->edge_count; i++) {
        if (uses->edges[i].from == from && uses->edges[i].to == to)
            return true;
    }
    return has_use(uses, to);
}

// False: there is no room.
static bool visit(struct visits *visits, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < visits->count; i++) {
        if (visits->blocks[i] == block)
            return true;
    }
    if (visits->count == MAX_VISITS)
        return false;
    visits->blocks[visits->count++] = block;
    return true;
}

// Whether each way from here comes to a use; it does not where it ends, or comes back to where the value is computed again.
static bool goes_on(
    const struct uses *uses, struct visits *visits, LLVMBasicBlockRef from, LLVMBasicBlockRef start)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(from);
    const unsigned count = LLVMGetNumSuccessors(last);
    if (count == 0)
        return LLVMGetInstructionOpcode(last) == LLVMUnreachable;
    for (unsigned i = 0; i < count; i++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(last, i);
        if (is_used_on(uses, from, to))
            continue;
        if (to == start || !visit(visits, to))
            return false;
    }
    return true;
}

static bool is_needed(struct query *query, LLVMValueRef value)
{
    LLVMBasicBlockRef start = LLVMGetInstructionParent(value);
    struct uses uses = {.value_count = 0};
    struct visits visits = {.count = 0};
    find_uses(query, &uses, value);
    if (uses.is_too_large || query->is_too_large)
        return false;
    if (has_use(&uses, start))
        return true;
    visit(&visits, start);
    for (unsigned i = 0; i < visits.count; i++) {
        if (!goes_on(&uses, &visits, visits.blocks[i], start))
            return false;
    }
    return true;
}

static bool is_needed_for_sure(LLVMValueRef value)
{
    struct query query = {.count = 0};
    bool result;
    do {
        query.has_changed = false;
        for (unsigned i = 0; i < query.count; i++)
            query.phis[i].is_assumed = false;
        result = is_needed(&query, value);
    } while (query.has_changed);
    return result && !query.is_too_large;
}

// ---- conditions ----

// There are as many ways as combinations of selects. Ways that are not looked at don't count.
#define MOST_VALUES 200u

// Nothing between the two can order the access and others.
static bool are_close(LLVMValueRef first, LLVMValueRef second)
{
    if (LLVMGetInstructionParent(first) != LLVMGetInstructionParent(second))
        return false;
    for (LLVMValueRef i = LLVMGetNextInstruction(first); i != second;
         i = LLVMGetNextInstruction(i)) {
        if (i == NULL || LLVMIsAFenceInst(i) || LLVMIsAAtomicRMWInst(i) ||
            LLVMIsAAtomicCmpXchgInst(i))
            return false;
        if (LLVMIsACallInst(i) && !is_guard(i) && LLVMGetIntrinsicID(LLVMGetCalledValue(i)) == 0)
            return false;
    }
    return true;
}

struct search {
    LLVMValueRef load;
    bool is_strict; // what is not needed for sure does not count
    struct zc_demand *demands;
    unsigned count;
    unsigned left;        // values that are looked at before the search is given up
    struct zc_demand way; // to the value that is looked at
};

// True: there are conditions.
static bool search_users(struct search *search, LLVMValueRef value);

static void add_way(struct search *search)
{
    if (search->count < ZC_MAX_DEMANDS)
        search->demands[search->count++] = search->way;
}

static void take_select(
    struct search *search, LLVMValueRef select, LLVMValueRef condition, bool wanted)
{
    struct zc_demand *way = &search->way;
    if (!is_truth(condition) || way->condition_count == ZC_MAX_CONDITIONS ||
        !are_close(search->load, select))
        return;
    way->conditions[way->condition_count] = condition;
    way->wanted[way->condition_count++] = wanted;
    way->before = select;
    if (is_needed_for_sure(select) || (!search_users(search, select) && !search->is_strict))
        add_way(search);
    way->condition_count--;
}

// The uses of what is computed from the value under a condition.
static bool search_users(struct search *search, LLVMValueRef value)
{
    struct query query = {.count = 0};
    struct uses uses = {.value_count = 0};
    bool has_conditions = false;
    if (search->left == 0 || search->count == ZC_MAX_DEMANDS)
        return true;
    search->left--;
    find_uses(&query, &uses, value);
    for (unsigned i = 0; i < uses.value_count; i++) {
        for (LLVMUseRef use = LLVMGetFirstUse(uses.values[i]); use != NULL;
             use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use), condition;
            bool wanted;
            if (LLVMIsAPHINode(user) || !is_computation(user))
                continue;
            condition = condition_of(user, uses.values[i], &wanted);
            if (condition == NULL)
                continue;
            has_conditions = true;
            take_select(search, user, condition, wanted);
        }
    }
    return has_conditions;
}

unsigned zc_demands_find(LLVMValueRef load, struct zc_demand demands[ZC_MAX_DEMANDS])
{
    if (LLVMGetVolatile(load) || is_needed_for_sure(load)) {
        demands[0] = (struct zc_demand){.before = load};
        return 1;
    }
    struct search search = {.load = load,
        .is_strict = zc_is_always_there(LLVMGetOperand(load, 0)),
        .demands = demands,
        .left = MOST_VALUES,
        .way.before = load};
    if (!search_users(&search, load) && !search.is_strict)
        add_way(&search);
    return search.count;
}
