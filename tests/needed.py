#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints what ninja has to build for the tests of some suites: needed.py BUILD SUITE...

Meson before 1.7 builds all or nothing before it tests.
"""

import json
import os
import subprocess
import sys


def introspect(build, what):
    text = subprocess.run(["meson", "introspect", build, "--" + what], check=True, capture_output=True, text=True).stdout
    return json.loads(text)


def main():
    build, suites = sys.argv[1], set(sys.argv[2:])
    wanted = {target for test in introspect(build, "tests") if suites & {name.split(":")[1] for name in test["suite"]}
              for target in test["depends"]}
    for target in introspect(build, "targets"):
        if target["id"] in wanted:
            print(*(os.path.relpath(file, os.path.realpath(build)) for file in target["filename"]), sep="\n")


if __name__ == "__main__":
    main()
