// SPDX-License-Identifier: MIT
//
// A walk over pieces that keeps its own list, so that no depth of calls or types costs stack.

#include "spirv/extract.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "spirv/debug.h"
#include "spirv/reach.h"
#include "spirv/reader.h"

static size_t bit_words(const struct mez_spirv_pieces *pieces)
{
    return pieces->count / 64 + 1;
}

enum mez_spirv_status mez_spirv_closure_init(const struct mez_spirv_pieces *pieces,
    struct mez_spirv_problem *problem, struct mez_spirv_closure *closure)
{
    const size_t words = bit_words(pieces);
    *closure = (struct mez_spirv_closure){
        .pieces = pieces, .kept = mez_alloc_array(3 * words, sizeof *closure->kept)};
    if (!closure->kept)
        return mez_spirv_fail(
            problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory to follow what a kernel needs");
    closure->roots = closure->kept + words;
    closure->called = closure->roots + words;
    return MEZ_SPIRV_OK;
}

void mez_spirv_closure_finish(struct mez_spirv_closure *closure)
{
    mez_free_memory(closure->kept);
    mez_vector_finish(&closure->found);
    *closure = (struct mez_spirv_closure){0};
}

// Sets the bit; false: it was set already.
static bool set_bit(uint64_t *bits, uint32_t piece)
{
    const uint64_t bit = UINT64_C(1) << (piece % 64);
    const bool was_set = bits[piece / 64] & bit;
    bits[piece / 64] |= bit;
    return !was_set;
}

static void keep_piece(struct mez_spirv_closure *closure, uint32_t piece)
{
    if (closure->out_of_memory || !set_bit(closure->kept, piece))
        return;
    if (!mez_vector_push(&closure->found, piece))
        closure->out_of_memory = true;
}

static void keep_id(struct mez_spirv_closure *closure, uint32_t id)
{
    const uint32_t piece = mez_spirv_piece_of(closure->pieces, id);
    if (piece != MEZ_SPIRV_NO_PIECE)
        keep_piece(closure, piece);
}

// Debug information is left out of functions; at module scope what nobody asks for is not there anyway.
static bool is_left_out(const struct mez_spirv_closure *closure, uint32_t id)
{
    const struct mez_spirv_module *module = closure->pieces->module;
    const struct mez_spirv_def *def =
        closure->without_debug_info ? mez_spirv_find_def(module, id) : NULL;
    return def && def->function != MEZ_SPIRV_NO_INDEX &&
           mez_spirv_is_debug_ext_inst(module, mez_spirv_instruction_at(module, def->word));
}

// An operand that must have a definition.
static void keep_operand(
    struct mez_spirv_closure *closure, struct mez_spirv_instruction in, uint32_t id)
{
    const uint32_t piece = mez_spirv_piece_of(closure->pieces, id);
    if (is_left_out(closure, id)) {
        closure->debug_use = in.at;
        return;
    }
    if (piece != MEZ_SPIRV_NO_PIECE)
        keep_piece(closure, piece);
    else if (!mez_spirv_may_dangle(in.opcode))
        closure->unknown_use = in.at;
}

// A word that may be a number as well: what stands inside another function can't be meant.
static void keep_maybe(struct mez_spirv_closure *closure, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(closure->pieces->module, id);
    if (def && def->global != MEZ_SPIRV_NO_INDEX)
        keep_id(closure, id);
}

// Debug information speaks of functions without needing them.
static void keep_debug_operand(struct mez_spirv_closure *closure, uint32_t id)
{
    if (!mez_spirv_find_function(closure->pieces->module, id))
        keep_maybe(closure, id);
}

static void keep_operands(struct mez_spirv_closure *closure, struct mez_spirv_instruction in)
{
    struct mez_spirv_id_iter iter = mez_spirv_ids(closure->pieces->module, in);
    struct mez_spirv_id id;
    while (mez_spirv_next_id(&iter, &id)) {
        if (id.kind == MEZ_ID_USE)
            keep_operand(closure, in, id.value);
        else if (iter.is_debug && id.kind != MEZ_ID_RESULT)
            keep_debug_operand(closure, id.value);
        else if (id.kind != MEZ_ID_RESULT)
            keep_maybe(closure, id.value);
    }
}

// Each type of function is looked at once, however many calls there are.
static void keep_indirect_callees(
    struct mez_spirv_closure *closure, struct mez_spirv_instruction call)
{
    const struct mez_spirv_pieces *pieces = closure->pieces;
    const uint32_t node = mez_spirv_called_through_pointer(pieces->module, call);
    const bool anything = node == mez_spirv_any_callee(pieces->module);
    if (!set_bit(closure->called, anything ? pieces->count : pieces->by_global[node]))
        return;

