#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the examples of a page, and looks for names in it: check.py PAGE [HEADER PREFIX] -- COMPILER [OPTION...]

Each block that is marked as C is a file of its own. Every word of the header that begins with the prefix must be in the page.
"""

import re
import subprocess
import sys

START = "#include <mezzanine/mezzanine.h>\n#include <stdio.h>\n"


def compiles(example, compiler):
    command = [*compiler, "-fsyntax-only", "-"]
    return subprocess.run(command, input=START + example, text=True, check=False).returncode == 0


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def names_of(header, prefix):
    names = sorted(set(re.findall(rf"\b{prefix}[A-Z0-9_]+\b", read(header))))
    if not names:
        raise SystemExit(f"{header} has no names that begin with {prefix}")
    return names


def main():
    split = sys.argv.index("--")
    page_name, *names = sys.argv[1:split]
    page = read(page_name)
    examples = re.findall(r"^```c\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    failed = [example for example in examples if not compiles(example, sys.argv[split + 1:])]
    missing = [name for name in (names_of(*names) if names else []) if f"`{name}`" not in page]
    for example in failed:
        print(f"does not compile:\n{example}")
    for name in missing:
        print(f"not in {page_name}: {name}")
    return 1 if failed or missing or not examples else 0


if __name__ == "__main__":
    sys.exit(main())
