#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the page that says of each built-in function and instruction whether ze-cpu has it.

status.py TABLE-FOLDER built_ins.md [--write]

The page must say what the tables say, or the exit code is 1; with --write it is written.
"""
import os
import sys
from collections import Counter

from functions import expand, read_features, read_rows
from instructions import read_instructions

HEAD = """\
# Built-in functions and instructions

Written by `builtins/table/status.py` from the tables beside it. `tests/built_ins` proves each line: what is present builds for all of its
overloads, and the build log of what is refused says the reason.

"""
LETTERS = """\
In the parameters `T` stands for each of the types with each of the widths, `S` for its element; `J` and `U` for signed and unsigned integers of
its size, `W` for such of twice its size; `R` for int, or `J` where `T` is a vector; `F` for another type of the same width and `A` for one of
the same size; `int#` for int of the same width. Pointers point to **g**lobal, **l**ocal, **p**rivate, **c**onstant or ge**n**eric memory.
`@float` are half, float and double, `@integer` the eight types of integers, `@all` both, `@word` those of 32 and 64 bits and half. A bracket
has alternatives.

"""


def names(row):
    return ", ".join(row.patterns())


def cell(text):
    return text.replace("|", "\\|").replace("*", "\\*") or " "


def types(row):
    if row.types == "-":
        return " "
    return row.types + ("" if row.widths == "1" else ", widths " + row.widths.replace("@n", "1 2 3 4 8 16"))


def count_states(items):
    count = Counter(state for state, number in items for _ in range(number))
    return f"{count['present']} | {count['refused']} | {count['missing']}"


def summary(rows, instructions, features):
    calls = [(features[row.feature].state, len(list(expand(row)))) for row in rows]
    functions = [(features[row.feature].state, len(row.patterns())) for row in rows]
    words = [(features[instruction.feature].state, 1) for instruction in instructions]
    return ["| | present | refused | missing |", "|---|---|---|---|",
            f"| functions, counted on each line below | {count_states(functions)} |", f"| their overloads | {count_states(calls)} |",
            f"| instructions of SPIR-V | {count_states(words)} |", ""]


def feature_text(name):
    return " " if name == "-" else name


def function_lines(rows, features):
    lines = ["## Functions of OpenCL C", "", LETTERS.rstrip("\n"), ""]
    for section in dict.fromkeys(row.section for row in rows):
        lines += [f"### {section}", "", "| function | parameters | types | extension | overloads | |", "|---|---|---|---|---|---|"]
        lines += [f"| {names(row)} | {cell(row.parameters)} | {types(row)} | {feature_text(row.feature)} | {len(list(expand(row)))} "
                  f"| {features[row.feature].description()} |" for row in rows if row.section == section]
        lines.append("")
    return lines


def instruction_lines(instructions, features):
    lines = ["## Instructions of SPIR-V", "", "| instruction | since | |", "|---|---|---|"]
    return lines + [f"| {instruction.name} | {instruction.since} | {features[instruction.feature].description()} |"
                    for instruction in instructions]


def document(folder):
    rows = read_rows(os.path.join(folder, "functions.tsv"))
    features = read_features(os.path.join(folder, "features.tsv"))
    instructions = read_instructions(os.path.join(folder, "instructions.tsv"))
    return HEAD + "\n".join(summary(rows, instructions, features) + function_lines(rows, features)
                            + instruction_lines(instructions, features)) + "\n"


def main():
    folder, path = sys.argv[1:3]
    wanted = document(folder)
    if sys.argv[3:] == ["--write"]:
        with open(path, "w", encoding="ascii") as file:
            file.write(wanted)
        return
    with open(path, encoding="ascii") as file:
        if file.read() != wanted:
            sys.exit(f"{path} is out of date; write it with\n  {' '.join(sys.argv)} --write")
    print("the page is as the tables say")


main()
