#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the kernels of families.py and generated.py with `mez compile`, which asks spirv-val of each; and runs them, compiled
without and with optimisation, which must write the same.

corpus_cases.py MEZ compile PART PARTS       ten kernels in a file, at -O0 and -O2
corpus_cases.py MEZ compile-all PART PARTS   each by itself, at -O0 to -O3 and with -g, by each version of LLVM that is installed
corpus_cases.py MEZ run PART PARTS           every eighth of those that run, on the device that the environment chooses
corpus_cases.py MEZ run-all PART PARTS       all of them

PART of PARTS, counted from 0, is done.
"""

import os
import shutil
import subprocess
import sys
import tempfile

import families
import generated

ALL_LEVELS = (["-O0"], ["-O1"], ["-O2"], ["-O3"], ["-O2", "-g"])
GROUP = 10


def kernels():
    return families.kernels() + generated.kernels()


def call(mez, *words):
    return subprocess.run([mez, *words], capture_output=True, text=True, timeout=300, check=False)


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def compile_to(mez, source, output, options, compiler=()):
    """What was wrong, or nothing."""
    result = call(mez, "compile", source, "-o", output, "-w", *options, *compiler)
    return "" if result.returncode == 0 else f"{' '.join(options)}: exit code {result.returncode}\n{result.stderr}"


def report(name, wrong):
    print(f"not ok - {name}\n{wrong}" if wrong else f"ok - {name}", flush=True)
    return bool(wrong)


# --- Compiling


def grouped():
    """Kernels with the same options share files."""
    by_options = {}
    for kernel in kernels():
        by_options.setdefault(kernel.options, []).append(kernel)
    for options, members in by_options.items():
        for first in range(0, len(members), GROUP):
            yield options, members[first:first + GROUP]


def compile_groups(mez, folder, part, parts):
    failed = 0
    for index, (options, members) in enumerate(grouped()):
        if index % parts != part:
            continue
        source = write(folder, "group.cl", separate(members))
        wrong = "".join(compile_to(mez, source, os.path.join(folder, "group.spv"), [level, *options]) for level in ("-O0", "-O2"))
        failed += report(", ".join(kernel.name for kernel in members), wrong)
    return failed


def separate(members):
    """Texts after each other: what one declares besides its kernel is renamed, as all call their helpers alike."""
    return "\n".join(f"#define helper helper_{kernel.name}\n#define table table_{kernel.name}\n{kernel.text}#undef helper\n#undef table"
                     for kernel in members)


def compilers():
    """What `mez compile` is asked to take: each version whose both programs are there, else what it finds."""
    found = [(f"--clang=clang-{version}", f"--llvm-spirv=llvm-spirv-{version}") for version in range(15, 30)
             if shutil.which(f"clang-{version}") and shutil.which(f"llvm-spirv-{version}")]
    return found or [()]


def compile_each(mez, folder, part, parts):
    failed = 0
    for kernel in kernels()[part::parts]:
        source = write(folder, kernel.name + ".cl", kernel.text)
        output = os.path.join(folder, "each.spv")
        wrong = "".join(compile_to(mez, source, output, [*level, *kernel.options], compiler)
                        for compiler in compilers() for level in ALL_LEVELS)
        failed += report(kernel.name, wrong)
    return failed


# --- Running


def written(mez, image, kernel):
    """What the kernel has written, as mez prints it, or why it has not."""
    result = call(mez, "run", image, kernel.name, "--global", "64", "--local", "16", "out:int:256", "buf:int:256=random:7", "i32:64",
                  "--all")
    return result.stdout if result.returncode == 0 else f"exit code {result.returncode}\n{result.stderr}"


def run_one(mez, folder, kernel):
    source, results = write(folder, kernel.name + ".cl", kernel.text), []
    for level in "-O0", "-O2":
        image = os.path.join(folder, f"{kernel.name}{level}.spv")
        wrong = compile_to(mez, source, image, [level, *kernel.options])
        if wrong:
            return wrong
        results.append(written(mez, image, kernel))
    if results[0] == results[1] and not results[0].startswith("exit code"):
        return ""
    return f"-O0:\n{results[0]}\n-O2:\n{results[1]}\n"


def run_some(mez, folder, part, parts, step):
    able = [kernel for kernel in kernels() if kernel.runs][::step]
    return sum(report(kernel.name, run_one(mez, folder, kernel)) for kernel in able[part::parts])


def main():
    mez, what, part, parts = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = folder
        if what.startswith("run"):
            return 1 if run_some(mez, folder, part, parts, 8 if what == "run" else 1) else 0
        work = compile_groups if what == "compile" else compile_each
        return 1 if work(mez, folder, part, parts) else 0


if __name__ == "__main__":
    sys.exit(main())
