#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs `mez build` with programs that are written here, and with Intel's compiler.

build_cases.py MEZ [OCLOC]

Without ocloc the cases that need it are skipped.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import run_cases
import spirv_writer

USAGE = run_cases.usage_error

# Called as ocloc is: compile -spirv_input -file CODE -out_dir FOLDER -output NAME -output_no_suffix OPTIONS.
PROGRAMS = {
    "compiles": "echo \"$@\" >> calls.txt\necho compiled\nprintf 'CTNI%s' \"${10}$(cksum < \"$4\")\" > \"$6/$8\"",
    "adds_suffix": "printf 'CTNI%s' \"${10}$(cksum < \"$4\")\" > \"$6/$8.bin\"",
    "adds_device": "printf 'CTNI%s' \"${10}$(cksum < \"$4\")\" > \"$6/$8_large.bin\"",
    "writes_nothing": "echo done",
    "refuses": "echo 'error: the moon is full' >&2\nexit 5",
    "crashes": "kill -SEGV $$",
    "hangs": "touch hanging\nsleep 600",
}

CONFIG = """small:
  aspects: [gpu]
  sub-group-sizes: [16]
  aot-toolchain: {folder}/compiles
  aot-toolchain-options: -device small -options "-a -b"
large:
  aspects: [gpu, fp64]
  sub-group-sizes: [8, 16]
  aot-toolchain: {folder}/compiles
  aot-toolchain-options: -device large
newer:
  aspects: [gpu, fp64]
  aot-toolchain: {folder}/adds_suffix
newest:
  aspects: [gpu, fp64]
  aot-toolchain: {folder}/adds_device
silent:
  aspects: [gpu, fp64]
  aot-toolchain: {folder}/writes_nothing
ptx64:
  aliases: [nvptx64]
amd_gpu_gfx90a:
  aspects: [gpu, fp64]
nvidia_gpu_sm_80:
  aspects: [gpu, fp64]
  aot-toolchain: {folder}/compiles
cpu_only:
  aspects: [cpu, fp64]
any:
  may_support_other_aspects: true
refusing:
  aspects: [gpu, fp64]
  aot-toolchain: {folder}/refuses
crashing:
  aspects: [gpu, fp64]
  aot-toolchain: {folder}/crashes
hanging:
  aspects: [gpu, fp64]
  aot-toolchain: {folder}/hangs
absent:
  aspects: [gpu, fp64]
  aot-toolchain: mez-no-such-compiler
"""

BUILD = ["build", "--device-config-file=devices.yaml", "--mode=per_kernel"]

