#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gives every container that the mez command writes to every command that takes images.

container_cases.py SUITE MEZ KERNELS.spv

SUITE is unit, for what needs no device, or cpu. Whoever does not take a container says what it is and who does.
"""

import os
import subprocess
import sys
import tempfile

GOOD = None
SPLIT = "reads SPIR-V as compilers write it, but this is a "
FILTER = "reads file tables, but this is "

# What is made, and how: the raw module is there from the start.
MADE = {
    "split.table": ["split", "-o", "split.table", "k.spv"],
    "build.table": ["build", "--targets=spir64", "-o", "build.table", "k.spv"],
    "build.syclbin": ["build", "--targets=spir64", "-o", "build.syclbin", "k.spv"],
    "filtered.table": ["filter", "-target=intel_gpu_pvc", "-o", "filtered.table", "split.table"],
}

TABLE = {"split": SPLIT + "file table", "build": SPLIT + "file table", "filter": GOOD}
REFUSALS = {
    "k.spv": {"split": GOOD, "build": GOOD, "filter": FILTER + "SPIR-V"},
    "split.table": TABLE,
    "build.table": TABLE,
    "filtered.table": TABLE,
    "build.syclbin": {"split": SPLIT + "SYCLBIN", "build": SPLIT + "SYCLBIN", "filter": FILTER + "a SYCLBIN"},
}

COMMANDS = {
    "unit": {
        "check": ["check", "--target", "intel_gpu_pvc"],
        "split": ["split", "-o", "out.table"],
        "build": ["build", "--targets=spir64", "-o", "out.syclbin"],
        "filter": ["filter", "-target=intel_gpu_pvc"],
    },
    "cpu": {
        "kernels": ["kernels"],
        "check": ["check", "--device", "cpu"],
        "run": ["run", "place", "buf:u32:8", "--global", "8", "--flags", "-ze-opt-disable"],
    },
}


class Failure(Exception):
    pass


def run(mez, folder, arguments):
    return subprocess.run([mez, *arguments], cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def make(mez, kernels, folder):
    with open(kernels, "rb") as source, open(os.path.join(folder, "k.spv"), "wb") as copy:
        copy.write(source.read())
    for name, arguments in MADE.items():
        result = run(mez, folder, arguments)
        if result.returncode != 0:
            raise Failure(f"{name} is not written: {result.stderr}")


def try_one(mez, folder, command, arguments, name):
    arguments = [arguments[0], name, *arguments[1:]]
    result = run(mez, folder, arguments)
    words = REFUSALS[name].get(command)
    if words is GOOD:
        if result.returncode != 0:
            raise Failure(f"`mez {' '.join(arguments)}` ends with {result.returncode}: {result.stderr}")
    elif result.returncode != 1 or words not in result.stderr or f"`mez {command}`" not in result.stderr:
        raise Failure(f"`mez {' '.join(arguments)}` ends with {result.returncode}, not with \"{words}\": {result.stderr}")


def try_native(mez, folder):
    """Native code that the device can't run is listed, without a number of arguments that nobody knows."""
    compiler = os.path.join(folder, "writes_native")
    with open(compiler, "w", encoding="ascii") as script:
        script.write("#!/bin/sh\nprintf CTNI > \"$6/$8\"\n")
    os.chmod(compiler, 0o755)
    with open(os.path.join(folder, "devices.yaml"), "w", encoding="utf-8") as config:
        config.write(f'abacus:\n  aot-toolchain: "{compiler}"\n')
    for output in "native.table", "native.syclbin":
        for arguments in (["build", "--device-config-file=devices.yaml", "--targets=abacus", "-o", output, "k.spv"],
                          ["kernels", output]):
            result = run(mez, folder, arguments)
            if result.returncode != 0:
                raise Failure(f"`mez {' '.join(arguments)}` ends with {result.returncode}: {result.stderr}")
        if "  native code\n" not in result.stdout or "argument" in result.stdout:
            raise Failure(f"{output}: {result.stdout}")


def main():
    suite, mez, kernels = sys.argv[1], *map(os.path.abspath, sys.argv[2:4])
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        make(mez, kernels, folder)
        for command, arguments in COMMANDS[suite].items():
            for name in REFUSALS:
                try:
                    try_one(mez, folder, command, arguments, name)
                except Failure as failure:
                    print(f"FAILED {command} {name}: {failure}")
                    failures += 1
        if suite == "cpu":
            try:
                try_native(mez, folder)
            except Failure as failure:
                print(f"FAILED native code: {failure}")
                failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
