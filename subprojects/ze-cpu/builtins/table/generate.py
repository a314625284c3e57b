#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the C table of SPIR-V's instructions that the engine reads (engine/instructions.h).

generate.py instructions.tsv features.tsv OUT.c
"""
import sys

from functions import read_features
from instructions import read_instructions

RESULTS = {"typed": "ZC_RESULT_TYPED", "id": "ZC_RESULT_UNTYPED", "-": "ZC_RESULT_NONE"}


def entry(instruction, features):
    feature = features[instruction.feature]
    reason = f'"{feature.log}"' if feature.state == "refused" else "NULL"
    return f'    {{{instruction.opcode}, {RESULTS[instruction.result]}, "{instruction.name}", {reason}}},\n'


def main():
    instructions_path, features_path, out_path = sys.argv[1:]
    instructions, features = read_instructions(instructions_path), read_features(features_path)
    with open(out_path, "w", encoding="ascii") as file:
        file.write('#include "instructions.h"\n\nconst struct zc_instruction zc_instructions[] = {\n'
                   + "".join(entry(instruction, features) for instruction in instructions)
                   + "};\nconst size_t zc_instruction_count = sizeof(zc_instructions) / sizeof(zc_instructions[0]);\n")


main()
