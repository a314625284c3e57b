// SPDX-License-Identifier: MIT

#include "spirv/annotations.h"

#include "base/alloc.h"
#include "spirv/reader.h"
#include "spirv/words.h"

typedef struct search {
    const struct mez_spirv_module *module;
    bool *goes; // by the number of what stands at module scope
    uint32_t count;
} search;

// Whether it goes, by its id; NULL: it is not defined at module scope.
static bool *mark_of(const search *search, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(search->module, id);
    return def && def->global != MEZ_SPIRV_NO_INDEX ? &search->goes[def->global] : NULL;
}

static bool is_stray(const struct mez_spirv_module *module, const struct mez_spirv_def *def)
{
    const struct mez_spirv_instruction in = mez_spirv_instruction_at(module, def->word);
    return in.opcode == MEZ_OP_Variable && in.words[3] == MEZ_STORAGE_FUNCTION;
}

static void mark_all(search *search)
{
    const struct mez_spirv_module *module = search->module;
    for (uint32_t i = 0; i < module->global_count; i++) {
        search->goes[i] = is_stray(module, &module->defs[module->globals[i]]);
        search->count += search->goes[i];
    }
}

static bool is_about_another(uint16_t opcode)
{
    return opcode == MEZ_OP_Name || opcode == MEZ_OP_Decorate;
}

static void keep_used(search *search, struct mez_spirv_instruction in)
{
    struct mez_spirv_id_iter ids = mez_spirv_ids(search->module, in);
    struct mez_spirv_id id;
    while (mez_spirv_next_id(&ids, &id)) {
        bool *goes = id.kind == MEZ_ID_RESULT ? NULL : mark_of(search, id.value);
        if (!goes || !*goes)
            continue;
        *goes = false;
        search->count--;
    }
}

static bool goes(const search *search, struct mez_spirv_instruction in)
{
    const uint32_t id = is_about_another(in.opcode) ? in.words[1] : mez_spirv_result_of(in);
    const bool *mark = id ? mark_of(search, id) : NULL;
    return mark && *mark;
}

static enum mez_spirv_status write_rest(
    const search *search, struct mez_spirv_problem *problem, uint32_t **words, uint32_t *count)
{
    const struct mez_spirv_module *module = search->module;
    struct mez_spirv_words out = {.words = mez_alloc_array(module->word_count, sizeof **words)};
    if (!out.words)
        return mez_spirv_fail(problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory for a copy of a module");
    mez_spirv_add_words(&out, module->words, MEZ_SPIRV_HEADER_WORDS);
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        if (!goes(search, in))
            mez_spirv_add_words(&out, in.words, in.length);
    }
    *words = out.words;
    *count = (uint32_t)out.count;
    return MEZ_SPIRV_OK;
}

enum mez_spirv_status mez_spirv_drop_annotation_texts(const struct mez_spirv_module *module,
    struct mez_spirv_problem *problem, uint32_t **words, uint32_t *count)
{
    search search = {.module = module};
    *words = NULL;
    *count = 0;
    if (module->has_unknown_opcodes)
        return MEZ_SPIRV_OK;
    search.goes = mez_alloc_array((size_t)module->global_count + 1, sizeof *search.goes);
    if (!search.goes)
        return mez_spirv_fail(problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory for a copy of a module");
    mark_all(&search);
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        if (search.count == 0)
            break;
        if (!is_about_another(in.opcode))
            keep_used(&search, in);
    }
    const enum mez_spirv_status status =
        search.count ? write_rest(&search, problem, words, count) : MEZ_SPIRV_OK;
    mez_free_memory(search.goes);
    return status;
}