# As in run_cases: name, arguments, exit code, stdout, stderr.
CASES = [
    ("help", ["build", "--help"], 0, re.compile(r"^usage: mez build --targets="), ""),
    ("no file", ["build"], 2, "", USAGE("build", "the input file is missing")),
    ("no target", ["build", "a.spv", "-o", "a.table"], 2, "",
     USAGE("build", "the targets are missing; add for example --targets=spir64,intel_gpu_tgllp")),
    ("a list without a target", ["build", "a.spv", "-o", "a.table", "--targets=,"], 2, "",
     USAGE("build", "the targets are missing; add for example --targets=spir64,intel_gpu_tgllp")),
    ("no output", ["build", "a.spv", "--targets=any"], 2, "",
     USAGE("build", "the output is missing: add -o OUT.table or -o OUT.syclbin")),
    ("no form", ["build", "a.spv", "--targets=any", "-o", "a.out"], 2, "",
     USAGE("build", "\"a.out\" ends in neither .table nor .syclbin: choose the format with --format")),
    ("no such form", ["build", "--format=elf"], 2, "", USAGE("build", "--format: \"elf\" is neither table nor syclbin")),
    ("no jobs", ["build", "--jobs=0"], 2, "", USAGE("build", "--jobs: \"0\" is not a number from 1 to 10000")),
    ("no such target", [*BUILD, "two.spv", "--targets=any,smal", "-o", "out.table"], 1, "",
     re.compile(r"there is no target \"smal\"")),
    ("an output that is the input", [*BUILD, "two.spv", "--targets=any", "-o", "./two.spv", "--format=syclbin"], 1, "",
     re.compile(r"^mezzanine: \./two\.spv would overwrite the input two\.spv: use another file for the output\n")),
    ("no such file", [*BUILD, "absent.spv", "--targets=any", "-o", "out.table"], 1, "",
     re.compile(r"\"absent\.spv\" can't be read: No such file")),
    ("a program that refuses", [*BUILD, "two.spv", "--targets=refusing", "-o", "out.table", "--jobs=1"], 1, "",
     re.compile(r"^mezzanine: out_0 can't be built for refusing\n *MEZ_ERRC_COMPILE_PROGRAM: .*\n"
                r" *because: \S*/refuses failed: exit status 5\n(.*\n)* *it says: error: the moon is full\n"
                r" *kernels: single\n$")),
    ("a program that crashes", [*BUILD, "two.spv", "--targets=crashing", "-o", "out.table"], 1, "",
     re.compile(r"/crashes was ended by signal 11 \(Segmentation fault\)\n")),
    ("a program that is not there", [*BUILD, "two.spv", "--targets=absent", "-o", "out.table"], 1, "",
     re.compile(r"mez-no-such-compiler can't be run: No such file or directory\n(.*\n)* *advice: install it .*"
                r"aot-toolchain of absent in a device configuration file\n")),
    ("a program that writes nothing", [*BUILD, "two.spv", "--targets=silent", "-o", "out.table", "--jobs=1"], 1, "",
     re.compile(r"/writes_nothing exited with success, but did not write 0_0\.bin\n")),
    ("a target of other code", [*BUILD, "two.spv", "--targets=any,nvptx64", "-o", "out.table"], 1, "",
     re.compile(r"^mezzanine: nothing can be built for ptx64: its devices do not accept SPIR-V, (.*\n)*"
                r" *advice: leave it out, or name a program as aot-toolchain of ptx64 in a device configuration file\n$")),
    ("another one", [*BUILD, "two.spv", "--targets=amd_gpu_gfx90a", "-o", "out.syclbin"], 1, "",
     re.compile(r"nothing can be built for amd_gpu_gfx90a: ")),
    ("that of the built-in table", ["build", "two.spv", "--targets=ptx64", "-o", "out.table"], 1, "",
     re.compile(r"nothing can be built for ptx64: ")),
    ("options that end within a word", [*BUILD, "two.spv", "--targets=small", "--aot-options='a", "-o", "out.table"],
     1, "", re.compile(r"the options end inside a quoted word: 'a\n")),
    ("an output that can't be written", [*BUILD, "two.spv", "--targets=small", "-o", "no/where.table"], 1, "",
     re.compile(r"no/where_.*: No such file or directory\n")),
]


