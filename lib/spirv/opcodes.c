// SPDX-License-Identifier: MIT
//
// Looking instructions up in opcodes.def.

#include "spirv/opcodes.h"

#include <stddef.h>

static const struct mez_spirv_opcode_info infos[] = {
#define OP(number, name, layout) {number, "Op" #name, layout},
#include "spirv/opcodes.def"
#undef OP
};

// Where each stands in `infos`. Every instruction of a module is looked up many times.
enum {
#define OP(number, name, layout) AT_##name,
#include "spirv/opcodes.def"
#undef OP
};

// By number: one more than the place; 0: an instruction we do not know.
static const uint16_t places[] = {
#define OP(number, name, layout) [number] = AT_##name + 1,
#include "spirv/opcodes.def"
#undef OP
};

const struct mez_spirv_opcode_info *mez_spirv_opcode_info(uint16_t opcode)
{
    const bool known = opcode < sizeof places / sizeof places[0] && places[opcode];
    return known ? &infos[places[opcode] - 1] : NULL;
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
