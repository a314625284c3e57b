#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the personas of ze-cpu with the targets that the built-in device configuration has for them: a kernel that runs on the
persona is not refused by `mez check` for the target, and the other way round.

personas.py TARGETS.yaml personas.def
"""

import re
import sys


def read_personas(path):
    with open(path, encoding="ascii") as file:
        text = re.sub(r"//.*", "", file.read())
    for row in re.findall(r"PERSONA\((.*)\)", text):
        name, pci, ip, _, fp64, _, sub_groups, group, local, image = [cell.strip() for cell in row.split(",")[:10]]
        yield {"name": name, "pci": int(pci, 0), "ip": int(ip, 0), "fp64": fp64 == "true",
               "sub-group-sizes": [int(size) for size in sub_groups.split("|")], "max-work-group-size": int(group),
               "max-local-memory": int(local) * 1024, "image": image != "0"}


# key -> text of a target, where a list of aspects may stand for one before it
def read_targets(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lists = dict(re.findall(r"&(\w+) \[(.*?)\]", text, re.S))
    parts = re.split(r"^(intel_gpu_\w+):.*$", text, flags=re.M)
    for name, body in zip(parts[1::2], parts[2::2]):
        body = re.split(r"^\S", body, flags=re.M)[0]
        named = re.search(r"aspects: \*(\w+)", body)
        yield name, body + (lists[named.group(1)] if named else "")


def numbers(text, key):
    found = re.search(rf"^  {key}: \[?([^\]\n]*(?:\n    [^\]\n]*)*)", text, re.M)
    return re.split(r",\s*", found.group(1).strip()) if found else None


def is_pci(text, pci):
    ranges = [entry.split("-") for entry in numbers(text, "pci-ids") or []]
    return any(int(ends[0], 0) <= pci <= int(ends[-1], 0) for ends in ranges)


def has(text, aspect):
    return re.search(rf"\b{aspect}\b", text) is not None


def differences(persona, text):
    ip = persona["ip"]
    version = f"{ip >> 22}.{ip >> 14 & 0xff}.{ip & 0x3f}"
    if version not in numbers(text, "ip-versions"):
        yield f"ip version {version} is not among ip-versions"
    for aspect in "fp64", "image":
        if persona[aspect] != has(text, aspect):
            yield f"{aspect} is {persona[aspect]} here and {has(text, aspect)} there"
    for key in "sub-group-sizes", "max-work-group-size", "max-local-memory":
        theirs = numbers(text, key)
        ours = persona[key] if isinstance(persona[key], list) else [persona[key]]
        if theirs is not None and [int(number) for number in theirs] != ours:
            yield f"{key} is {ours} here and {theirs} there"


def main():
    targets = dict(read_targets(sys.argv[1]))
    odd, seen = [], 0
    for persona in read_personas(sys.argv[2]):
        if not persona["pci"]:
            continue
        found = [(name, text) for name, text in targets.items() if is_pci(text, persona["pci"])]
        if len(found) != 1:
            odd.append(f"{persona['name']}: {len(found)} targets have its PCI id")
            continue
        seen += 1
        odd += [f"persona {persona['name']} and target {found[0][0]}: {text}" for text in differences(persona, found[0][1])]
    for text in odd:
        print("not ok -", text)
    print(f"{seen} personas have a target; {len(odd)} differ")
    return 1 if odd or seen == 0 else 0


sys.exit(main())
