// SPDX-License-Identifier: MIT
//
// Which imports a function can reach.

#include "spirv/survey.h"

#include "base/alloc.h"
#include "spirv/follow.h"
#include "spirv/walk.h"

struct search {
    const struct mez_spirv_survey *survey;
    bool *seen; // by node
    uint32_t *queue;
    uint32_t queued;
};

static void note(struct search *search, uint32_t node)
{
    if (search->seen[node] || !search->survey->nodes[node].reaches_imports)
        return;
    search->seen[node] = true;
    search->queue[search->queued++] = node;
}

static void see_all(struct search *search, uint32_t from)
{
    note(search, from);
    for (uint32_t i = 0; i < search->queued; i++) {
        struct mez_spirv_follow follow = mez_spirv_follow(search->survey->module, search->queue[i]);
        uint32_t used;
        while (mez_spirv_follow_next(&follow, &used))
            note(search, used);
    }
}

static const struct mez_spirv_symbol **list_seen(const struct search *search, uint32_t *count)
{
    const struct mez_spirv_module *module = search->survey->module;
    const struct mez_spirv_symbol **imports =
        mez_alloc_array(module->import_count, sizeof *imports);
    for (uint32_t i = 0; imports && i < module->import_count; i++) {
        const struct mez_spirv_symbol *import = &module->imports[i];
        if (search->seen[mez_spirv_find_def(module, import->id)->global])
            imports[(*count)++] = import;
    }
    return imports;
}

enum mez_spirv_status mez_spirv_survey_list_imports(const struct mez_spirv_survey *survey,
    uint32_t function, const struct mez_spirv_symbol ***imports, uint32_t *count)
{
    *imports = NULL;
    *count = 0;
    if (!survey->functions[function].reaches_imports)
        return MEZ_SPIRV_OK;

    const struct mez_spirv_module *module = survey->module;
    struct search search = {
        .survey = survey,
        .seen = mez_alloc_array(mez_spirv_node_count(module), sizeof *search.seen),
        .queue = mez_alloc_array(mez_spirv_node_count(module), sizeof *search.queue),
    };
    if (search.seen && search.queue) {
        see_all(&search, mez_spirv_function_node(module, &module->functions[function]));
        *imports = list_seen(&search, count);
    }
    mez_free_memory(search.queue);
    mez_free_memory(search.seen);
    return *imports ? MEZ_SPIRV_OK : MEZ_SPIRV_NO_MEMORY;
}
