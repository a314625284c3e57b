// SPDX-License-Identifier: MIT
//
// What the steps of splitting share: sources.c, roots.c, split.c, which calls these two, and, once a split is created and never
// changes again, image.c.

#ifndef MEZ_SPLIT_PARTS_H
#define MEZ_SPLIT_PARTS_H

#include "spirv/pieces.h"
#include "spirv/survey.h"
#include "split/split.h"

// Targets as the numbers that "fixed_target" holds, sorted.
typedef struct mez_fixed_set {
    uint32_t *values;
    uint32_t count;
} mez_fixed_set;

typedef struct mez_split_input {
    char *name;
    struct mez_spirv_module *module;
    struct mez_spirv_survey *survey; // of what this source knows by itself
    uint32_t first_id;               // of what it defines, in the linked module
    mez_fixed_set fixed;
    uint32_t fixed_number; // sources with the same targets have the same; 0: none were promised
} mez_split_input;

// A kernel or exported function.
typedef struct mez_split_root {
    const char *name;
    uint32_t id, function; // in the linked module
    uint32_t input;
    bool is_kernel, may_assert;
    uint32_t fixed_number;
    uint32_t bundle; // roots that the mode puts together have the same
    mez_aspects aspects;
    uint64_t internal; // a bit for each of the negative aspects that occur
    const struct mez_spirv_modes *modes;
    uint32_t place; // in the list of roots
    uint32_t image;
} mez_split_root;

typedef struct mez_split_group {
    uint32_t first, count; // in split->order
    mez_aspects aspects;
    uint32_t sub_group_sizes[2]; // the kernels', and one that does not match it; 0: none
    bool has_fixed;
    mez_fixed_set fixed;
} mez_split_group;

struct mez_split {
    mez_requirements_writing writing;
    bool without_debug_info;

    mez_split_input *inputs;
    uint32_t input_count;
    struct mez_spirv_module *linked_module; // NULL: there is one source, and it is `module`
    struct mez_spirv_survey *linked_survey; // likewise
    const struct mez_spirv_module *module;
    const struct mez_spirv_survey *survey;
    struct mez_spirv_pieces *pieces;

    mez_split_root *roots; // kernels, then functions
    uint32_t root_count;
    uint32_t *order; // places of roots, image by image
    mez_split_group *images;
    uint32_t image_count;

    // For each root, while the split is created: as mez_spirv_shared_variables gives them.
    uint32_t *sharing, *shared_variables;
};

mez_error mez_split_spirv_error(enum mez_spirv_status status,
    const struct mez_spirv_problem *problem, mez_condition condition, const char *what);

// The input that a definition of the linked module comes from, and the function's index there.
uint32_t mez_split_input_of(const mez_split *split, uint32_t id);
uint32_t mez_split_function_in(const mez_split *split, uint32_t input, uint32_t id);

// --- The steps, in this order

// split->inputs; reports what each source uses without declaring it.
mez_error mez_split_read_sources(mez_split *split, const mez_split_params *params);

// split->module and split->survey.
mez_error mez_split_link_sources(mez_split *split);

// split->roots, where an exported function is one unless there are to be kernels only; what they share, the bundle and the image of
// each; split->order and split->images.
mez_error mez_split_place_roots(mez_split *split, const mez_split_params *params);

// --- Fixed targets

mez_error mez_fixed_set_copy(const mez_fixed_set *from, mez_fixed_set *copy);

// Leaves in `set` what is in both.
void mez_fixed_set_cut(mez_fixed_set *set, const mez_fixed_set *other);

#endif
