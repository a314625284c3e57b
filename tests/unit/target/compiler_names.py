#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the names of GPUs in the built-in device configuration with those of the Intel compiler that is installed.

compiler_names.py TARGETS.yaml [OCLOC]

The compiler calls each GPU by an acronym and by a version, which changes with it: targets are found by every one of them. Without
a compiler the test is skipped.
"""

import re
import subprocess
import sys

SKIPPED = 77


def listed(text, key):
    found = re.search(rf"^  {key}: \[([^\]]*)\]", text, re.M)
    return re.split(r",\s*", found.group(1)) if found else []


def read_targets(path):
    with open(path, encoding="utf-8") as file:
        parts = re.split(r"^(intel_gpu_\w+):(.*)$", file.read(), flags=re.M)
    for name, comment, text in zip(parts[1::3], parts[2::3], parts[3::3]):
        text = re.split(r"^\S", text, flags=re.M)[0]
        if not comment.strip():  # others stand for several GPUs
            options = re.search(r"aot-toolchain-options: -device (\S+)", text)
            yield name, listed(text, "aliases"), listed(text, "ip-versions"), options.group(1)


# The versions that the compiler has for an acronym, "12.0.0"; none: it does not know the acronym, or not yet.
def versions(ocloc, acronym):
    result = subprocess.run([ocloc, "ids", acronym], capture_output=True, text=True, timeout=60, check=False)
    return re.findall(r"^(\d+\.\d+\.\d+)$", result.stdout, re.M)


def release(version):
    return version.split(".")[:2]


def odd_names(ocloc, target):
    name, aliases, ip_versions, device = target
    for version in versions(ocloc, device):
        if "intel_gpu_" + version.replace(".", "_") not in aliases:
            yield f"{name}: the compiler calls {device} {version}, and no alias does"
        if version not in ip_versions:
            yield f"{name}: the compiler gives {device} the version {version}, which is not among ip-versions"
    for alias in [name, *aliases]:
        acronym = alias.removeprefix("intel_gpu_").replace("_", "-")
        if re.fullmatch(r"[\d-]+", acronym):
            continue
        for version in versions(ocloc, acronym):
            if not any(release(version) == release(other) for other in ip_versions):
                yield f"{name}: the compiler takes {acronym} for {version}, which is another GPU"


def main():
    if len(sys.argv) < 3 or not sys.argv[2]:
        print("skipped: there is no ocloc")
        return SKIPPED
    targets = list(read_targets(sys.argv[1]))
    known = sum(bool(versions(sys.argv[2], device)) for *_, device in targets)
    odd = [text for target in targets for text in odd_names(sys.argv[2], target)]
    for text in odd:
        print("not ok -", text)
    print(f"{len(targets)} targets, of which the compiler knows {known}; {len(odd)} names differ")
    return 1 if odd or known == 0 else 0


sys.exit(main())
