// SPDX-License-Identifier: MIT
//
// Looking instructions up in opcodes.def.

#include "spirv/opcodes.h"

#include <stddef.h>
#include <stdlib.h>

// In the order of their numbers, for bsearch.
static const struct mez_spirv_opcode_info infos[] = {
#define OP(number, name, layout) {number, "Op" #name, layout},
#include "spirv/opcodes.def"
#undef OP
};

static int compare_opcodes(const void *key, const void *item)
{
    const uint16_t opcode = *(const uint16_t *)key;
    const struct mez_spirv_opcode_info *info = item;
    return (opcode > info->opcode) - (opcode < info->opcode);
}

const struct mez_spirv_opcode_info *mez_spirv_opcode_info(uint16_t opcode)
{
    return bsearch(
        &opcode, infos, sizeof infos / sizeof infos[0], sizeof infos[0], compare_opcodes);
}

// opcodes.def has every number of the range, so each of these has a result id.
bool mez_spirv_is_type(uint16_t opcode)
{
    return (opcode >= MEZ_OP_TypeVoid && opcode <= MEZ_OP_TypePipe) ||
           opcode == MEZ_OP_TypePipeStorage || opcode == MEZ_OP_TypeNamedBarrier ||
           opcode == MEZ_OP_TypeBufferSurfaceINTEL || opcode == MEZ_OP_TypeJointMatrixINTEL ||
           opcode == MEZ_OP_TypeJointMatrixINTELv2 || opcode == MEZ_OP_TypeCooperativeMatrixKHR;
}

const char *mez_spirv_opencl_layout(uint32_t number)
{
    switch (number) {
    case 171: // vloadn
    case 174: // vload_halfn
    case 179: // vloada_halfn
        return "iil";
    case 176: // vstore_half_r
    case 178: // vstore_halfn_r
    case 181: // vstorea_halfn_r
        return "iiil";
    default:
        return "I";
    }
}
