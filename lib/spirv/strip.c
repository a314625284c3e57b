// SPDX-License-Identifier: MIT

#include "spirv/strip.h"

#include "base/alloc.h"
#include "spirv/debug_operands.h"
#include "spirv/words.h"

static bool is_left_out(const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    return in.opcode == MEZ_OP_LoopMerge || in.opcode == MEZ_OP_SelectionMerge ||
           mez_spirv_is_debug_ext_inst(module, in);
}

enum mez_spirv_status mez_spirv_strip(const struct mez_spirv_module *module,
    struct mez_spirv_problem *problem, uint32_t **words, uint32_t *count)
{
    struct mez_spirv_words out = {.words = mez_alloc_array(module->word_count, sizeof **words)};
    *words = out.words;
    *count = 0;
    if (!out.words)
        return mez_spirv_fail(problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory for a copy of a module");
    mez_spirv_add_words(&out, module->words, MEZ_SPIRV_HEADER_WORDS);
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        if (!is_left_out(module, in))
            mez_spirv_add_words(&out, in.words, in.length);
    }
    *count = (uint32_t)out.count;
    return MEZ_SPIRV_OK;
}