    struct mez_spirv_follow follow = mez_spirv_follow(pieces->module, node);
    uint32_t callee;
    while (mez_spirv_follow_next(&follow, &callee))
        keep_piece(closure, pieces->by_global[callee]);
}

static void follow_instruction(
    struct mez_spirv_closure *closure, struct mez_spirv_instruction in, bool in_function)
{
    mez_spirv_use_instruction(closure->pieces->module, in, &closure->use);
    if (!mez_spirv_opcode_info(in.opcode))
        closure->keeps_unknown = true;
    const bool leaves_out_debug =
        closure->code_only || (in_function && closure->without_debug_info);
    if (leaves_out_debug && mez_spirv_is_debug_ext_inst(closure->pieces->module, in))
        return;
    if (in.opcode == MEZ_OP_FunctionPointerCallINTEL)
        keep_indirect_callees(closure, in);
    keep_operands(closure, in);
}

// What a piece says about others it does not need: an interface and a group are cut down to what is kept.
static void follow_group(struct mez_spirv_closure *closure, struct mez_spirv_instruction in)
{
    if (in.opcode == MEZ_OP_EntryPoint)
        closure->entry_point_count++;
    else
        keep_operand(closure, in, in.words[1]);
}

static void follow_piece(struct mez_spirv_closure *closure, const struct mez_spirv_piece *piece)
{
    const struct mez_spirv_module *module = closure->pieces->module;
    if (piece->line && !closure->code_only)
        keep_id(closure, mez_spirv_instruction_at(module, piece->line).words[1]);

    const uint16_t opcode = mez_spirv_instruction_at(module, piece->first).opcode;
    mez_spirv_each_instruction(module, in, piece->first, piece->end)
    {
        const bool groups = opcode == MEZ_OP_EntryPoint || opcode == MEZ_OP_GroupDecorate ||
                            opcode == MEZ_OP_GroupMemberDecorate;
        if (groups)
            follow_group(closure, in);
        else
            follow_instruction(closure, in, opcode == MEZ_OP_Function);
    }
}

static bool is_root(const struct mez_spirv_closure *closure, uint32_t function)
{
    const struct mez_spirv_pieces *pieces = closure->pieces;
    return mez_spirv_closure_has(
        closure->roots, mez_spirv_piece_of(pieces, pieces->module->functions[function].id));
}

// A root is offered to others, and so is the body of a kernel that is a root.
static bool keeps_linkage(const struct mez_spirv_closure *closure, uint32_t id)
{
    const struct mez_spirv_pieces *pieces = closure->pieces;
    const struct mez_spirv_function *function = mez_spirv_find_function(pieces->module, id);
    if (!function || mez_spirv_find_def(pieces->module, id)->linkage == MEZ_LINKAGE_IMPORT)
        return true;
    const uint32_t index = (uint32_t)(function - pieces->module->functions);
    const uint32_t kernel = pieces->body_of[index];
    return is_root(closure, index) || (kernel != MEZ_SPIRV_NO_INDEX && is_root(closure, kernel));
}

// Whether what is said about a kept piece is to be said again.
static bool is_still_true(
    const struct mez_spirv_closure *closure, uint32_t subject, uint32_t statement)
{
    const struct mez_spirv_pieces *pieces = closure->pieces;
    const struct mez_spirv_instruction in =
        mez_spirv_instruction_at(pieces->module, pieces->pieces[statement].first);
    if (in.opcode == MEZ_OP_EntryPoint)
        return mez_spirv_closure_has(closure->roots, subject);
    if (in.opcode == MEZ_OP_Decorate && in.words[2] == MEZ_DECORATION_LINKAGE_ATTRIBUTES)
        return keeps_linkage(closure, in.words[1]);
    return in.opcode != MEZ_OP_ExtInst || !closure->without_debug_info;
}

static void keep_statements(struct mez_spirv_closure *closure, uint32_t subject)
{
    const struct mez_spirv_pieces *pieces = closure->pieces;
    const uint32_t end = pieces->about_first[subject + 1];
    for (uint32_t i = pieces->about_first[subject]; i < end; i++) {
        if (is_still_true(closure, subject, pieces->about[i]))
            keep_piece(closure, pieces->about[i]);
    }
}

static void forget(struct mez_spirv_closure *closure)
{
    memset(closure->kept, 0, 3 * bit_words(closure->pieces) * sizeof *closure->kept);
    closure->found.count = 0;
    closure->use = (struct mez_spirv_code_use){0};
    closure->entry_point_count = 0;
    closure->keeps_unknown = false;
    closure->unknown_use = closure->debug_use = 0;
    closure->out_of_memory = false;
}

static bool is_variable(const struct mez_spirv_module *module, const struct mez_spirv_def *def)
{
    return def->global != MEZ_SPIRV_NO_INDEX &&
           mez_spirv_instruction_at(module, def->word).opcode == MEZ_OP_Variable;
}

static enum mez_spirv_status keep_roots(struct mez_spirv_closure *closure, const uint32_t *roots,
    uint32_t root_count, struct mez_spirv_problem *problem)
{
    const struct mez_spirv_module *module = closure->pieces->module;
    for (uint32_t i = 0; i < root_count; i++) {
        const struct mez_spirv_def *def = mez_spirv_find_def(module, roots[i]);
        if (!def || (!mez_spirv_find_function(module, roots[i]) && !is_variable(module, def)))
            return mez_spirv_fail(problem, MEZ_SPIRV_NOT_FOUND, 0,
                "id %" PRIu32 " is neither a function nor a variable of the module", roots[i]);
        const uint32_t piece = mez_spirv_piece_of(closure->pieces, roots[i]);
        set_bit(closure->roots, piece);
        keep_piece(closure, piece);
    }
    return MEZ_SPIRV_OK;
}

static void keep_always(struct mez_spirv_closure *closure)
{
    for (uint32_t i = 0; i < closure->pieces->always_count; i++)
        keep_piece(closure, closure->pieces->always[i]);
}

static enum mez_spirv_status check_result(
    const struct mez_spirv_closure *closure, struct mez_spirv_problem *problem)
{
    if (closure->out_of_memory)
        return mez_spirv_fail(
            problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory to follow what a kernel needs");
    if (closure->unknown_use && !closure->keeps_unknown)
        return mez_spirv_fail(problem, MEZ_SPIRV_MALFORMED, closure->unknown_use,
            "a kernel uses an id that is not defined in the code that it can reach");
    if (closure->debug_use)
        return mez_spirv_fail(problem, MEZ_SPIRV_MALFORMED, closure->debug_use,
            "code uses an id that only debug information defines");
    return MEZ_SPIRV_OK;
}

enum mez_spirv_status mez_spirv_closure_run(struct mez_spirv_closure *closure,
    const uint32_t *roots, uint32_t root_count, struct mez_spirv_problem *problem)
{
    forget(closure);
    const enum mez_spirv_status status = keep_roots(closure, roots, root_count, problem);
    if (status)
        return status;
    if (!closure->code_only)
        keep_always(closure);

    for (uint32_t i = 0; i < closure->found.count; i++) {
        follow_piece(closure, &closure->pieces->pieces[closure->found.items[i]]);
        if (!closure->code_only)
            keep_statements(closure, closure->found.items[i]);
    }
    return check_result(closure, problem);
}

bool mez_spirv_closure_keeps(const struct mez_spirv_closure *closure, uint32_t id)
{
    const uint32_t piece = mez_spirv_piece_of(closure->pieces, id);
    return piece != MEZ_SPIRV_NO_PIECE && mez_spirv_closure_has(closure->kept, piece);
}

// --- Shared variables
//
// Who uses a variable first owns its place; who uses it later joins that one's group.

#define NOBODY UINT32_MAX

struct sharing {
    const struct mez_spirv_pieces *pieces;
    struct mez_spirv_closure closure;
    uint32_t *users; // for each piece that is a variable: the first root that uses it
    uint32_t *groups, *variables;
};

// The index of a root stands before or at that of each in its group, so following it ends.
static uint32_t find_group(uint32_t *groups, uint32_t root)
{
    while (groups[root] != root) {
        groups[root] = groups[groups[root]];
        root = groups[root];
    }
    return root;
}

static void join(uint32_t *groups, uint32_t a, uint32_t b)
{
    const uint32_t left = find_group(groups, a), right = find_group(groups, b);
    if (left < right)
        groups[right] = left;
    else
        groups[left] = right;
}

static bool reports_asserts(const struct mez_spirv_module *module, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(module, id);
    const char *name = def->link ? (const char *)(module->words + def->link) : "";
    return strcmp(name, "__SYCL_AssertHappenedMem") == 0 ||
           strcmp(name, "SPIR_AssertHappenedMem") == 0;
}

static bool is_global(struct mez_spirv_instruction in)
{
    return in.opcode == MEZ_OP_Variable &&
           (in.words[3] == MEZ_STORAGE_CROSS_WORKGROUP || in.words[3] == MEZ_STORAGE_DEVICE_ONLY);
}

bool mez_spirv_can_share(const struct mez_spirv_module *module, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(module, id);
    return def && def->function == MEZ_SPIRV_NO_INDEX &&
           is_global(mez_spirv_instruction_at(module, def->word)) &&
           !mez_spirv_is_decorated(module, id, MEZ_DECORATION_CONSTANT) &&
           !reports_asserts(module, id);
}

// The id of the variable that the piece defines; 0: nothing that kernels can share.
static uint32_t shareable(
    const struct mez_spirv_module *module, const struct mez_spirv_piece *piece)
{
    const struct mez_spirv_instruction in = mez_spirv_instruction_at(module, piece->first);
    return is_global(in) && mez_spirv_can_share(module, in.words[2]) ? in.words[2] : 0;
}

static void note_user(struct sharing *sharing, uint32_t root, uint32_t piece, uint32_t variable)
{
    uint32_t *user = &sharing->users[piece];
    if (*user == NOBODY) {
        *user = root;
        return;
    }
    join(sharing->groups, *user, root);
    if (!sharing->variables[root])
        sharing->variables[root] = variable;
    if (!sharing->variables[*user])
        sharing->variables[*user] = variable;
}

static void note_users(struct sharing *sharing, uint32_t root)
{
    for (uint32_t i = 0; i < sharing->closure.found.count; i++) {
        const uint32_t piece = sharing->closure.found.items[i];
        const uint32_t variable =
            shareable(sharing->pieces->module, &sharing->pieces->pieces[piece]);
        if (variable)
            note_user(sharing, root, piece, variable);
    }
}

static enum mez_spirv_status find_sharing(struct sharing *sharing, const uint32_t *roots,
    uint32_t root_count, struct mez_spirv_problem *problem)
{
    for (uint32_t i = 0; i < root_count; i++) {
        sharing->groups[i] = i;
        sharing->variables[i] = 0;
    }
    for (uint32_t i = 0; i < root_count; i++) {
        const enum mez_spirv_status status =
            mez_spirv_closure_run(&sharing->closure, &roots[i], 1, problem);
        if (status)
            return status;
        note_users(sharing, i);
    }
    for (uint32_t i = 0; i < root_count; i++)
        sharing->groups[i] = find_group(sharing->groups, i);
    return MEZ_SPIRV_OK;
}

enum mez_spirv_status mez_spirv_shared_variables(const struct mez_spirv_pieces *pieces,
    const uint32_t *roots, uint32_t root_count, struct mez_spirv_problem *problem, uint32_t *groups,
    uint32_t *variables)
{
    struct sharing sharing = {.pieces = pieces, .groups = groups, .variables = variables};
    enum mez_spirv_status status = mez_spirv_closure_init(pieces, problem, &sharing.closure);
    if (status)
        return status;

    sharing.closure.code_only = true;
    sharing.users = mez_alloc_array(pieces->count + 1, sizeof *sharing.users);
    if (sharing.users) {
        memset(sharing.users, 0xFF, (pieces->count + 1) * sizeof *sharing.users); // NOBODY
        status = find_sharing(&sharing, roots, root_count, problem);
    } else {
        status = mez_spirv_fail(
            problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory to find variables that kernels share");
    }
    mez_free_memory(sharing.users);
    mez_spirv_closure_finish(&sharing.closure);
    return status;
}
