#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The probes in a library are those that a page lists, with as many arguments: listed.py LIBRARY PAGE"""

import re
import subprocess
import sys


def read_page(name):
    with open(name, encoding="utf-8") as file:
        section = file.read().split("### Probes\n", 1)[1].split("\n### ", 1)[0]
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \|", section, re.MULTILINE)
    return {probe: len(re.findall(r"`\w+`", arguments)) for probe, arguments in rows}


def read_library(name):
    """The numbers of arguments that each probe's places have."""
    command = ["readelf", "--wide", "--notes", name]
    notes = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    found = re.findall(r"Provider: mezzanine\n *Name: (\w+)\n.*\n *Arguments:(.*)", notes)
    counts = {}
    for probe, arguments in found:
        counts.setdefault(probe, set()).add(len(arguments.split()))
    return counts


def main():
    library, page = sys.argv[1:]
    listed, found = read_page(page), read_library(library)
    wrong = [probe for probe in sorted(listed.keys() | found.keys()) if {listed.get(probe)} != found.get(probe)]
    for probe in wrong:
        print(f"{probe}: the page lists {listed.get(probe)} arguments, the library has {found.get(probe)}")
    return 1 if wrong or not listed else 0


if __name__ == "__main__":
    sys.exit(main())
