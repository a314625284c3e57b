// SPDX-License-Identifier: MIT
//
// The numbers of the SPIR-V binary form that we use, and the operand layout of each instruction we
// know. Those that only graphics or FPGA code has are not in the table: unknown ones are kept and
// ignored. scripts/spirv_grammar.py makes the table (grammar.def) from the grammar of spirv-headers.
//
// Thread-safety: safe, everything here is constant.

#ifndef MEZ_SPIRV_OPCODES_H
#define MEZ_SPIRV_OPCODES_H

#include <stdbool.h>
#include <stdint.h>

#define MEZ_SPIRV_MAGIC 0x07230203u
#define MEZ_SPIRV_HEADER_WORDS 5u
#define MEZ_SPIRV_NEWEST_MINOR 6u        // of major version 1
#define MEZ_SPIRV_LARGEST_BOUND 4194303u // the specification's universal limit for ids

enum mez_spirv_opcode {
#define OP(number, name, layout, feature) MEZ_OP_##name = number,
#include "spirv/grammar.def"
};

enum mez_spirv_decoration_kind {
    MEZ_DECORATION_SPEC_ID = 1,
    MEZ_DECORATION_C_PACKED = 10,
    MEZ_DECORATION_BUILT_IN = 11,
    MEZ_DECORATION_CONSTANT = 22,
    MEZ_DECORATION_FUNC_PARAM_ATTR = 38,
    MEZ_DECORATION_LINKAGE_ATTRIBUTES = 41,
    MEZ_DECORATION_ALIGNMENT = 44,
    MEZ_DECORATION_REFERENCED_INDIRECTLY = 5602,
    MEZ_DECORATION_VECTOR_COMPUTE_FUNCTION = 5626,
    MEZ_DECORATION_USER_SEMANTIC = 5635,
    MEZ_DECORATION_ALIAS_SCOPE = 5914,
    MEZ_DECORATION_NO_ALIAS = 5915,
    MEZ_DECORATION_ARGUMENT_ATTRIBUTE = 6409,
};

enum mez_spirv_function_control {
    MEZ_FUNCTION_INLINE = 1,
    MEZ_FUNCTION_DONT_INLINE = 2,
};

enum mez_spirv_param_attribute {
    MEZ_PARAM_ATTRIBUTE_BY_VAL = 2,
};

enum mez_spirv_linkage {
    MEZ_LINKAGE_EXPORT = 0,
    MEZ_LINKAGE_IMPORT = 1,
    MEZ_LINKAGE_LINK_ONCE_ODR = 2,
    MEZ_LINKAGE_NONE = 3, // ours: no LinkageAttributes
};

enum mez_spirv_storage_class {
    MEZ_STORAGE_UNIFORM_CONSTANT = 0,
    MEZ_STORAGE_INPUT = 1,
    MEZ_STORAGE_OUTPUT = 3,
    MEZ_STORAGE_WORKGROUP = 4,
    MEZ_STORAGE_CROSS_WORKGROUP = 5,
    MEZ_STORAGE_FUNCTION = 7,
    MEZ_STORAGE_GENERIC = 8,
    MEZ_STORAGE_CODE_SECTION = 5605,
    MEZ_STORAGE_DEVICE_ONLY = 5936,
    MEZ_STORAGE_HOST_ONLY = 5937,
};

// Of OpSource.
enum mez_spirv_source_language {
    MEZ_SOURCE_OPENCL_C = 3,
    MEZ_SOURCE_OPENCL_CPP = 4,
};

enum mez_spirv_memory_access {
    MEZ_ACCESS_VOLATILE = 1 << 0,
};

// Of OpenCL.std.
enum mez_spirv_opencl_instruction {
    MEZ_OPENCL_VLOADN = 171,
    MEZ_OPENCL_VSTOREN = 172,
    MEZ_OPENCL_PRINTF = 184,
};

enum mez_spirv_execution_mode {
    MEZ_MODE_LOCAL_SIZE = 17,
    MEZ_MODE_LOCAL_SIZE_HINT = 18,
    MEZ_MODE_SUBGROUP_SIZE = 35,
    MEZ_MODE_SUBGROUPS_PER_WORKGROUP = 36,
    MEZ_MODE_SUBGROUPS_PER_WORKGROUP_ID = 37,
    MEZ_MODE_LOCAL_SIZE_ID = 38,
};

enum mez_spirv_execution_model {
    MEZ_MODEL_KERNEL = 6,
};

enum mez_spirv_addressing_model {
    MEZ_ADDRESSING_LOGICAL = 0,
    MEZ_ADDRESSING_PHYSICAL32 = 1,
    MEZ_ADDRESSING_PHYSICAL64 = 2,
};

// The extended instruction sets that we distinguish.
enum mez_spirv_ext_set {
    MEZ_EXT_SET_UNKNOWN,
    MEZ_EXT_SET_OPENCL,
    MEZ_EXT_SET_DEBUG, // non-semantic instructions: never part of what a kernel does
};

struct mez_spirv_opcode_info {
    uint16_t opcode;
    const char *name; // "OpFMul"
    // Of the words behind the first one:
    //   t result type    r result id    i id    l literal    s string    ? what follows may be absent
    //   I any number of ids    L any number of literals
    //   E number in an extended instruction set, then that instruction's operands
    //   O opcode, then that opcode's operands
    const char *layout;
};

// NULL: an instruction we do not know.
const struct mez_spirv_opcode_info *mez_spirv_opcode_info(uint16_t opcode);

// Whether the instruction declares a type.
bool mez_spirv_is_type(uint16_t opcode);

#endif
