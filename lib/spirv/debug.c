// SPDX-License-Identifier: MIT

#include "spirv/debug.h"

#include <string.h>

// --- Operands
//
// Layouts of the debug instructions, in the letters of opcodes.h.

#define FIRST_OPERAND 5 // word of an OpExtInst

enum debug_number {
    DEBUG_GLOBAL_VARIABLE = 18,
    DEBUG_FUNCTION = 20,
};

enum dialect { NO_DIALECT, OPENCL_100, NON_SEMANTIC, OTHER_DIALECT };

// OpenCL.DebugInfo.100, by number.
static const char *const opencl_layouts[] = {
    "",             // DebugInfoNone
    "llil",         // CompilationUnit
    "iil",          // TypeBasic
    "ill",          // TypePointer
    "il",           // TypeQualifier
    "iI",           // TypeArray
    "il",           // TypeVector
    "iiilli",       // Typedef
    "liI",          // TypeFunction
    "iiilliilI",    // TypeEnum
    "ililliiilI",   // TypeComposite
    "iiilliiil?i",  // TypeMember
    "iiiil",        // TypeInheritance
    "ii",           // TypePtrToMember
    "iI",           // TypeTemplate
    "iiiill",       // TypeTemplateParameter
    "iiill",        // TypeTemplateTemplateParameter
    "iillI",        // TypeTemplateParameterPack
    "iiilliiil?i",  // GlobalVariable
    "iiilliil",     // FunctionDeclaration
    "iiilliilli?i", // Function
    "illi?i",       // LexicalBlock
    "ili",          // LexicalBlockDiscriminator
    "i?i",          // Scope
    "",             // NoScope
    "li?i",         // InlinedAt
    "iiillil?l",    // LocalVariable
    "ii",           // InlinedVariable
    "iii",          // Declare
    "iiiI",         // Value
    "lL",           // Operation
    "I",            // Expression
    "ili?i",        // MacroDef
    "ili",          // MacroUndef
    "iliilli",      // ImportedEntity
    "i?i",          // Source
    "iiiliiil",     // ModuleINTEL
};

static bool name_starts_with(const struct mez_spirv_instruction *import, const char *prefix)
{
    return strncmp((const char *)(import->words + 2), prefix, strlen(prefix)) == 0;
}

static enum dialect dialect_of(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    if (in.opcode != MEZ_OP_ExtInst || mez_spirv_ext_set(module, in.words[3]) != MEZ_EXT_SET_DEBUG)
        return NO_DIALECT;
    const struct mez_spirv_def *set = mez_spirv_find_def(module, in.words[3]);
    const struct mez_spirv_instruction import = mez_spirv_instruction_at(module, set->word);
    if (name_starts_with(&import, "OpenCL.DebugInfo.100"))
        return OPENCL_100;
    return name_starts_with(&import, "NonSemantic.") ? NON_SEMANTIC : OTHER_DIALECT;
}

bool mez_spirv_is_debug_ext_inst(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    return dialect_of(module, in) != NO_DIALECT;
}

static const char *layout_of(const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    const uint32_t number = in.words[4];
    switch (dialect_of(module, in)) {
    case NON_SEMANTIC: // all operands of such sets are ids
        return "I";
    case OPENCL_100:
        return number < sizeof opencl_layouts / sizeof opencl_layouts[0] ? opencl_layouts[number]
                                                                         : "M";
    default:
        return "M";
    }
}

struct mez_spirv_operand_iter mez_spirv_debug_operands(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    return (struct mez_spirv_operand_iter){
        .module = module,
        .instruction = in,
        .layout = layout_of(module, in),
        .next = FIRST_OPERAND,
    };
}

// Sets older than OpenCL.DebugInfo.100 agree with it on the two instructions that describe functions and variables.
static uint32_t operand_of(const struct mez_spirv_module *module, struct mez_spirv_instruction in,
    enum debug_number number, uint32_t operand)
{
    const bool there = mez_spirv_is_debug_ext_inst(module, in) && in.words[4] == number &&
                       in.length > FIRST_OPERAND + operand;
    return there ? FIRST_OPERAND + operand : 0;
}

uint32_t mez_spirv_debug_function(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    return dialect_of(module, in) == NON_SEMANTIC ? 0 : operand_of(module, in, DEBUG_FUNCTION, 9);
}

uint32_t mez_spirv_debug_variable(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    return operand_of(module, in, DEBUG_GLOBAL_VARIABLE, 7);
}

// --- Lines
//
// Following OpLine through a function.

static const char *file_name(const struct mez_spirv_module *module, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(module, id);
    if (!def)
        return NULL;
    const struct mez_spirv_instruction in = mez_spirv_instruction_at(module, def->word);
    return in.opcode == MEZ_OP_String ? (const char *)(in.words + 2) : NULL;
}

static bool ends_block(uint16_t opcode)
{
    return (opcode >= MEZ_OP_Branch && opcode <= MEZ_OP_Unreachable) || opcode == MEZ_OP_NoLine;
}

// What an OpLine says. llvm-spirv writes line 0 for code that no line of the source stands for.
static struct mez_spirv_source_line read_line(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    if (in.words[2] == 0)
        return (struct mez_spirv_source_line){0};
    return (struct mez_spirv_source_line){file_name(module, in.words[1]), in.words[2], in.words[3]};
}

struct mez_spirv_source_line mez_spirv_source_line(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function, uint32_t word)
{
    struct mez_spirv_source_line line = {0};
    mez_spirv_each_instruction(module, in, function->first, word)
    {
        if (in.opcode == MEZ_OP_Line)
            line = read_line(module, in);
        else if (ends_block(in.opcode))
            line = (struct mez_spirv_source_line){0};
    }
    return line;
}

struct mez_spirv_source_line mez_spirv_first_line(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function)
{
    struct mez_spirv_source_line line = {0};
    mez_spirv_each_instruction(module, in, function->first, function->end)
    {
        if (in.opcode == MEZ_OP_Line)
            line = read_line(module, in);
        if (line.file)
            break;
    }
    return line;
}
