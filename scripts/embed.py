#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns a file into a C array: embed.py INPUT OUTPUT.c NAME"""

import sys


def main(source, target, name):
    with open(source, "rb") as file:
        data = file.read()
    rows = [data[at:at + 16] for at in range(0, len(data), 16)]
    lines = ["    " + " ".join(f"0x{byte:02x}," for byte in row) for row in rows]
    with open(target, "w", encoding="ascii") as file:
        file.write("#include <stddef.h>\n#include <stdint.h>\n")
        file.write(f"_Alignas(8) const uint8_t {name}[] = {{\n" + "\n".join(lines) + "\n};\n")
        file.write(f"const size_t {name}_size = {len(data)};\n")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
