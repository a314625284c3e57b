#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a program under gdb, and compares the probes that fire with those in a file: fired.py PROGRAM EXPECTED

Exit code 77: there is no gdb here that knows probes, or it may not trace.
"""

import os
import shutil
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
import untraced

SKIP = 77

# What is shown of each. Addresses differ from run to run: of these it matters whether they are there.
FORMATS = {
    "call__begin": '"%s", (char*)$_probe_arg0',
    "call__end": '"%s %d", (char*)$_probe_arg0, (int)$_probe_arg1',
    "node__create": '"%d %s", $_probe_arg0 != 0, (char*)$_probe_arg1',
    "edge__create": '"%d %d", $_probe_arg0 != 0, $_probe_arg1 != 0',
    "task__begin": '"%d %s", $_probe_arg0 != 0, (char*)$_probe_arg1',
    "task__end": '"%d %d %d %d", $_probe_arg0 != 0, $_probe_arg1 != 0, (int)$_probe_arg2, (int)$_probe_arg3',
    "tasks__done": '"%d %d %d", $_probe_arg0 != 0, (int)$_probe_arg1, (int)$_probe_arg2',
    "wait__begin": '"%d", $_probe_arg0 != 0',
    "wait__end": '"%d %d", $_probe_arg0 != 0, (int)$_probe_arg1',
    "queue__create": '"%s %d", (char*)$_probe_arg1, (int)$_probe_arg2',
    "queue__destroy": '"%d", $_probe_arg0 != 0',
    "memory__alloc__begin": '"%d %d", (int)$_probe_arg1, (int)$_probe_arg2',
    "memory__alloc__end": '"%d %d", $_probe_arg0 != 0, (int)$_probe_arg1',
    "memory__free": '"%d", $_probe_arg1 != 0',
    "error": '"%s %s", (char*)$_probe_arg0, (char*)$_probe_arg1',
}


def script():
    lines = ["set debuginfod enabled off", "set pagination off", "set breakpoint pending off", "break main", "run"]
    for probe, arguments in FORMATS.items():
        shown = arguments.replace('"', f'"probe {probe} ', 1).replace('",', '\\n",', 1)
        lines += [f"break -probe-stap mezzanine:{probe}", "commands", "silent", f"printf {shown}", "continue", "end"]
    return "\n".join(lines + ["continue", ""])


def main():
    program, expected = sys.argv[1:]
    gdb = shutil.which("gdb")
    if not gdb:
        print("skipped: there is no gdb here")
        return SKIP
    with tempfile.NamedTemporaryFile("w", suffix=".gdb") as file:
        file.write(script())
        file.flush()
        result = subprocess.run([gdb, "-batch", "-nx", "-x", file.name, program], env=untraced.environment(), stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, check=False, timeout=100)
    if "Operation not permitted" in result.stdout:
        print("skipped: gdb may not trace here")
        return SKIP
    fired = [line.removeprefix("probe ") for line in result.stdout.splitlines() if line.startswith("probe ")]
    with open(expected, encoding="utf-8") as file:
        if fired == file.read().splitlines():
            return 0
    print("\n".join(fired) + f"\nis not what {expected} has; gdb said:\n{result.stdout}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
