#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the public headers of a later version: each struct with reserved words has a member in the place of the first of them.

grow.py HEADER... FOLDER
"""

import pathlib
import re
import sys

ROOM = re.compile(r"^    uint64_t reserved\[(\d+)\];", re.MULTILINE)


def grow(match):
    words = int(match.group(1))
    rest = f" uint64_t reserved[{words - 1}];" if words > 1 else ""
    return f"    uint64_t grown;{rest}"


def main():
    *headers, folder = sys.argv[1:]
    grown = 0
    for header in headers:
        text, count = ROOM.subn(grow, pathlib.Path(header).read_text(encoding="utf-8"))
        pathlib.Path(folder, pathlib.Path(header).name).write_text(text, encoding="utf-8")
        grown += count
    return 0 if grown else 1


if __name__ == "__main__":
    sys.exit(main())
