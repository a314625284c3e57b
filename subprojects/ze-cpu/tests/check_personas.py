#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the table of personas in README.md, and the list that the tests have, with personas.def.

check_personas.py personas.def README.md PERSONA...
"""

import re
import sys


def read_personas(path):
    with open(path, encoding="ascii") as file:
        text = re.sub(r"//.*", "", file.read())
    for row in re.findall(r"PERSONA\((.*)\)", text):
        cells = [cell.strip() for cell in re.split(r",(?![^(]*\))", row)]
        yield dict(zip(["name", "id", "ip", "spirv", "fp64", "discrete", "sub_groups", "group", "local", "image", "simd", "threads"], cells),
                   queues=cells[12:])


def ip_text(version):
    return f"{version >> 22}.{version >> 14 & 0xff}.{version & 0x3f}" if version else ""


def queue_text(queues):
    copies = [re.findall(r"\d+", queue)[1] for queue in queues if queue.startswith("COPY")]
    names = ", ".join("copy" if queue.startswith("COPY") else "compute+copy" for queue in queues)
    note = "" if not copies else " (patterns of 1 byte)" if copies[0] == "1" else f" (patterns up to {copies[0]} bytes)"
    return names + note


def row(persona):
    cells = [persona["name"], "yes" if persona["fp64"] == "true" else "no",
             "yes" if persona["discrete"] == "true" else "no", persona["sub_groups"].replace(" |", ""),
             persona["group"], persona["local"] + " KiB", persona["image"] if persona["image"] != "0" else "no",
             ip_text(int(persona["ip"], 0)), queue_text(persona["queues"])]
    return re.sub(" +", " ", "| " + " | ".join(cells) + " |")


def main():
    personas = list(read_personas(sys.argv[1]))
    with open(sys.argv[2], encoding="utf-8") as file:
        lines = file.read().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("| | fp64 | discrete |")) + 2
    table = lines[start:lines.index("", start)]
    wanted = [row(persona) for persona in personas]
    names = [persona["name"] for persona in personas]
    listed = next(line for line in lines if line.startswith("| `ZE_CPU_PERSONA` |"))
    odd = []
    if table != wanted:
        odd.append("README.md: the table of personas should be\n" + "\n".join(wanted))
    if re.findall(r"`(\w+)`", listed)[1:] != [*names, "custom"]:
        odd.append(f"README.md: ZE_CPU_PERSONA does not list {' '.join(names)} custom")
    if sys.argv[3:] != names[1:]:
        odd.append(f"the tests do not run with {' '.join(names[1:])}")
    print("\n".join(odd) or f"{len(names)} personas are reported as they are")
    return 1 if odd else 0


sys.exit(main())
