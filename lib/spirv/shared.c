// SPDX-License-Identifier: MIT
//
// Who uses a variable first owns its place; who uses it later joins that one's group.

#include "spirv/shared.h"

#include <string.h>

#include "base/alloc.h"
#include "spirv/closure.h"

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
    for (uint32_t i = 0; i < sharing->closure.count; i++) {
        const uint32_t piece = sharing->closure.found[i];
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
