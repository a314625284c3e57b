#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do variables lead a program that has more rights than its user to libraries, programs or files?

secure_cases.py MEZ LOUD DRIVER ENGINE KERNELS.spv CLANG LLVM-SPIRV [DISPATCHER]

Runs `mez` twice with each variable: as it is, where the variable has to count, and as a program that belongs to another user and runs with that
one's rights (AT_SECURE). Only root can make such a program; for others, and where a file system ignores it, the exit code is 77 (skipped).
"""

import os
import shutil
import subprocess
import sys
import tempfile

NOBODY = 65534
SKIPPED = 77


class Failure(Exception):
    pass


class Room:
    def __init__(self, folder, arguments):
        self.folder = folder
        self.mez, self.loud, driver, engine, self.kernels, self.clang, self.llvm_spirv, *dispatcher = map(os.path.abspath, arguments)
        self.dispatcher = dispatcher[0] if dispatcher else None
        self.bin = os.path.join(folder, "bin")
        os.mkdir(self.bin)
        os.symlink(driver, os.path.join(self.bin, "libze_cpu.so.1"))
        os.symlink(engine, os.path.join(self.bin, "libze_cpu_engine.so"))
        self.script = self.write("loud", "#!/bin/sh\necho LOADED >&2\nexit 1\n")
        self.kernel = self.write("k.cl", "kernel void f(global int *a) { *a = 1; }\n")
        self.plain = self.copy("plain", 0o755)
        self.secure = self.copy("secure", 0o755)
        os.chown(self.secure, NOBODY, -1)
        os.chmod(self.secure, 0o4755)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        os.chmod(path, 0o755)
        return path

    def copy(self, name, mode):
        path = os.path.join(self.bin, name)
        shutil.copyfile(self.mez, path)
        os.chmod(path, mode)
        return path

    def run(self, program, arguments, variables):
        environment = {"PATH": os.environ["PATH"], "MEZ_DRIVERS": "cpu", "MEZ_CACHE_LIMIT": "1M", **variables}
        result = subprocess.run([program, *arguments], env=environment, cwd=self.folder, capture_output=True, text=True, errors="replace", timeout=120,
                                check=False)
        return result.stdout + result.stderr


def expect(room, variables, arguments, is_followed):
    """is_followed(output): has the variable led anywhere?"""
    output = room.run(room.plain, arguments, variables)
    if not is_followed(output):
        raise Failure(f"{variables} does not count for a plain program: {output}")
    output = room.run(room.secure, arguments, variables)
    if is_followed(output):
        raise Failure(f"{variables} counts for a program with more rights: {output}")


def is_loaded(output):
    return "LOADED" in output


def try_all(room):
    run = ["run", room.kernels, "place", "buf:u32:8", "--global", "8"]
    for variable in "MEZ_CLANG", "MEZ_LLVM_SPIRV":
        expect(room, {"MEZ_CLANG": room.clang, "MEZ_LLVM_SPIRV": room.llvm_spirv, variable: room.script}, ["compile", room.kernel, "-o", "-"],
               is_loaded)
    expect(room, {"ZE_CPU_LLVM_SPIRV": room.script, "MEZ_CACHE": "off"}, run, is_loaded)
    for variable in "ZE_CPU_ENGINE", "MEZ_CPU_DRIVER":
        expect(room, {variable: room.loud, "MEZ_CACHE": "off"}, run, is_loaded)
    expect(room, {"ZE_ENABLE_ALT_DRIVERS": room.loud}, ["info"], is_loaded)
    expect(room, {"XPTI_FRAMEWORK_DISPATCHER": room.loud}, run, is_loaded)
    if room.dispatcher:
        expect(room, {"MEZ_TRACE": os.path.join(room.folder, "t.json")}, run,
               lambda output: "nothing is traced" in output or os.path.exists(os.path.join(room.folder, "t.json")))
    for variable in "MEZ_CACHE", "XDG_CACHE_HOME", "HOME":
        path = os.path.join(room.folder, variable)
        os.mkdir(path)
        expect(room, {variable: path}, ["cache"], lambda output, path=path: path in output)
    config = room.write("own.yaml", "never_seen:\n  aspects: [gpu]\n")
    expect(room, {"MEZ_DEVICE_CONFIG": config}, ["check", room.kernels, "--target", "never_seen"],
           lambda output: "never_seen can run" in output)
    # What leads nowhere counts all the same.
    for program in room.plain, room.secure:
        output = room.run(program, ["doctor"], {"MEZ_QUEUE": "nonsense"})
        if "MEZ_QUEUE=nonsense" not in output:
            raise Failure(f"{program} does not read MEZ_QUEUE: {output}")


def main():
    if os.geteuid() != 0:
        print("only root can make a program that has more rights than its user")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        room = Room(folder, sys.argv[1:])
        shown = subprocess.run([room.secure, "--version"], env={"LD_SHOW_AUXV": "1"}, capture_output=True, text=True, check=False)
        if "mez" not in shown.stdout or "AT_SECURE" in shown.stdout:  # secure programs do not show it
            print(f"programs get no more rights here: {shown.stdout}{shown.stderr}")
            return SKIPPED
        try_all(room)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(str(failure))
