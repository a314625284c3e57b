#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a child of a test program under gdb, and expects it to stop by SIGTRAP where its failed assert is delivered.

debugger.py PROGRAM CHILD LINE

LINE must have been printed before. Exit code 77: there is no gdb here, or it may not trace.
"""

import shutil
import subprocess
import sys

SKIP = 77


def main():
    program, child, line = sys.argv[1:]
    gdb = shutil.which("gdb")
    if not gdb:
        print("skipped: there is no gdb here")
        return SKIP
    command = [gdb, "-batch", "-nx", "-ex", "set debuginfod enabled off", "-ex", "run", "-ex", "echo stopped\\n", "-ex",
               "bt", "--args", program, "--child", child]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=100)
    if "Operation not permitted" in result.stdout:
        print("skipped: gdb may not trace here")
        return SKIP
    for wanted in line, "received signal SIGTRAP", "stopped", "mez_assert_deliver":
        if wanted not in result.stdout:
            print(f"{wanted!r} is not in\n{result.stdout}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
