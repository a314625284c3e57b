#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs `mez compile` on sources that are written here, by this machine's compiler and by programs that are none.

compile_cases.py MEZ CC [RUN]

CC is a compiler of C, for headers and objects. With RUN, what was compiled is run as well, on the device that the environment
chooses.
"""

import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

import run_cases

USAGE = run_cases.usage_error

# What llvm-spirv has no words for when clang optimises it.
HEAT = """kernel void heat(global const float *from, global float *to, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x == 0 || y == 0 || x == w - 1 || y == h - 1)
        return;
    to[y * w + x] = 0.25f * (from[y * w + x - 1] + from[y * w + x + 1] + from[(y - 1) * w + x] + from[(y + 1) * w + x]);
}
"""
SOURCES = {
    "heat.cl": HEAT,
    "with blank.cl": HEAT,
    "noname": HEAT,
    "wrong.cl": "kernel void wrong(global int *p)\n{\n    *p = missing;\n}\n",
    "warns.cl": "#warning mind the gap\nkernel void warns(global int *p) { *p = 1; }\n",
    "double.cl": "kernel void plain(global int *p) { *p += 1; }\nkernel void scale(global double *p) { *p *= 2; }\n",
    "constant.cl": "kernel void constant_(global float *p) { double d = 1.5; *p = (float)d; }\n",
    "defined.cl": "kernel void defined(global int *p) { *p = VALUE; }\n",
    "includes.cl": "#include \"part one.h\"\n#include <two.h>\nkernel void includes(global int *p) { *p = ONE + TWO; }\n",
    "part one.h": "#define ONE 1\n",
    "folder/two.h": "#define TWO 2\n",
    "asserts.cl": "#include <mezzanine/assert.h>\nkernel void asserts(global int *p) { assert(*p == 3); }\n",
    "old.spv": "as it was",
}

# Beside another llvm-spirv: without a version in its name it would go with a program that is called clang, which need not be there.
WITH_CLANG = [f"--clang={os.environ['MEZ_CLANG']}"] if "MEZ_CLANG" in os.environ else []

PROGRAMS = {
    "hangs": "touch \"$(dirname \"$0\")/hanging\"\nsleep 600",
    "crashes": "kill -SEGV $$",
    "writes-nothing": "exit 0",
}

# As in run_cases: name, arguments, exit code, stdout, stderr.
CASES = [
    ("help", ["compile", "--help"], 0, re.compile(r"^usage: mez compile INPUT\.cl"), ""),
    ("no file", ["compile"], 2, "", USAGE("compile", "the input file is missing")),
    ("two files", ["compile", "a.cl", "b.cl"], 2, "", USAGE("compile", "unexpected second file \"b.cl\"")),
    ("an output of no form", ["compile", "heat.cl", "-o", "heat"], 2, "", USAGE("compile",
     "\"heat\" does not end in .spv, .bc, .h, .o, .table or .syclbin: choose the format with --format")),
    ("no such form", ["compile", "--format=elf"], 2, "", USAGE("compile",
     "--format: \"elf\" is none of spv, bc, h, o, table and syclbin")),
    ("no output", ["compile", "-"], 2, "", USAGE("compile", "the output is missing: add -o OUTPUT.spv, or -o -")),
    ("unknown option", ["compile", "heat.cl", "--fast"], 2, "", USAGE("compile", "unknown option --fast")),
    ("an option for something else", ["compile", "heat.cl", "-c"], 2, "", USAGE("compile",
     "-c can't be used here: the compiler's options don't choose input, target and output; `-o OUTPUT.spv|.bc|.h|.o`, `--target` and `--depfile` do")),
    ("an output without a blank", ["compile", "heat.cl", "-oh2.spv"], 2, "", re.compile(r"^mez compile: -oh2\.spv can't be used here: ")),
    ("an option for something else behind another", ["compile", "heat.cl", "-Xclang", "-fsyntax-only"], 2, "",
     re.compile(r"^mez compile: -Xclang -fsyntax-only can't be used here: ")),
    ("an option for something else in parts", ["compile", "heat.cl", "-Wp,-MD,h2.d"], 2, "",
     re.compile(r"^mez compile: -Wp,-MD,h2\.d can't be used here: ")),
    ("an option without its value", ["compile", "heat.cl", "-I"], 2, "",
     USAGE("compile", "the option -I has no value")),
    ("a table for nobody", ["compile", "heat.cl", "-o", "heat.table"], 2, "", USAGE("compile",
     "a target is missing; add for example --target=intel_gpu_tgllp")),
    ("a table of targets for nobody", ["compile", "heat.cl", "--device-config-file=nope"], 2, "", USAGE("compile",
     "--device-config-file describes targets, but --target is missing")),
    ("a stream without an output", ["compile", "/dev/stdin"], 2, "", USAGE("compile", "the output is missing: add -o OUTPUT.spv, or -o -")),
    ("no such file", ["compile", "absent.cl"], 1, "", re.compile(r"absent\.cl: No such file or directory")),
    ("no such target", ["compile", "heat.cl", "--target=moon"], 1, "", re.compile(
        r"there is no target \"moon\"(.*\n)*.*targets\.yaml")),
    ("no such program", ["compile", "heat.cl", "--clang=/no/where"], 1, "", re.compile(r"/no/where is not a program")),
    ("no compiler", ["PATH=/no/where", "MEZ_CLANG=clang-15", "compile", "heat.cl"], 1, "",
     re.compile(r"MEZ_CLANG: clang-15 is not a program in PATH")),
    ("messages as they are", ["compile", "wrong.cl"], 1, "",
     re.compile(r"^wrong\.cl:3:10: error: use of undeclared identifier 'missing'\n(.*\n)*mez compile: wrong\.cl does not compile: \S*clang\S* failed: exit status 1\n$")),
    ("an option that clang has not", ["compile", "heat.cl", "-fno-moon"], 1, "", re.compile("-fno-moon")),
    ("warnings that are errors", ["compile", "warns.cl", "-Werror"], 1, "", re.compile("error: mind the gap")),
    ("a name that is none", ["compile", "heat.cl", "-o", "x.h", "--name=1+1"], 1, "", re.compile("\"1\\+1\" is not a valid identifier in C")),
    ("a name that C has", ["compile", "heat.cl", "-o", "x.h", "--name=int"], 1, "", re.compile("\"int\" is a keyword of C")),
    ("a name that C++ has", ["compile", "heat.cl", "-o", "x.o", "--name=class"], 1, "", re.compile("\"class\" is a keyword of C")),
    ("a list that make would misread", ["compile", "heat.cl", "-o", "a%b.spv", "--depfile=a.d"], 1, "",
     re.compile(r"can't begin with the output a%b\.spv")),
    ("a name that is too long", ["compile", "heat.cl", "-o", "x.h", "--name=" + "n" * 256], 1, "", re.compile("has 256 characters, but at most 255 are")),
    *((f"a name that is taken: {name}", ["compile", "heat.cl", "-o", "x.o", f"--name={name}"], 1, "", re.compile(f"\"{name}\" is "))
      for name in ("uint8_t", "int_fast32_t", "intptr_t", "SIZE_MAX", "UINT64_C", "__FILE__", "_Bit", "linux", "unix", "main", "errno")),
    ("what a target lacks", ["compile", "double.cl", "-o", "x.spv", "--target=tgllp"], 1, "", re.compile(
        r"scale +aspect fp64 +no\n(.*\n)* +for Op\w+ in function \"scale\" \(\S*double\.cl:2:\d+\)\n(.*\n)*mez compile: x\.spv was not written, because a target can't run all kernels\n$")),
    ("an output that can't be", ["compile", "heat.cl", "-o", "no/where.spv"], 1, "", re.compile(r"no/where\.spv")),
]


class Wrong(Exception):
    pass


def require(condition, message):
    if not condition:
        raise Wrong(message)


def run(mez, folder, words, **more):
    """A completed process. Words that hold a '=' before the command set variables."""
    environment = dict(os.environ, TMPDIR=os.path.join(folder, "scratch"))
    words = list(words)
    while words and re.match(r"[A-Z_]+=", words[0]):
        name, value = words.pop(0).split("=", 1)
        environment[name] = value
    if "input" not in more:
        more.setdefault("stdin", subprocess.DEVNULL)
    more.setdefault("stdout", subprocess.PIPE)
    return subprocess.run([mez, *words], cwd=folder, env=environment, text=more.pop("text", True), stderr=subprocess.PIPE,
                          timeout=120, check=False, **more)


def good(mez, folder, *words, **more):
    result = run(mez, folder, ["compile", *words], **more)
    require(result.returncode == 0, f"exit code {result.returncode}\n{result.stderr}")
    return result


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def read(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def is_spirv(code):
    return len(code) > 20 and len(code) % 4 == 0 and code[:4] == b"\x03\x02\x23\x07"


def an_output_stands_beside_the_input(mez, folder):
    result = good(mez, folder, "heat.cl")
    require(is_spirv(read(folder, "heat.spv")), "no SPIR-V")
    require(result.stdout == "heat.spv: 1 kernel\n" and not result.stderr, result.stdout + result.stderr)
    good(mez, folder, "with blank.cl")
    require(is_spirv(read(folder, "with blank.spv")), "no SPIR-V")
    good(mez, folder, "noname")
    require(is_spirv(read(folder, "noname.spv")), "no SPIR-V")


def every_level_compiles(mez, folder):
    for level in "-O0", "-O1", "-O2", "-O3", "-Os", "-g":
        good(mez, folder, "heat.cl", level, "-o", "level.spv")
        require(is_spirv(read(folder, "level.spv")), level)


def what_kernels_require_is_said(mez, folder):
    result = good(mez, folder, "double.cl", "--target=pvc")
    require(result.stdout == "double.spv: 2 kernels\n    scale requires aspect fp64\n", result.stdout)
    require(good(mez, folder, "double.cl", "--quiet").stdout == "", "not quiet")


def options_reach_the_compiler(mez, folder):
    good(mez, folder, "-DVALUE=3", "defined.cl")
    good(mez, folder, "-D", "VALUE=3", "defined.cl", "-cl-std=CL3.0", "-cl-fast-relaxed-math")
    good(mez, folder, "includes.cl", "-I", "folder")
    steps = good(mez, folder, "defined.cl", "-DVALUE=4", "--verbose").stderr
    require("-DVALUE=4" in steps and "llvm-spirv" in steps, steps)


def standard_streams_are_taken(mez, folder):
    result = good(mez, folder, "-", "-o", "-", input=HEAT.encode(), text=False)
    require(is_spirv(result.stdout), "no SPIR-V")
    result = run(mez, folder, ["compile", "-", "-o", "-"], input="kernel void a() { b(); }\n")
    require("<stdin>:1:19: error: " in result.stderr and not result.stdout, result.stderr)
    good(mez, folder, "/dev/stdin", "-o", "x.h", "--name=k", input=HEAT)
    for path in "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0":
        result = run(mez, folder, ["compile", path, "-o", "-"], input=HEAT.encode(), text=False)
        require(is_spirv(result.stdout) and b": 1 kernel\n" in result.stderr, f"{path}: {result.stderr}")
        with open(os.path.join(folder, "heat.cl"), "rb") as file:
            result = run(mez, folder, ["compile", path, "-o", "-"], stdin=file, text=False)
        require(is_spirv(result.stdout) and b": 1 kernel\n" in result.stderr, f"{path} of a file: {result.stderr}")
        result = run(mez, folder, ["compile", path, "-o", "-"], input="garbage\n")
        require(result.returncode == 1 and path + ":1:1: error: " in result.stderr, f"{path}: {result.stderr}")


def a_pipe_is_read_once(mez, folder):
    """Every function is declared only at the second attempt."""
    read_end, write_end = os.pipe()
    os.write(write_end, b"kernel void k(global int *p) { p[0] = sub_group_broadcast(p[0], 0u); missing(); }\n")
    os.close(write_end)
    result = run(mez, folder, ["compile", f"/dev/fd/{read_end}", "-o", "piped.spv"], pass_fds=[read_end])
    os.close(read_end)
    require(result.returncode == 1 and "missing" in result.stderr, result.stdout + result.stderr)


def a_full_disk_is_reported_once(mez, folder):
    with open("/dev/full", "wb") as full:
        result = run(mez, folder, ["compile", "heat.cl", "-o", "-"], stdout=full)
    require(result.returncode == 1 and result.stderr.count("No space left") == 1, result.stderr)


def a_name_may_begin_as_an_option_does(mez, folder):
    write(folder, "-dash.cl", HEAT)
    good(mez, folder, "--", "-dash.cl")
    require(is_spirv(read(folder, "-dash.spv")), "no SPIR-V")


def files_that_were_read_are_listed(mez, folder):
    good(mez, folder, "includes.cl", "-Ifolder", "--depfile=includes.d", "-o", "a b.spv")
    rule = read(folder, "includes.d").decode()
    require(rule.startswith("a\\ b.spv: \\\n  includes.cl \\\n"), rule)
    require("part\\ one.h" in rule and "folder/two.h" in rule, rule)
    require("\nfolder/two.h:\n" in rule and "\nincludes.cl:\n" not in rule, rule)


def make_goes_on_without_a_header(mez, folder):
    if not shutil.which("make"):
        return
    write(folder, "Makefile", f"made.spv: made.cl; {mez} compile made.cl -o made.spv --depfile=made.d --quiet\n-include made.d\n")
    write(folder, "made one.h", "#define ONE 1\n")
    for text in "#include \"made one.h\"\n", "", "":
        write(folder, "made.cl", text + HEAT)
        require(bool(text) == os.path.exists(os.path.join(folder, "made one.h")), "a test that is wrong")
        result = subprocess.run(["make"], cwd=folder, text=True, capture_output=True, check=False,
                                env=dict(os.environ, TMPDIR=os.path.join(folder, "scratch")))
        require(result.returncode == 0, result.stdout + result.stderr)
        if text:
            os.remove(os.path.join(folder, "made one.h"))


def what_is_no_file_stays(mez, folder):
    pipe = os.path.join(folder, "pipe")
    os.mkfifo(pipe)
    for words in (["-o", "piped.spv", "--depfile=pipe"], ["-o", "pipe", "--format=spv"],
                  ["-o", "piped.table", "--target=spir64", "--depfile=pipe"], ["-o", "pipe", "--format=syclbin", "--target=spir64"]):
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        try:
            good(mez, folder, "heat.cl", "--quiet", *words, text=False)
            require(os.read(reader, 4), "nothing came through the pipe")
        finally:
            os.close(reader)
        require(stat.S_ISFIFO(os.lstat(pipe).st_mode), f"{words} replaces a pipe")
    result = run(mez, folder, ["compile", "heat.cl", "-o", "pipe", "--format=table", "--target=spir64"])
    require(result.returncode == 1 and "pipe is not a regular file" in result.stderr, result.stderr)
    require(stat.S_ISFIFO(os.lstat(pipe).st_mode), "a table replaces a pipe")
    require(not os.path.exists(os.path.join(folder, "pipe_0.spv")), "images lie beside a pipe")
    os.remove(pipe)


def nothing_is_written_over_what_is_read(mez, folder):
    write(folder, "kept.cl", "#include \"kept.h\"\n" + HEAT)
    write(folder, "kept.h", "\n")
    os.symlink("kept.cl", os.path.join(folder, "link.cl"))
    for words in (["-o", "kept.cl", "--format=spv"], ["-o", "./kept.cl", "--format=spv"], ["-o", "link.cl", "--format=spv"],
                  ["-o", "new.spv", "--depfile=kept.cl"], ["-o", "new.spv", "--depfile=new.spv"],
                  ["-o", "new.spv", "--depfile=folder/../new.spv"], ["-o", "new.table", "--target=spir64", "--depfile=new.table"],
                  ["--depfile=./kept.spv"], ["-o", "kept.h"], ["-o", "new.spv", "--depfile=kept.h"]):
        before = sorted(os.listdir(folder)), read(folder, "kept.cl"), read(folder, "kept.h")
        result = run(mez, folder, ["compile", "kept.cl", *words])
        require(result.returncode == 1 and "use another file" in result.stderr, f"{words}: {result.returncode} {result.stderr}")
        require(before == (sorted(os.listdir(folder)), read(folder, "kept.cl"), read(folder, "kept.h")), f"{words}: something changes")
    good(mez, folder, "kept.cl", "-o", "/dev/null", "--depfile=/dev/null")
    good(mez, folder, "kept.cl", "-o", "new.spv", "--depfile=new.d")
    good(mez, folder, "kept.cl", "-o", "new.spv", "--depfile=new.d")


def an_output_takes_the_place_of_a_link(mez, folder):
    write(folder, "target.spv", "as it was")
    os.symlink("target.spv", os.path.join(folder, "link.spv"))
    good(mez, folder, "heat.cl", "-o", "link.spv")
    require(not os.path.islink(os.path.join(folder, "link.spv")) and is_spirv(read(folder, "link.spv")), "no file takes its place")
    require(read(folder, "target.spv") == b"as it was", "the link was followed")


def bitcode_is_bitcode(mez, folder):
    good(mez, folder, "heat.cl", "-o", "heat.bc")
    require(read(folder, "heat.bc")[:2] == b"BC", "no bitcode")


PROGRAM = """#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
%s
int main(void)
{
    return fwrite(%s, 1, %s_size, stdout) != %s_size;
}
"""


def embedded(cc, folder, before, name, *files):
    with open(os.path.join(folder, "program.c"), "w", encoding="ascii") as file:
        file.write(PROGRAM % (before, name, name, name))
    subprocess.run([cc, "-Wall", "-Werror", "-o", "program", "program.c", *files], cwd=folder, check=True)
    return subprocess.run(["./program"], cwd=folder, check=True, capture_output=True).stdout


def headers_and_objects_hold_the_same(mez, folder):
    cc = os.environ["CC_FOR_CASES"].split()[-1]
    good(mez, folder, "heat.cl")
    good(mez, folder, "heat.cl", "-o", "my heat.h")
    good(mez, folder, "heat.cl", "-o", "heat.o", "--name", "kernels")
    spirv = read(folder, "heat.spv")
    twice = "#include \"my heat.h\"\n#include \"my heat.h\""
    require(embedded(cc, folder, twice, "my_heat_spv") == spirv, "the header holds something else")
    declared = "extern const uint32_t kernels[]; extern const size_t kernels_size;"
    require(embedded(cc, folder, declared, "kernels", "heat.o") == spirv, "the object holds something else")


def names_may_be_long(mez, folder):
    cc = os.environ["CC_FOR_CASES"].split()[-1]
    good(mez, folder, "heat.cl", "-o", "long.spv")
    for number, name in enumerate(("n" * 255, "int_", "heat_t", "MAIN")):
        good(mez, folder, "heat.cl", "-o", "long.h", f"--name={name}")
        good(mez, folder, "heat.cl", "-o", "long.o", f"--name={name}")
        declared = f"extern const uint32_t {name}[]; extern const size_t {name}_size;"
        for before, files in (f"#include \"long.h\"\n" * 2, []), (declared, ["long.o"]):
            require(embedded(cc, folder, before, name, *files) == read(folder, "long.spv"), f"name {number}: something else")
    output = "n" * 240
    good(mez, folder, "heat.cl", "-o", output + ".h")
    require(embedded(cc, folder, f"#include \"{output}.h\"", output + "_spv") == read(folder, "long.spv"), "something else")
    os.remove(os.path.join(folder, output + ".h"))


def a_source_of_any_length_is_mentioned(mez, folder):
    cc = os.environ["CC_FOR_CASES"].split()[-1]
    long = "./" * 1000 + "heat.cl"
    good(mez, folder, long, "-o", "mention.h")
    require(embedded(cc, folder, "#include \"mention.h\"", "mention_spv"), "nothing in it")
    require(long.encode() in read(folder, "mention.h"), "the source is cut")


def lines_are_not_in_the_output(mez, folder):
    """Though they are in what is said of it."""
    good(mez, folder, "double.cl", "-o", "plain.spv")
    good(mez, folder, "double.cl", "-o", "judged.spv", "--target=pvc")
    require(read(folder, "plain.spv") == read(folder, "judged.spv"), "--target changes the output")
    for path in "-", "/dev/stdin":
        result = run(mez, folder, ["compile", path, "-o", "x.spv", "--target=tgllp"], input=SOURCES["double.cl"])
        require(re.search(r"in function \"scale\" \(.*:2:\d+\)", result.stderr), result.stderr)


def an_output_stays_after_an_error(mez, folder):
    for words in (["wrong.cl", "-o", "old.spv"], ["double.cl", "-o", "old.spv", "--target=tgllp"],
                  ["heat.cl", "-o", "old.spv", "--depfile=no/where.d"]):
        result = run(mez, folder, ["compile", *words])
        require(result.returncode == 1, result.stderr)
        require(read(folder, "old.spv") == b"as it was", "the old output has gone")
    require(not [name for name in os.listdir(folder) if "old.spv" in name and name != "old.spv"], "something stays beside it")


def programs_that_fail_are_named(mez, folder):
    for name, words in ("crashes", "was ended by signal 11"), ("writes-nothing", "exited with success, but wrote nothing"):
        result = run(mez, folder, ["compile", "heat.cl", "-o", "x.spv", f"--llvm-spirv=./{name}", *WITH_CLANG])
        require(result.returncode == 1 and words in result.stderr, result.stderr)
        require(not os.path.exists(os.path.join(folder, "x.spv")), "there is an output")


def tables_and_containers_are_built(mez, folder):
    result = good(mez, folder, "double.cl", "-o", "double.table", "--target=spir64", "--depfile=double.d")
    require("scale requires aspect fp64" in result.stdout, result.stdout)
    require(os.path.exists(os.path.join(folder, "double_0.spv")), "no image")
    require(read(folder, "double.d").startswith(b"double.table:"), "no list of files")
    good(mez, folder, "double.cl", "-o", "double.syclbin", "--target=spir64")
    result = run(mez, folder, ["check", "double.syclbin", "--target=pvc"])
    require("plain" in result.stdout and "scale" in result.stdout, result.stdout + result.stderr)


def asserts_find_their_header(mez, folder):
    good(mez, folder, "asserts.cl")


# What lies where a build tree has its headers is somebody else's.
def what_is_installed_looks_into_no_build_tree(mez, folder):
    place = os.path.join(folder, "prefix", "some", "bin")
    headers = os.path.join(folder, "prefix", "devicelib", "mezzanine")
    for path in place, headers:
        os.makedirs(path)
    copy = shutil.copy(mez, place)
    with open(os.path.join(headers, "assert.h"), "w", encoding="ascii") as file:
        file.write("#error not ours\n")
    result = run(copy, folder, ["compile", "asserts.cl"])
    require(result.returncode == 1 and "not ours" not in result.stderr and "file not found" in result.stderr, result.stderr)


# IGC 2 converts the constant itself, where IGC 1 needs doubles.
def targets_are_judged_for_the_installed_compiler(mez, folder):
    os.makedirs(os.path.join(folder, "bin"), exist_ok=True)
    with open(os.path.join(folder, "ask.yaml"), "w", encoding="ascii") as file:
        file.write(f"intel_gpu_tgllp:\n  aspects: [gpu, fp16]\n  may_support_other_aspects: false\n  aot-toolchain: {folder}/bin/ocloc\n"
                   "  aot-toolchain-options: -device tgllp\n")
    for release, code in ("22.43.24595", 1), ("26.27.039122", 0):
        path = os.path.join(folder, "bin", "ocloc")
        with open(path, "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\necho {release} >OCL_DRIVER_VERSION\n")
            os.chmod(file.fileno(), 0o755)
        result = run(mez, folder, ["compile", "constant.cl", "--target=tgllp", "--device-config-file=ask.yaml"])
        require(result.returncode == code, f"{release}: exit code {result.returncode}\n{result.stderr}")
    with open(os.path.join(folder, "own.yaml"), "w", encoding="ascii") as file:
        file.write("mine:\n  aspects: [gpu]\n  may_support_other_aspects: false\n  aot-toolchain: ./bin/ocloc\n")
    good(mez, folder, "constant.cl", "--target=mine", "--device-config-file=own.yaml")


def an_interrupt_leaves_nothing(mez, folder):
    environment = dict(os.environ, TMPDIR=os.path.join(folder, "scratch"))
    with subprocess.Popen([mez, "compile", "heat.cl", "-o", "x.spv", "--llvm-spirv=./hangs", *WITH_CLANG], cwd=folder,
                          env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        hanging = os.path.join(folder, "hanging")
        end = time.monotonic() + 60
        while not os.path.exists(hanging) and process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        require(process.wait(timeout=60) == -signal.SIGINT, f"it ended with {process.returncode}")
    require(said == "mez compile: interrupted by SIGINT; nothing was written to x.spv\n", said)
    require(not os.path.exists(os.path.join(folder, "x.spv")), "there is an output")


def what_is_compiled_runs(mez, folder):
    good(mez, folder, "heat.cl")
    result = run(mez, folder, ["run", "heat.spv", "heat", "--global", "3,3", "buf:float:9=iota", "out:float:9=0", "i32:3", "i32:3"])
    require(result.returncode == 0 and re.search(r"\[0\.\.7\] 0 0 0 0 4 0 0 0\n +\[8\] +0\n", result.stdout),
            result.stdout + result.stderr)


TESTS = [an_output_stands_beside_the_input, every_level_compiles, what_kernels_require_is_said, options_reach_the_compiler,
         standard_streams_are_taken, a_pipe_is_read_once, a_full_disk_is_reported_once, a_name_may_begin_as_an_option_does,
         files_that_were_read_are_listed, make_goes_on_without_a_header, what_is_no_file_stays,
         nothing_is_written_over_what_is_read, an_output_takes_the_place_of_a_link, bitcode_is_bitcode,
         headers_and_objects_hold_the_same, names_may_be_long, a_source_of_any_length_is_mentioned, lines_are_not_in_the_output,
         an_output_stays_after_an_error, programs_that_fail_are_named, tables_and_containers_are_built,
         asserts_find_their_header, what_is_installed_looks_into_no_build_tree,
         targets_are_judged_for_the_installed_compiler, an_interrupt_leaves_nothing]


def write_files(folder):
    for name in "scratch", "folder":
        os.mkdir(os.path.join(folder, name))
    for name, text in SOURCES.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    for name, script in PROGRAMS.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + script + "\n")
            os.chmod(file.fileno(), 0o755)


def report(name, wrong):
    print(f"not ok - {name}\n{wrong}" if wrong else f"ok - {name}")
    return bool(wrong)


def try_it(test, mez, folder):
    try:
        test(mez, folder)
        require(not os.listdir(os.path.join(folder, "scratch")), "something stays in TMPDIR")
    except Wrong as wrong:
        return str(wrong) or "it printed nothing that would say more"
    return ""


def main():
    mez = os.path.abspath(sys.argv[1])
    os.environ["CC_FOR_CASES"] = sys.argv[2]
    os.environ.pop("MEZ_DEVICE_CONFIG", None)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder)
        if sys.argv[3:] == ["run"]:
            return report("what is compiled runs", try_it(what_is_compiled_runs, mez, folder))
        for case in CASES:
            failed += report(case[0], "".join(run_cases.differences(case, run(mez, folder, case[1]))))
        failed += bool(os.listdir(os.path.join(folder, "scratch"))) and report("nothing stays", "something stays in TMPDIR")
        for test in TESTS:
            failed += report(test.__name__.replace("_", " "), try_it(test, mez, folder))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
