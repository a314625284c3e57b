#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs `mez split` as a user does, and hands what it writes to those who judge it.

split_cases.py MEZ SPLIT.spv SPIRV_VAL [OCLOC]

SPLIT.spv has the kernels k0 to k9; k4 uses double. With OCLOC, Intel's compiler builds each image for a device without it.
"""

import os
import subprocess
import sys
import tempfile

KERNELS = [f"k{i}" for i in range(10)]
HINT = "`mez split --help` explains the command\n"


class Failure(Exception):
    pass


def require(condition, words):
    if not condition:
        raise Failure(words)


class Splitter:
    def __init__(self, mez, module, folder):
        self.mez, self.module, self.folder = mez, module, folder

    def run(self, *arguments):
        return subprocess.run([self.mez, "split", *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=60, check=False)

    def split(self, *arguments):
        """The rows of the table, after a run that went well and said nothing."""
        result = self.run(*arguments, "-o", "out.table", self.module)
        require(result.returncode == 0, result.stderr)
        require(result.stdout == "" and result.stderr == "", f"unexpected words: {result.stdout}{result.stderr}")
        return self.rows()

    def rows(self):
        titles, *rows = self.read("out.table").splitlines()
        require(titles == "[Code|Properties|Symbols]", titles)
        return [row.split("|") for row in rows]

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()


def check_usage(splitter):
    for arguments, words in (
            ([], "the input file is missing"),
            (["a.spv"], "the output is missing: add -o OUT.table"),
            (["a.spv", "-o", ""], "the output is missing: add -o OUT.table"),
            (["-o", "x.table", "--mode=some", "a.spv"],
             "--mode: \"some\" is none of per_kernel, per_source, auto and off"),
            (["-o", "x.table", "--numbering=roman", "a.spv"], "--numbering: \"roman\" is neither classic nor renumbered"),
            (["--modes"], "unknown option --modes")):
        result = splitter.run(*arguments)
        require(result.returncode == 2, f"exit code {result.returncode}")
        require(result.stderr == f"mez split: {words}\n{HINT}", result.stderr)


def check_failures(splitter):
    for arguments, words in (
            (["-o", "x.table", "absent.spv"], '"absent.spv" can\'t be read: No such file or directory'),
            (["-o", "x.table", "four.bin"], "four.bin: this is not SPIR-V"),
            (["-o", "nowhere/x.table", splitter.module], "nowhere/x_0.spv: No such file or directory"),
            (["-o", "x.table", "--fixed-targets=intel_gpu_tglp", splitter.module],
             "there is no target \"intel_gpu_tglp\"; did you mean \"intel_gpu_tgllp\"?"),
            (["-o", "x.table", "--fixed-targets=spir64", splitter.module], "\"spir64\" can't be a fixed target")):
        result = splitter.run(*arguments)
        require(result.returncode == 1 and words in result.stderr, f"{arguments}: {result.stderr}")
        require(not os.path.exists(os.path.join(splitter.folder, "x.table")), "a table was written")


def check_inputs_stay(splitter):
    """Neither the table nor an image takes the place of what it is made from."""
    with open(splitter.module, "rb") as file:
        code = file.read()
    for name, output in (("in.spv", "in.spv"), ("in.spv", "./in.spv"), ("in_1.spv", "in.table"), ("in_1.spv", "in")):
        path = os.path.join(splitter.folder, name)
        with open(path, "wb") as file:
            file.write(code)
        result = splitter.run("-o", output, name)
        require(result.returncode == 1 and f" would overwrite the input {name}: use another file" in result.stderr,
                f"{output}: {result.stderr}")
        with open(path, "rb") as file:
            require(file.read() == code, f"{name} was overwritten")
        os.remove(path)


def check_modes(splitter):
    for arguments, expected in ((["--mode=per_kernel"], [[kernel] for kernel in KERNELS]),
                                ([], [[kernel] for kernel in KERNELS]),
                                (["--mode", ""], [[kernel] for kernel in KERNELS]),
                                (["--mode=off"], [[k for k in KERNELS if k != "k4"], ["k4"]]),
                                (["--mode=per_source"], [[k for k in KERNELS if k != "k4"], ["k4"]])):
        rows = splitter.split(*arguments)
        require([splitter.read(row[2]).split() for row in rows] == expected, f"{arguments}: {rows}")


def check_properties(splitter):
    rows = splitter.split("--mode=off")
    require(splitter.read(rows[1][1]) ==
            "[SYCL/device requirements]\naspects=2|gAAAAAAAAAgBAAAA\n[SYCL/kernel names]\nk4=1|1\n",
            splitter.read(rows[1][1]))
    rows = splitter.split("--mode=off", "--doc-names")
    require("\naspect=2|gAAAAAAAAAgBAAAA\n" in splitter.read(rows[1][1]), splitter.read(rows[1][1]))


def check_fixed_targets(splitter):
    result = splitter.run("--mode=off", "--fixed-targets=intel_gpu_tgllp", splitter.module, "-o", "out.table")
    require(result.returncode == 0, result.stderr)
    require("warning: function 'k4' uses aspect 'fp64'" in result.stderr and "intel_gpu_tgllp" in result.stderr,
            result.stderr)
    rows = splitter.rows()
    require(len(rows) == 1, f"{rows}")
    require("fixed_target=2|gAAAAAAAAAAAAAwA\n" in splitter.read(rows[0][1]), splitter.read(rows[0][1]))
    # The list holds for what stands behind it.
    result = splitter.run("--mode=off", splitter.module, "--fixed-targets=intel_gpu_tgllp", "-o", "out.table")
    require(result.returncode == 0 and result.stderr == "" and len(splitter.rows()) == 2, result.stderr)


def check_code(splitter, validator, ocloc):
    for kernel, row in zip(KERNELS, splitter.split("--mode=per_kernel")):
        code = os.path.join(splitter.folder, row[0])
        judge = subprocess.run([validator, "--target-env", "spv1.6", code], capture_output=True, text=True, check=False)
        require(judge.returncode == 0, f"{kernel}: {judge.stdout}{judge.stderr}")
        if ocloc:
            build = subprocess.run([ocloc, "compile", "-spirv_input", "-device", "tgllp", "-file", code, "-out_dir",
                                    splitter.folder, "-output", "built"], capture_output=True, text=True, check=False)
            require((build.returncode == 0) == (kernel != "k4"), f"{kernel}: {build.stdout}")


def main():
    mez, module, validator, *ocloc = sys.argv[1:]
    checks = [check_usage, check_failures, check_inputs_stay, check_modes, check_properties, check_fixed_targets]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "four.bin"), "wb") as file:
            file.write(b"\0\1\2\3")
        splitter = Splitter(os.path.abspath(mez), os.path.abspath(module), folder)
        for check in checks + [lambda s: check_code(s, validator, ocloc[0] if ocloc else None)]:
            try:
                check(splitter)
            except Failure as failure:
                print(f"{check.__name__}: {failure}")
                failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
