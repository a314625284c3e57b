// SPDX-License-Identifier: MIT
//
// SPIR-V's instructions that kernels may use, by opcode; builtins/table/generate.py writes the table.

#ifndef ZC_ENGINE_INSTRUCTIONS_H
#define ZC_ENGINE_INSTRUCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct zc_log;
struct zc_words;

// Where an instruction has the id of its result.
enum zc_result {
    ZC_RESULT_NONE,
    ZC_RESULT_UNTYPED, // in its first operand
    ZC_RESULT_TYPED,   // in its second one, behind the type's
};

struct zc_instruction {
    uint16_t opcode;
    enum zc_result result;
    const char *name;
    const char *refusal; // why ze-cpu never has it, or NULL
};

extern const struct zc_instruction zc_instructions[]; // in the order of opcodes
extern const size_t zc_instruction_count;

// NULL: it is none that kernels use, or of an extension that the table does not have.
const struct zc_instruction *zc_instruction_find(uint32_t opcode);

// Does the module do without what ze-cpu never has? The log names each instruction that is refused. Its instructions lie within it.
bool zc_instructions_accept(struct zc_log *log, const struct zc_words *words);

#endif
