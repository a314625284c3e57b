#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves what the table says of SPIR-V's instructions, by a minimal module for each.

check_instructions.py TABLE-FOLDER FOLDER ENGINE BUILD_MODULES SPIRV_AS

The module of one that is present has it, and builds with an empty log and without imports; that of one that is missing gives a log that says
what is not available. One that is refused, put into a module before its last instructions, is named by the build log together with the reason.
"""
import os
import struct
import sys

sys.path.insert(0, sys.argv[1])
import assembly  # noqa: E402
import functions  # noqa: E402
import instructions  # noqa: E402
import modules  # noqa: E402

END_WORDS = 2  # OpReturn and OpFunctionEnd


def opcodes(path):
    return {words[0] & 0xffff for words in modules.read_instructions(path)}


def judge(one, state, outcome):
    """A complaint, or None."""
    if outcome is None:
        return f"{one.name}: the engine ended before"
    if state == "present":
        return None if outcome.is_clean() else f"{one.name} is present, says the table, but:\n{outcome.log}"
    if not outcome.is_built and "is not available" in outcome.log:
        return None
    return f"{one.name} is missing, says the table, but the log does not say what is not available:\n{outcome.log or 'it was built'}"


def check_uses(tools, listed, state):
    """Returns complaints."""
    uses = assembly.read_uses(os.path.join(os.path.dirname(__file__), "instructions.txt"))
    complaints = [f"{one.name}: instructions.txt has no use of it" for one in listed if one.name not in uses]
    tested = [one for one in listed if one.name in uses]
    errors = modules.in_parallel(lambda one: modules.assemble(tools, one.name, assembly.module(uses[one.name])), tested)
    complaints += [f"{one.name}: {error}" for one, error in zip(tested, errors) if error]
    assembled = [one for one, error in zip(tested, errors) if not error]
    complaints += [f"{one.name}: its module does not have it" for one in assembled
                   if one.opcode not in opcodes(tools.path(one.name, ".spv"))]
    outcomes = modules.build_all(tools, [one.name for one in assembled])
    return complaints + [text for text in (judge(one, state, outcomes.get(one.name)) for one in assembled) if text]


def write_refused(tools, one, words):
    instruction = [4 << 16 | one.opcode, 1, 2, 3]
    words = words[:-END_WORDS] + instruction + words[-END_WORDS:]
    with open(tools.path(one.name, ".spv"), "wb") as file:
        file.write(struct.pack(f"<{len(words)}I", *words))


def check_refused(tools, listed, features):
    """Returns complaints."""
    error = modules.assemble(tools, "empty", assembly.module([]))
    if error:
        return [error]
    words = modules.read_words(tools.path("empty", ".spv"))
    for one in listed:
        write_refused(tools, one, words)
    outcomes = modules.build_all(tools, [one.name for one in listed])
    wanted = {one.name: f"error: {one.name} is not available: {features[one.feature].log}" for one in listed}
    return [f"{name} is refused, says the table, but the log lacks '{text}':\n{outcomes[name].log if name in outcomes else ''}"
            for name, text in wanted.items() if name not in outcomes or outcomes[name].is_built or text not in outcomes[name].log]


def main():
    _, table, folder, engine, build_modules, assembler = sys.argv
    features = functions.read_features(os.path.join(table, "features.tsv"))
    listed = instructions.read_instructions(os.path.join(table, "instructions.tsv"))
    tools = modules.Tools(folder, engine, build_modules, assembler=assembler)
    groups = {state: [one for one in listed if features[one.feature].state == state] for state in ("present", "refused", "missing")}
    complaints = check_uses(tools, groups["present"], "present") + check_uses(tools, groups["missing"], "missing")
    complaints += check_refused(tools, groups["refused"], features)
    if complaints:
        sys.exit("\n".join(complaints))
    print(", ".join(f"{len(ones)} instructions {state}" for state, ones in groups.items()) + ", as the table says")


main()
