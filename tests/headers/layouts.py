#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Have the public structs and enumerations the layout that compiled programs know?

layouts.py TABLE HEADER... -- COMPILER [ARGUMENT...]

TABLE lists each struct with its size and the offset and size of each member, and each enumeration with its values, for 64-bit
machines. Behind a struct's size stands who fills it, which decides how it may grow (docs/compatibility.md):

    program   the program: a member is taken from `reserved`, which ends the struct, and the size stays
    library   a call, in memory of the program: the same
    pointer   the library, in memory of its own: members come at the end, and the size grows
    fixed     it never changes

With --print as the first argument the layouts are printed as lines of the table; `?` stands for who fills a struct that is not in it.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

OWNERS = {"program", "library", "pointer", "fixed"}
TYPE = re.compile(r"^typedef (struct|enum) (mez_\w+) \{\n(.*?)^\} \2;", re.MULTILINE | re.DOTALL)
MEMBER = re.compile(r"(\w+)\s*(?:\[[^]]*\])?\s*$")


def types_of(header):
    """Each type that the header defines: struct or enum, its name, the names of its members."""
    for kind, name, body in TYPE.findall(pathlib.Path(header).read_text(encoding="utf-8")):
        body = re.sub(r"//[^\n]*", "", body)
        if kind == "enum":
            yield kind, name, re.findall(r"\b(MEZ_\w+)\s*(?:=[^,]*)?(?:,|$)", body.strip())
        else:
            yield kind, name, [MEMBER.search(member).group(1) for member in body.split(";") if member.strip()]


def program_for(headers, types):
    lines = ["#include <stddef.h>", "#include <stdio.h>"]
    lines += [f'#include "{pathlib.Path(header).resolve()}"' for header in headers]
    lines.append("int main(void)\n{")
    for kind, name, members in types:
        if kind == "enum":
            lines.append(f'    puts("{name} enum");')
            lines += [f'    printf("    {member} %ld\\n", (long){member});' for member in members]
            continue
        lines.append(f'    printf("{name} %zu ?\\n", sizeof({name}));')
        lines += [f'    printf("    {member} %zu %zu\\n", offsetof({name}, {member}), sizeof(({name} *)0)->{member});'
                  for member in members]
    return "\n".join(lines + ["    return sizeof(void *) == 8 ? 0 : 77;", "}", ""])


def measure(headers, types, compiler):
    """The layouts, as lines of the table; None where pointers have another size than those of the table."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "layouts.c"), pathlib.Path(folder, "layouts")
        source.write_text(program_for(headers, types), encoding="utf-8")
        subprocess.run([*compiler, str(source), "-o", str(program)], check=True)
        run = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    return run.stdout.splitlines() if run.returncode == 0 else None


def by_type(lines):
    """name -> (its line, the lines of its members)"""
    found, members = {}, []
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(" "):
            members.append(line.strip())
        else:
            members = []
            found[line.split()[0]] = (line, members)
    return found


def room_is_last(size, members):
    name, offset, room = members[-1].split()
    return name == "reserved" and int(offset) + int(room) == int(size) and int(room) >= 8


def faults_of(name, known, measured):
    (known_line, known_members), (line, members) = known, measured
    if line.endswith(" enum") or known_line.endswith(" enum"):
        if known_members != members:
            yield f"{name}: the values differ from the table's"
        return
    size, owner = line.split()[1], known_line.split()[2]
    if owner not in OWNERS:
        yield f'{name}: the table does not say who fills it, but "{owner}"'
    if known_line.split()[1] != size:
        yield f"{name}: it has {size} bytes, and {known_line.split()[1]} in the table: members are taken from `reserved`"
    for member in sorted(set(known_members) ^ set(members)):
        yield f"{name}: {'added or moved' if member in members else 'in the table'}: {member}"
    if owner in ("program", "library") and not room_is_last(size, members):
        yield f"{name}: `reserved` does not end it"


def main():
    arguments = sys.argv[1:]
    printing = arguments[0] == "--print"
    arguments = arguments[printing:]
    split = arguments.index("--")
    table, headers, compiler = arguments[0], arguments[1:split], arguments[split + 1:]
    types = [entry for header in headers for entry in types_of(header)]
    lines = measure(headers, types, compiler)
    if lines is None:
        print("the table is for 64-bit machines")
        return 77
    known, measured = by_type(pathlib.Path(table).read_text(encoding="utf-8").splitlines()), by_type(lines)
    if printing:
        for name, (line, members) in measured.items():
            owner = known[name][0].split()[-1] if name in known else "?"
            print("\n".join([line.replace("?", owner), *("    " + member for member in members)]))
        return 0
    faults = [f"{name}: not in {table}: see --print" for name in measured.keys() - known.keys()]
    faults += [f"{name}: in {table} only" for name in known.keys() - measured.keys()]
    for name in sorted(measured.keys() & known.keys()):
        faults += faults_of(name, known[name], measured[name])
    print("\n".join(faults))
    failed = len({fault.split(":")[0] for fault in faults})
    print(f"layouts: {len(measured) - failed} passed, {failed} failed, 0 skipped")
    return 1 if faults or not measured else 0


if __name__ == "__main__":
    sys.exit(main())
