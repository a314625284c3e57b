#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Says of each entry point whether it is implemented, refused for a reason, or missing.

status.py tables.tsv refused.tsv entry_points.md NM DRIVER [--write]

What the driver defines is implemented; refused.tsv names the others that stay unsupported, by patterns, and why. The table in
entry_points.md must say the same, or the exit code is 1; with --write it is written.
"""
import fnmatch
import subprocess
import sys
from collections import Counter

HEAD = """\
# Entry points

Written by `ddi/status.py` from `ddi/tables.tsv`, `ddi/refused.tsv` and the driver. What is refused or missing answers
ZE_RESULT_ERROR_UNSUPPORTED_FEATURE. Those that came after API 1.3 do so without `ZE_CPU_NEWER=1`, too, except for zeInitDrivers and
zeDriverGetLastErrorDescription.

"""


def read_rows(path):
    with open(path, encoding="ascii") as file:
        next(file)
        return [line.rstrip("\n").split("\t") for line in file]


def defined_functions(nm, driver):
    symbols = subprocess.run([nm, driver], capture_output=True, text=True, check=True).stdout
    return {line.split()[2] for line in symbols.splitlines() if len(line.split()) == 3 and line.split()[1] in "tT"}


def find_reason(function, refused):
    for pattern, reason in refused:
        if fnmatch.fnmatchcase(function, pattern):
            return pattern, reason
    return None, None


def states(tables, refused, defined):
    """(function, version, state) in the order of the tables, and the patterns that refuse something."""
    rows, used = [], set()
    for _, _, function, since in tables:
        pattern, reason = find_reason(function, refused)
        if function in defined:
            state = "implemented"
        elif pattern:
            state = f"refused: {reason}"
            used.add(pattern)
        else:
            state = "missing"
        rows.append((function, since, state))
    return rows, used


def summary(rows):
    lines = ["| | implemented | refused | missing |", "|---|---|---|---|"]
    for prefix, api in [("ze", "core"), ("zet", "tools"), ("zes", "Sysman"), ("zer", "runtime")]:
        mine = [state.split(":")[0] for function, _, state in rows
                if function.startswith(prefix) and function[len(prefix)].isupper()]
        count = Counter(mine)
        lines.append(f"| {api} | {count['implemented']} | {count['refused']} | {count['missing']} |")
    return lines


def document(rows):
    lines = summary(rows) + ["", "| entry point | API | |", "|---|---|---|"]
    lines += [f"| {function} | {since} | {state} |" for function, since, state in rows]
    return HEAD + "\n".join(lines) + "\n"


def main():
    tables_path, refused_path, document_path, nm, driver = sys.argv[1:6]
    refused = read_rows(refused_path)
    rows, used = states(read_rows(tables_path), refused, defined_functions(nm, driver))
    for pattern, _ in refused:
        if pattern not in used:
            sys.exit(f"{refused_path}: remove {pattern}, as all entry points of that name are implemented or do not exist")
    wanted = document(rows)
    if sys.argv[6:] == ["--write"]:
        with open(document_path, "w", encoding="ascii") as file:
            file.write(wanted)
        return
    with open(document_path, encoding="ascii") as file:
        if file.read() != wanted:
            sys.exit(f"{document_path} is out of date; write it with\n  {' '.join(sys.argv)} --write")
    print(f"{len(rows)} entry points are as the table says")


main()
