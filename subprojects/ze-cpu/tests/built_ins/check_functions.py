#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves what the table says of OpenCL C's functions, by modules that call each overload.

check_functions.py TABLE-FOLDER (present | refused) FOLDER ENGINE BUILD_MODULES CLANG LLVM_SPIRV

What is present builds, with an empty log and without imports, and the modules have each instruction of OpenCL.std (opencl_std.tsv). What is
refused does not build, and the log says why.
"""
import os
import sys

sys.path.insert(0, sys.argv[1])
import functions  # noqa: E402
import modules  # noqa: E402
import sources  # noqa: E402

OP_EXT_INST = 12


def read_table(folder):
    features = functions.read_features(os.path.join(folder, "features.tsv"))
    rows = functions.read_rows(os.path.join(folder, "functions.tsv"))
    unknown = {row.feature for row in rows} - set(features)
    if unknown:
        sys.exit(f"features.tsv lacks {unknown}")
    return rows, features


def make(tools, features, name, rows):
    """Compiles the calls of the rows. Returns how many there are, and the compilers' complaint or None."""
    calls, declared = [], []
    for row in rows:
        mine = list(functions.expand(row))
        calls += mine
        if not features[row.feature].is_declared_by_clang:
            declared += mine
    return len(calls), modules.compile_opencl(tools, name, sources.source(calls, declared))


def check(tools, features, parts, judge):
    """parts: (name of the module, rows). Returns the number of calls, and complaints."""
    made = modules.in_parallel(lambda part: make(tools, features, *part), parts)
    complaints = [f"{name}: {error}" for (name, _), (_, error) in zip(parts, made) if error]
    compiled = [part for part, (_, error) in zip(parts, made) if not error]
    outcomes = modules.build_all(tools, [name for name, _ in compiled])
    for name, rows in compiled:
        error = judge(rows, outcomes[name]) if name in outcomes else "was not built, as the engine ended before"
        if error:
            complaints.append(f"{name}: {error}")
    return sum(count for count, _ in made), complaints


def judge_present(_, outcome):
    return None if outcome.is_clean() else f"is present, says the table, but:\n{outcome.log}"


def one_function(row, pattern):
    return functions.Row(row.section, row.feature, row.returns, pattern, row.parameters, row.types, row.widths)


def file_name(text):
    return "".join(c if c.isalnum() else "_" for c in text)


def present_parts(rows, features):
    """A module for each section."""
    mine = [row for row in rows if features[row.feature].is_present]
    return [(file_name(section), [row for row in mine if row.section == section])
            for section in dict.fromkeys(row.section for row in mine)]


def refused_parts(rows, features):
    """A module for each function: each is to be refused by itself."""
    return [(file_name(f"{index} {pattern}"), [one_function(row, pattern)]) for index, row in enumerate(rows)
            if not features[row.feature].is_present for pattern in row.patterns()]


def check_opencl_std(tools, table, parts):
    """Returns complaints of instructions that no module has."""
    with open(os.path.join(table, "opencl_std.tsv"), encoding="ascii") as file:
        next(file)
        numbers = {int(number): name for number, name in (line.split() for line in file)}
    for name, _ in parts:
        for instruction in modules.read_instructions(tools.path(name, ".spv")):
            if instruction[0] & 0xffff == OP_EXT_INST:
                numbers.pop(instruction[4], None)
    return [f"{name} of OpenCL.std is in no module" for name in numbers.values()]


def main():
    _, table, state, folder, engine, build_modules, clang, llvm_spirv = sys.argv
    rows, features = read_table(table)
    tools = modules.Tools(folder, engine, build_modules, clang, llvm_spirv)

    def judge_refused(part, outcome):
        wanted = features[part[0].feature].log
        if not outcome.is_built and wanted in outcome.log:
            return None
        return f"is refused, says the table, but the log lacks '{wanted}':\n{outcome.log or 'it was built'}"

    if state == "present":
        parts = present_parts(rows, features)
        count, complaints = check(tools, features, parts, judge_present)
        complaints = complaints or check_opencl_std(tools, table, parts)
    else:
        count, complaints = check(tools, features, refused_parts(rows, features), judge_refused)
    if complaints:
        sys.exit("\n".join(complaints))
    print(f"{count} overloads are {state}, as the table says")


main()
