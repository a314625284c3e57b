// SPDX-License-Identifier: MIT
//
// Telling of variables that several images get a copy of, or none.

#include <string.h>

#include "base/alloc.h"
#include "spirv/declarations.h"
#include "spirv/reach.h"
#include "split/parts.h"

#define MOST_NAMES 8

static const char *variable_name(const mez_split *split, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(split->module, id);
    const uint32_t word = def->link ? def->link : def->name;
    return word ? (const char *)(split->module->words + word) : "(nameless)";
}

// Roots that share something with root number `first`, itself included, up to MOST_NAMES of them; returns how many there are.
static uint32_t list_group(const mez_split *split, uint32_t first, mez_text *names)
{
    uint32_t count = 0;
    for (uint32_t i = first; i < split->root_count; i++) {
        if (split->sharing[i] != first)
            continue;
        if (count < MOST_NAMES)
            mez_text_add(names, "%s'%s'", count ? ", " : "", split->roots[i].name);
        count++;
    }
    return count;
}

static void warn_of_group(const mez_split *split, const mez_split_params *params, uint32_t first)
{
    mez_text names = {0}, text = {0};
    const uint32_t count = list_group(split, first, &names);
    if (count > MOST_NAMES)
        mez_text_add(&names, " and %u more", (unsigned)(count - MOST_NAMES));
    mez_text_add(&text,
        "warning: %s share variable '%s' and go to different images: each image has a copy of its "
        "own",
        mez_text_get(&names), variable_name(split, split->shared_variables[first]));
    params->warn(params->context, mez_text_get(&text));
    mez_text_finish(&text);
    mez_text_finish(&names);
}

// Whether this is the first root that is not in the image of the first of its group.
static bool leaves_its_group(const mez_split *split, uint32_t root)
{
    return split->roots[root].image != split->roots[split->sharing[root]].image;
}

void mez_split_warn_of_sharing(const mez_split *split, const mez_split_params *params)
{
    if (!params->warn)
        return;
    // Once told, a group's variable is forgotten: 0 stands for it.
    for (uint32_t i = 0; i < split->root_count; i++) {
        const uint32_t first = split->sharing[i];
        if (!leaves_its_group(split, i) || !split->shared_variables[first])
            continue;
        warn_of_group(split, params, first);
        split->shared_variables[first] = 0;
    }
}

// --- Exported variables

static mez_error reach_all(const mez_split *split, struct mez_spirv_reach **reach)
{
    struct mez_spirv_problem problem;
    uint32_t *functions = mez_alloc_array(split->root_count + 1u, sizeof *functions);
    enum mez_spirv_status status = MEZ_SPIRV_NO_MEMORY;
    for (uint32_t i = 0; functions && i < split->root_count; i++)
        functions[i] = split->roots[i].function;
    if (functions)
        status =
            mez_spirv_reach_create(split->module, functions, split->root_count, &problem, reach);
    mez_free_memory(functions);
    return status ? mez_error_no_memory("splitting device code") : mez_ok();
}

// What declares aspects is for us, and goes for good.
static bool is_lost(const struct mez_spirv_reach *reach, const struct mez_spirv_symbol *export)
{
    const size_t length = sizeof MEZ_SPIRV_DEVICE_HAS_VARIABLE - 1;
    return !export->is_function && !mez_spirv_reaches(reach, export->id) &&
           strncmp(export->name, MEZ_SPIRV_DEVICE_HAS_VARIABLE, length) != 0;
}

static void warn_of_lost(const mez_split_params *params, const char *name)
{
    mez_text text = {0};
    mez_text_add(&text,
        "warning: exported variable '%s' is used by no kernel or exported function, and goes to no "
        "image",
        name);
    params->warn(params->context, mez_text_get(&text));
    mez_text_finish(&text);
}

mez_error mez_split_warn_of_variables(const mez_split *split, const mez_split_params *params)
{
    struct mez_spirv_reach *reach = NULL;
    if (!params->warn)
        return mez_ok();
    MEZ_TRY(reach_all(split, &reach));
    for (uint32_t i = 0; i < split->module->export_count; i++)
        if (is_lost(reach, &split->module->exports[i]))
            warn_of_lost(params, split->module->exports[i].name);
    mez_spirv_reach_destroy(&reach);
    return mez_ok();
}
