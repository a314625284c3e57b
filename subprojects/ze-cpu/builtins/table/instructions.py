# SPDX-License-Identifier: MIT
"""SPIR-V's instructions that kernels may use, from instructions.tsv, in the order of their opcodes."""


class Instruction:
    """One line of the table; `result` says whether it has one: typed, id or -."""

    def __init__(self, opcode, name, since, capability, result, feature):
        self.opcode, self.name, self.since, self.capability = int(opcode), name, since, capability
        self.result, self.feature = result, feature


def read_instructions(path):
    with open(path, encoding="ascii") as file:
        next(file)
        return [Instruction(*line.rstrip("\n").split("\t")) for line in file]
