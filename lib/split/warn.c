// SPDX-License-Identifier: MIT
//
// Telling of variables that several images get a copy of.

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
