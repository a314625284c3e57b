#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Writes the part of the no-op driver that follows from the list of Level Zero's function tables
# alone.
#
# usage: generate.py TABLES.tsv entries.h entries.c getters.c entries.d
#
#   entries.h  a number for each entry point
#   entries.c  a default for each entry point (a weak function that counts and says "unsupported"; a
#              function of the same name in another file replaces it), and a description of each
#              table slot
#   getters.c  the z*Get*ProcAddrTable functions that a loader asks for
#   entries.d  what all of it depends on, for the build system
import csv
import sys

# Functions that no table has: drivers give them out by name.
EXTENSIONS = ["zexCounterBasedEventCreate2"]

HEADER = "// SPDX-License-Identifier: MIT\n// Written by tests/noop/generate.py: do not edit.\n"


def read_slots(path):
    with open(path, newline="") as file:
        slots = list(csv.DictReader(file, delimiter="\t"))
    return slots + [{"getter": "", "index": 0, "function": name, "since_api": "1.0"} for name in EXTENSIONS]


def write_numbers(path, slots):
    with open(path, "w") as out:
        out.write(HEADER + "#ifndef NOOP_ENTRIES_H\n#define NOOP_ENTRIES_H\n\nenum noop_entry {\n")
        for slot in slots:
            out.write(f"    NOOP_{slot['function']},\n")
        out.write("    NOOP_ENTRY_COUNT\n};\n\n#endif\n")


def write_slots(path, slots):
    with open(path, "w") as out:
        out.write(HEADER + '#include "internal.h"\n\n')
        for slot in slots:
            out.write(f"NOOP_UNSUPPORTED({slot['function']})\n")
        out.write("\nconst struct noop_slot noop_slots[NOOP_ENTRY_COUNT] = {\n")
        for slot in slots:
            major, minor = slot["since_api"].split(".")
            out.write(f"    {{\"{slot['getter']}\", \"{slot['function']}\", {slot['index']},\n"
                      f"     ZE_MAKE_VERSION({major}, {minor}), noop_{slot['function']}}},\n")
        out.write("};\n")


def write_getters(path, slots):
    getters = sorted({slot["getter"] for slot in slots if slot["getter"]})
    with open(path, "w") as out:
        out.write(HEADER + '#include "table.h"\n\n')
        for getter in getters:
            out.write(f"NOOP_GETTER({getter})\n")


def main():
    tables, numbers, entries, getters, dependencies = sys.argv[1:]
    slots = read_slots(tables)
    write_numbers(numbers, slots)
    write_slots(entries, slots)
    write_getters(getters, slots)
    with open(dependencies, "w") as out:
        out.write(f"{numbers} {entries} {getters}: {tables}\n")


if __name__ == "__main__":
    main()
