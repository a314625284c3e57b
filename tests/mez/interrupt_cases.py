#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that SIGINT, SIGTERM and SIGHUP while a source is compiled end mez, its compiler and what that started, and that the folder of
the compilation goes.

interrupt_cases.py MEZ
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

MEZ = os.path.abspath(sys.argv[1])

# It starts another program, as clang may, and neither ends by itself.
CLANG = """#!/bin/sh
trap '' INT TERM HUP
sleep 600 &
echo $$ $! >hanging.new
mv hanging.new hanging
wait
"""

COMMANDS = [
    ["run", "k.cl", "k", "--global", "1"],
    ["kernels", "k.cl"],
    ["check", "k.cl", "--target", "tgllp"],
    ["split", "-o", "k.table", "k.cl"],
    ["build", "--targets=spir64", "-o", "k.table", "k.cl"],
    ["compile", "k.cl"],
]


def is_alive(process):
    """One that nobody has waited for is dead, too."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition):
    end = time.monotonic() + 20
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


def interrupt(folder, words, number):
    """What was wrong, or nothing."""
    hanging = pathlib.Path(folder, "hanging")
    hanging.unlink(missing_ok=True)
    environment = os.environ | {"TMPDIR": f"{folder}/scratch", "MEZ_CACHE": f"{folder}/cache", "MEZ_CLANG": f"{folder}/clang",
                                "MEZ_LLVM_SPIRV": f"{folder}/llvm-spirv"}
    with subprocess.Popen([MEZ, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True) as process:
        if not wait_until(lambda: hanging.exists() or process.poll() is not None) or process.poll() is not None:
            process.kill()
            return f"the compiler does not run:\n{process.stdout.read()}"
        started = hanging.read_text(encoding="ascii").split()
        process.send_signal(number)
        try:
            code = process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            return "it does not end"
    if code != -number:
        return f"it ended with {code}"
    if not wait_until(lambda: not any(map(is_alive, started))):
        return f"{started} live on"
    left = os.listdir(f"{folder}/scratch")
    return f"{left} stay" if left else ""


def main():
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        signal.signal(number, signal.SIG_DFL)  # under nohup mez would have to ignore SIGHUP, too
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/scratch")
        for name in "clang", "llvm-spirv":
            pathlib.Path(folder, name).write_text(CLANG, encoding="ascii")
            os.chmod(f"{folder}/{name}", 0o700)
        pathlib.Path(folder, "k.cl").write_text("kernel void k(void) {}\n", encoding="ascii")
        for words in COMMANDS:
            for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
                wrong = interrupt(folder, words, number)
                print(f"not ok - mez {words[0]}, {number.name}: {wrong}" if wrong else f"ok - mez {words[0]}, {number.name}", flush=True)
                failed += bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
