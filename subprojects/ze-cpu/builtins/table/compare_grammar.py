#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Says what instructions.tsv lacks of the instructions of SPIR-V 1.0 to 1.5 that kernels may use.

compare_grammar.py instructions.tsv spirv.core.grammar.json

Those that need no capability, or Kernel or one that is for kernels. Opcodes, versions and results must be the same.
"""
import json
import sys

from instructions import read_instructions

NEWEST = 1.5
CAPABILITIES = set("""
    Kernel Addresses Linkage Vector16 Float16Buffer Float16 Float64 Int64 Int64Atomics Int16 Int8 Pipes PipeStorage Groups DeviceEnqueue
    LiteralSampler ImageBasic ImageReadWrite ImageMipmap Image1D Sampled1D SampledBuffer ImageBuffer GenericPointer SubgroupDispatch
    NamedBarrier GroupNonUniform GroupNonUniformVote GroupNonUniformArithmetic GroupNonUniformBallot GroupNonUniformShuffle
    GroupNonUniformShuffleRelative GroupNonUniformClustered GroupNonUniformQuad""".split())


def is_for_kernels(item):
    version, capabilities = item.get("version", "1.0"), item.get("capabilities", [])
    is_known = version != "None" and float(version) <= NEWEST and item["class"] != "@exclude"
    return is_known and (not capabilities or CAPABILITIES & set(capabilities))


def result(item):
    kinds = [operand["kind"] for operand in item.get("operands", [])]
    return "typed" if "IdResultType" in kinds else "id" if "IdResult" in kinds else "-"


def main():
    listed = {one.opcode: one for one in read_instructions(sys.argv[1])}
    if list(listed) != sorted(listed):
        sys.exit(f"{sys.argv[1]} is not in the order of opcodes, by which the engine searches it")
    with open(sys.argv[2], encoding="utf-8") as file:
        items = [item for item in json.load(file)["instructions"] if is_for_kernels(item)]
    complaints = []
    for item in items:
        one = listed.get(item["opcode"])
        if one is None:
            complaints.append(f"{item['opname']}, {item['opcode']}, is not listed")
        elif (one.since, one.result) != (item.get("version", "1.0"), result(item)):
            complaints.append(f"{one.name} is {item.get('version', '1.0')}, {result(item)}")
    if complaints:
        sys.exit("\n".join(complaints))
    print(f"all of {len(items)} instructions are listed")


main()
