#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the public headers of a later version: each struct with reserved words has a member in the place of the first of them.

grow.py HEADER... FOLDER
grow.py --list HEADER... FILE       the names of these structs, for C: GROWN_STRUCTS(X) is X(mez_queue_params) ...
"""

import pathlib
import re
import sys

ROOM = re.compile(r"^    uint64_t reserved\[(\d+)\];", re.MULTILINE)
STRUCT = re.compile(r"^typedef struct (\w+) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)


def grow(match):
    words = int(match.group(1))
    rest = f" uint64_t reserved[{words - 1}];" if words > 1 else ""
    return f"    uint64_t grown;{rest}"


def write_headers(headers, folder):
    grown = 0
    for header in headers:
        text, count = ROOM.subn(grow, pathlib.Path(header).read_text(encoding="utf-8"))
        pathlib.Path(folder, pathlib.Path(header).name).write_text(text, encoding="utf-8")
        grown += count
    return grown


def write_list(headers, file):
    structs = [name for header in headers for name, members in STRUCT.findall(pathlib.Path(header).read_text(encoding="utf-8"))
               if ROOM.search(members)]
    lines = ["#define GROWN_STRUCTS(X)", *(f"    X({name})" for name in structs)]
    pathlib.Path(file).write_text(" \\\n".join(lines) + "\n", encoding="utf-8")
    return len(structs)


def main():
    *headers, output = sys.argv[1:]
    return 0 if (write_list(headers[1:], output) if headers[0] == "--list" else write_headers(headers, output)) else 1


if __name__ == "__main__":
    sys.exit(main())