def run(mez, folder, words, **more):
    result = subprocess.run([mez, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                            timeout=300, check=False, **more)
    return result


def read(folder, name, binary=False):
    with open(os.path.join(folder, name), "rb" if binary else "r", **({} if binary else {"encoding": "ascii"})) as file:
        return file.read()


def outputs(folder):
    return sorted(name for name in os.listdir(folder) if name.startswith("out"))


def clear(folder):
    for name in [*outputs(folder), "calls.txt", "hanging"]:
        if os.path.exists(os.path.join(folder, name)):
            os.remove(os.path.join(folder, name))


def require(good, *what):
    if not good:
        raise AssertionError(" ".join(map(str, what)))


def a_table_of_several_targets(mez, folder):
    result = run(mez, folder, [*BUILD, "two.spv", "--targets=any,small,large,cpu_only,small", "-o", "out.table",
                               "--jobs=1", "--verbose", "--aot-options=-more 'c d'"])
    require(result.returncode == 0, result.stderr)
    require(result.stdout == "out.table: 2 images: 2 for any, 1 for small, 2 for large, 2 for cpu_only\n", result.stdout)
    require("mez build: out_1 (double) is left out for small, because it needs aspect fp64\n" in result.stderr, result.stderr)
    require("1/3 out_0 for small\n2/3 out_0 for large\n3/3 out_1 for large\n" in result.stderr, result.stderr)
    require("\ncompiled\n" in result.stderr, result.stderr)
    require(read(folder, "out.table") ==
            "[Code|Properties|Symbols]\n"
            "out_0.spv|out_0.prop|out_0.sym\n"
            "out_small_0.bin|out_small_0.prop|out_small_0.sym\n"
            "out_large_0.bin|out_large_0.prop|out_large_0.sym\n"
            "out_1.spv|out_1.prop|out_1.sym\n"
            "out_large_1.bin|out_large_1.prop|out_large_1.sym\n", read(folder, "out.table"))
    require(len(outputs(folder)) == 16, outputs(folder))
    require(read(folder, "out_large_1.sym") == "double\n")
    require("compile_target=2|" in read(folder, "out_large_1.prop"))
    require("compile_target" not in read(folder, "out_1.prop"))
    calls = read(folder, "calls.txt").splitlines()
    require(calls[0].endswith("-output_no_suffix -device small -options -a -b -more c d"), calls)
    require(len(calls) == 3, calls)


# As ocloc does since 24.x, whatever suffixes it is asked for; eleven images, whose names begin with each other's.
def programs_that_add_a_suffix(mez, folder):
    for target in "newer", "newest", "nvidia_gpu_sm_80":
        clear(folder)
        result = run(mez, folder, [*BUILD, "many.spv", f"--targets={target}", "-o", "out.table"])
        require((result.returncode, result.stdout) == (0, f"out.table: 12 images: 12 for {target}\n"), result)
        binaries = [read(folder, name, True) for name in outputs(folder) if name.endswith(".bin")]
        require(len(set(binaries)) == 12, len(set(binaries)))


def check_reads_it_back(mez, folder):
    for output in "out.table", "out.syclbin":
        result = run(mez, folder, [*BUILD, "two.spv", "--targets=any,small,large", "-o", output])
        require(result.returncode == 0, result.stderr)
        result = run(mez, folder, ["check", output, "--device-config-file=devices.yaml", "--target=large"])
        require(result.returncode == 0 and "large can run 5 of 5 kernels, 1 of them perhaps\n" in result.stdout, result.stdout, result.stderr)
        result = run(mez, folder, ["check", output, "--device-config-file=devices.yaml", "--target=small"])
        require(result.returncode == 1 and "small can run 3 of 5 kernels, 1 of them perhaps\n" in result.stdout, result.stdout)
    data = read(folder, "out.syclbin", True)
    require(data.count(b"CTNI") == 3 and data.count(b"\x03\x02\x23\x07") == 2)
    require(data.count(b"[SYCL/device requirements]") == 2)  # one for each abstract module


def nothing_left_is_success(mez, folder):
    result = run(mez, folder, [*BUILD, "double.spv", "--targets=small", "-o", "out.table"])
    require((result.returncode, result.stdout) == (0, "out.table: 1 image: 0 for small\n"), result)
    require(read(folder, "out.table") == "[Code|Properties|Symbols]\n" and outputs(folder) == ["out.table"])
    require(not os.path.exists(os.path.join(folder, "calls.txt")))
    result = run(mez, folder, [*BUILD, "double.spv", "--targets=small", "-o", "out.syclbin"])
    require(result.returncode == 0, result.stderr)


# Fixed targets are written as ip versions, which these names have from the built-in table.
def fixed_targets_are_cut(mez, folder):
    with open(os.path.join(folder, "built-in.yaml"), "w", encoding="ascii") as file:
        for name, aspects in ("intel_gpu_tgllp", "gpu"), ("intel_gpu_pvc", "gpu, fp64"), ("intel_gpu_skl", "gpu, fp64"):
            file.write(f"{name}:\n  aspects: [{aspects}]\n  aot-toolchain: {folder}/compiles\n"
                       f"  aot-toolchain-options: -device {name}\n")
    result = run(mez, folder, ["build", "--device-config-file=built-in.yaml", "--targets=tgllp,skl", "-o", "out.table",
                               "--fixed-targets=pvc,tgllp", "double.spv"])
    require(result.returncode == 0, result.stderr)
    require(result.stdout == "out.table: 1 image: 1 for intel_gpu_tgllp, 0 for intel_gpu_skl\n", result.stdout)
    require("uses aspect 'fp64' not supported by fixed target 'intel_gpu_tgllp'" in result.stderr, result.stderr)
    require("fixed_target=2|" in read(folder, "out_intel_gpu_tgllp_0.prop"))


def a_failure_leaves_the_older_output(mez, folder):
    require(run(mez, folder, [*BUILD, "two.spv", "--targets=small", "-o", "out.table"]).returncode == 0)
    before = {name: read(folder, name, True) for name in outputs(folder)}
    require(run(mez, folder, [*BUILD, "two.spv", "--targets=small,refusing", "-o", "out.table"]).returncode == 1)
    require({name: read(folder, name, True) for name in outputs(folder)} == before, outputs(folder))


def a_signal_leaves_no_files(mez, folder):
    for number in signal.SIGINT, signal.SIGTERM:
        clear(folder)
        with tempfile.TemporaryDirectory() as scratch, subprocess.Popen(
                [mez, *BUILD, "two.spv", "--targets=hanging", "-o", "out.table"], cwd=folder,
                env={**os.environ, "TMPDIR": scratch}, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            while not os.path.exists(os.path.join(folder, "hanging")):
                time.sleep(0.01)
            require(len(os.listdir(scratch)) == 1)
            process.send_signal(number)
            _, err = process.communicate(timeout=60)
            require(process.returncode == -number, process.returncode, err)
            require(os.listdir(scratch) == [] and outputs(folder) == [], os.listdir(scratch), outputs(folder))


def intels_compiler_builds_what_is_left(mez, folder):
    result = run(mez, folder, ["build", "two.spv", "--targets=spir64,intel_gpu_tgllp,pvc", "--mode=per_kernel", "-o",
                               "out.table"])
    require(result.returncode == 0, result.stderr)
    require(result.stdout == "out.table: 2 images: 2 for spir64, 1 for intel_gpu_tgllp, 2 for intel_gpu_pvc\n",
            result.stdout)
    require(read(folder, "out_intel_gpu_pvc_1.bin", True)[:4] == b"\x7fELF")


# With a promise that does not hold nothing is filtered.
def intels_compiler_says_what_it_refuses(mez, folder):
    result = run(mez, folder, ["build", "--fixed-targets=tgllp", "double.spv", "--targets=tgllp", "-o", "out.table",
                               "--aot-options=-no-such-option"])
    require(result.returncode == 1 and re.search(r"it says: .*-no-such-option", result.stderr), result.stderr)
    require(outputs(folder) == [])


WITH_PROGRAMS = [a_table_of_several_targets, programs_that_add_a_suffix, check_reads_it_back, nothing_left_is_success, fixed_targets_are_cut,
                 a_failure_leaves_the_older_output, a_signal_leaves_no_files]
WITH_OCLOC = [intels_compiler_builds_what_is_left, intels_compiler_says_what_it_refuses]


def report(name, why):
    print("not ok" if why else "ok", "-", name)
    print(why, end="\n" if why else "")
    return bool(why)


def write_files(folder):
    files = {
        "two.spv": spirv_writer.module([("single", False), ("double", True)]),
        "many.spv": spirv_writer.module([(f"kernel_{number}", False) for number in range(12)]),
        "double.spv": spirv_writer.module([("double", True)]),
        "devices.yaml": CONFIG.format(folder=folder).encode(),
    }
    for name, content in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
    for name, script in PROGRAMS.items():
        path = os.path.join(folder, name)
        with open(path, "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\n{script}\n")
        os.chmod(path, 0o755)


def try_it(test, mez, folder):
    clear(folder)
    try:
        test(mez, folder)
    except AssertionError as error:
        return str(error) or "it does not hold"
    return ""


def main():
    mez = os.path.abspath(sys.argv[1])
    have_ocloc = bool(sys.argv[2:] and sys.argv[2])
    os.environ.pop("MEZ_DEVICE_CONFIG", None)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder)
        for case in CASES:
            failed += report(case[0], "".join(run_cases.differences(case, run(mez, folder, case[1]))))
            failed += bool(outputs(folder)) and report("nothing stays", str(outputs(folder)))
        for test in WITH_PROGRAMS + (WITH_OCLOC if have_ocloc else []):
            failed += report(test.__name__.replace("_", " "), try_it(test, mez, folder))
    if not have_ocloc:
        print("skipped: there is no ocloc:", ", ".join(test.__name__ for test in WITH_OCLOC))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
