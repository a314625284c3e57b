#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs what a build tree has without any variable: it finds the CPU driver and its compiler itself.

build_tree_cases.py MEZ KERNELS CPU_DRIVER [PROGRAM KERNEL]

MEZ has the library in it, PROGRAM is linked with the shared library, and CPU_DRIVER is opened by its path.
"""

import os
import subprocess
import sys


def environment(more):
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("MEZ_", "ZE_", "ZES_")) and name != "LD_LIBRARY_PATH"}
    # A machine with a GPU would not need the CPU driver, and what the cache has would not need the compiler.
    return {**kept, "MEZ_CACHE": "off", **more}


def run(words, more):
    result = subprocess.run(words, cwd="/", env=environment(more), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                            timeout=100, check=False)
    return result.returncode, result.stdout + result.stderr


def main():
    mez, kernels, driver, *example = [os.path.abspath(path) for path in sys.argv[1:]]
    place = ["run", kernels, "place", "--global", "4", "buf:uint:4"]
    cases = [
        ("mez lists the CPU", [mez, "info"], {"MEZ_DRIVERS": "cpu"}, "\nCPU: ze-cpu (host persona)"),
        ("mez runs a kernel", [mez, *place], {"MEZ_DRIVERS": "cpu"}, None),
        ("the driver finds its compiler", [mez, *place], {"ZE_ENABLE_ALT_DRIVERS": driver}, None),
    ]
    if example:
        cases.append(("a program with the shared library", example, {"MEZ_DRIVERS": "cpu"}, None))
    failed = 0
    for name, words, more, wanted in cases:
        code, output = run(words, more)
        good = code == 0 and (wanted is None or wanted in output)
        print("ok" if good else "not ok", "-", name)
        if not good:
            failed += 1
            print(f"exit code {code}: {output}")
    print(f"mez-build-tree: {len(cases) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


sys.exit(main())
