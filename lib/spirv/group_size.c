// SPDX-License-Identifier: MIT

#include "spirv/group_size.h"

#include <string.h>

static bool is_by_ids(struct mez_spirv_instruction in)
{
    return in.opcode == MEZ_OP_ExecutionModeId && in.length == MEZ_SPIRV_GROUP_SIZE_WORDS &&
           in.words[2] == MEZ_MODE_LOCAL_SIZE_ID;
}

static bool is_fixed(const struct mez_spirv_module *module, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(module, id);
    return def && mez_spirv_instruction_at(module, def->word).opcode == MEZ_OP_Constant;
}

// Both instructions have as many words. False: a size is no constant, or more than the other one can say.
static bool translate(const struct mez_spirv_module *module, struct mez_spirv_instruction in,
    uint32_t words[MEZ_SPIRV_GROUP_SIZE_WORDS])
{
    uint64_t sizes[3];
    for (uint32_t i = 0; i < 3; i++)
        if (!mez_spirv_constant(module, in.words[3 + i], &sizes[i]) || sizes[i] > UINT32_MAX)
            return false;
    words[0] = (uint32_t)MEZ_SPIRV_GROUP_SIZE_WORDS << 16 | MEZ_OP_ExecutionMode;
    words[1] = in.words[1];
    words[2] = MEZ_MODE_LOCAL_SIZE;
    for (uint32_t i = 0; i < 3; i++)
        words[3 + i] = (uint32_t)sizes[i];
    return true;
}

bool mez_spirv_literal_group_size(const struct mez_spirv_module *module,
    struct mez_spirv_instruction in, uint32_t words[MEZ_SPIRV_GROUP_SIZE_WORDS])
{
    if (!is_by_ids(in))
        return false;
    for (uint32_t i = 0; i < 3; i++)
        if (!is_fixed(module, in.words[3 + i]))
            return false;
    return translate(module, in, words);
}

void mez_spirv_write_group_sizes(struct mez_spirv_module *module)
{
    uint32_t words[MEZ_SPIRV_GROUP_SIZE_WORDS];
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        if (is_by_ids(in) && translate(module, in, words))
            memcpy(module->words + in.at, words, sizeof words);
    }
}
