#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Are libraries and programs built with guards of the stack, checks of the C library's calls and tables that are read-only?

hardened.py READELF FILE...

FILE: an ELF file; others are ignored. Guards are where functions have arrays, checks where the compiler knows their sizes, so that each has to
be in the files that read what others have written.
"""

import re
import subprocess
import sys

READERS = re.compile(r"/(mez|mez-trace-writer|libmezzanine(-image)?\.so[.0-9]*|libze_cpu(_engine)?\.so[.0-9]*)$")


def read(readelf, option, path):
    return subprocess.run([readelf, "-W", option, path], stdout=subprocess.PIPE, text=True, check=True).stdout


def mistakes_of(readelf, path):
    if "GNU_RELRO" not in read(readelf, "--program-headers", path):
        yield "has no table that is made read-only"
    if not re.search(r"\(FLAGS(_1)?\).*\b(NOW|BIND_NOW)\b|\(BIND_NOW\)", read(readelf, "--dynamic", path)):
        yield "binds functions late, in a table that can be written"
    if READERS.search(path):
        symbols = read(readelf, "--dyn-syms", path)
        if "__stack_chk_fail" not in symbols:
            yield "has no guards of the stack"
        if not re.search(r"\b__\w+_chk\b", symbols):
            yield "calls the C library without checks"


def main():
    readelf, *paths = sys.argv[1:]
    wrong = looked_at = readers = 0
    for path in paths:
        with open(path, "rb") as file:
            if file.read(4) != b"\x7fELF":
                continue
        looked_at += 1
        readers += bool(READERS.search(path))
        for mistake in mistakes_of(readelf, path):
            print(f"{path} {mistake}")
            wrong += 1
    if readers < 2:
        print("no library was looked at")
        wrong += 1
    print(f"hardened: {looked_at} files, {wrong} mistakes")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main())
