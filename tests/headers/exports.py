#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does a library export what its version script lists, each name with its version, and nothing else?

exports.py NM LIBRARY MAP [HEADER...] -- [NAME...]

The NAMEs are exported without a version. Where headers are given, the script lists the functions that they declare.
"""

import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import interface # pylint: disable=wrong-import-position

NODE = re.compile(r"(\w[\w.]*)\s*\{(.*?)\}\s*([\w.]*)\s*;", re.DOTALL)


def listed(path):
    """name -> version, of all nodes; and what is wrong with the nodes."""
    text = re.sub(r"#[^\n]*", "", pathlib.Path(path).read_text(encoding="utf-8"))
    versions, faults, before = {}, [], ""
    for node, body, parent in NODE.findall(text):
        names = re.findall(r"(\w+);", body.replace("local:", "").replace("global:", ""))
        faults += [f"{name} is in {versions[name]} and in {node}" for name in names if name in versions]
        faults += [f"{node} is sorted otherwise"] if names != sorted(names) else []
        faults += [f"{node} has to name {before or 'nothing'} behind it"] if parent != before else []
        versions.update({name: node for name in names})
        before = node
    return versions, faults


def exported(nm, library):
    """name -> version, "" without one"""
    command = [nm, "-D", "--defined-only", "--with-symbol-versions", library]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    names = [line.split()[-1] for line in lines if line.split()[1] != "A"] # the versions themselves
    return {name.partition("@")[0]: name.partition("@")[2].removeprefix("@") for name in names}


def main():
    split = sys.argv.index("--")
    nm, library, script, *headers = sys.argv[1:split]
    found = exported(nm, library)
    expected, faults = listed(script)
    if headers:
        functions = {call.symbol for call in interface.calls_of(headers)}
        faults += [f"{name} is declared, and not in {script}" for name in sorted(functions - expected.keys())]
        faults += [f"{name} is in {script}, and in no header" for name in sorted(expected.keys() - functions)]
    expected.update({name: "" for name in sys.argv[split + 1:]})
    faults += [f"{name} is in {script}, and not exported" for name in sorted(expected.keys() - found.keys())]
    faults += [f"{name} is exported, and not in {script}" for name in sorted(found.keys() - expected.keys())]
    faults += [f"{name} has version {found[name] or 'none'}, and not {expected[name] or 'none'}"
               for name in sorted(expected.keys() & found.keys()) if found[name] != expected[name]]
    print("\n".join(faults))
    failed = min(len(faults), len(found))
    print(f"exports: {len(found) - failed} passed, {len(faults)} failed, 0 skipped")
    return 1 if faults or not found else 0


if __name__ == "__main__":
    sys.exit(main())
