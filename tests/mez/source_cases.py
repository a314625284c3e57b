#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""From OpenCL C to checked results, by the mez command alone.

source_cases.py MEZ SOURCES-FOLDER
"""

import os
import pathlib
import subprocess
import sys
import tempfile

MEZ, SOURCES = map(os.path.abspath, sys.argv[1:3])
HEAT = f"{SOURCES}/heat.cl"
SGEMM = f"{SOURCES}/sgemm.cl"
MISTAKES = f"{SOURCES}/mistakes.cl"
HISTOGRAM = f"{SOURCES}/histogram.cl"

MATRIX = ["--global", "64,64", "--local", "8,8"]

# Each case: name, variables of ze-cpu and words of a command, exit code, text that is in what it prints ("" is in everything).
CASES = [
    # Rows that rise evenly from left to right are what heat comes to, and so is an even plate.
    ("heat stays where it is even", ["run", HEAT, "step", "--global", "50,40", "--repeat", "100", "--swap", "0,1", "buf:float:2000=7",
                                     "buf:float:2000", "--expect", "1=7", "i32:50", "i32:40"], 0, ""),
    ("heat stays where it rises evenly", ["run", HEAT, "step", "--global", "64,48", "--repeat", "100", "--swap", "0,1",
                                          "buf:float:2000=iota", "buf:float:2000", "--expect", "1=iota", "--tolerance", "1e-5", "i32:50",
                                          "i32:40"], 0, ""),
    ("heat spreads", ["run", HEAT, "step", "--global", "3,3", "buf:float:9=iota", "out:float:9", "--expect", "1=5", "i32:3", "i32:3"],
     1, "argument 1: 8 of 9 elements are not as expected; the first is [0]: 0 instead of 5"),
    ("a plain product", ["run", SGEMM, "plain", *MATRIX, "buf:float:4096=random:1", "buf:float:4096=random:2", "buf:float:4096",
                         "i32:64", "--save", "2=product"], 0, ""),
    ("a tiled product", ["run", SGEMM, "tiled", *MATRIX, "buf:float:4096=random:1", "buf:float:4096=random:2", "buf:float:4096", "i32:64",
                         "local:float:128", "--expect", "2=@product", "--tolerance", "1e-5"], 0, ""),
    ("a product of constants", ["run", SGEMM, "tiled", *MATRIX, "buf:float:4096=2", "buf:float:4096=3", "buf:float:4096", "i32:64",
                                "local:float:128", "--expect", "2=384"], 0, ""),
    ("bytes are counted", ["run", HISTOGRAM, "histogram", "--global", "512", "--local", "64", "buf:uchar:8192=iota", "u32:8192",
                           "buf:uint:256", "--expect", "2=32"], 0, ""),
    ("options for the compiler", ["run", HISTOGRAM, "histogram", "-D", "BINS=16", "-O1", "-cl-mad-enable", "--global", "512",
                                  "--local", "64", "buf:uchar:8192=iota", "u32:8192", "buf:uint:16", "--expect", "2=512"], 0, ""),
    ("an option with blanks", ["kernels", SGEMM, "-DTILE=( 4 + 4 )", "-I."], 0, "tiled  5 arguments"),
    ("options that are not for containers", ["run", "x.spv", "k", "--global", "1", "-DA"], 2,
     "mez run: option -DA is for OpenCL C sources, but x.spv is not one"),
    ("an option that is not for kernels", ["kernels", SGEMM, "-save-temps"], 1, "-save-temps"),
    ("a source is checked", ["check", "doubles.cl", "--target", "tgllp"], 1, "doubles.cl:5:"),
    ("a source is checked with options", ["check", "-DREAL=float", "doubles.cl", "--target", "tgllp"], 0, "can run 1 of 1"),
    ("a source is split", ["split", "--mode=per_kernel", "-o", "s.table", SGEMM], 0, ""),
    ("and what came of it runs", ["run", "s.table", "plain", *MATRIX, "buf:float:4096=2", "buf:float:4096=3", "buf:float:4096",
                                  "i32:64", "--expect", "2=384"], 0, ""),
    ("a source is built", ["build", "--targets=spir64", "-o", "b.syclbin", SGEMM, HISTOGRAM], 0, "b.syclbin: "),
    ("a source is split with options", ["split", "--mode=per_kernel", "-D", "REAL=float", "-o", "f.table", "doubles.cl"], 0, ""),
    ("which its kernels show", ["check", "f.table", "--target", "tgllp"], 0, "can run 1 of 1"),
    ("a source is built with options", ["build", "--targets=spir64", "--mode=off", "-DREAL=float", "-O3", "-cl-mad-enable",
                                        "-o", "f.syclbin", "doubles.cl"], 0, "f.syclbin: 1 image"),
    ("which its kernels show, too", ["check", "f.syclbin", "--target", "tgllp"], 0, "can run 1 of 1"),
    ("and without them", ["build", "--targets=spir64,tgllp", "-o", "d.syclbin", "doubles.cl"], 0, "1 for spir64, 0 for"),
    ("options where none of the files is a source", ["split", "-DA", "-o", "x.table", "x.spv"], 2,
     "mez split: option -DA is for OpenCL C sources, but x.spv is not one"),
    ("options where nothing that is built is a source", ["build", "--targets=spir64", "-O1", "-o", "x.table", "x.spv"], 2,
     "mez build: option -O1 is for OpenCL C sources, but x.spv is not one"),
    ("kernels of a source", ["kernels", SGEMM], 0, "tiled  5 arguments\nplain  4 arguments\n"),
    ("what a device lacks is said with the source's line", ["ZE_CPU_PERSONA=tgllp", "run", "doubles.cl", "k", "--global", "1",
                                                            "buf:double:3"], 1, "doubles.cl:5:"),
    ("a source that is wrong", ["run", "wrong.cl", "k", "--global", "1"], 1, "wrong.cl:2:5: error: use of undeclared identifier 'x'"),
    ("which is the headline, and the program's name the last", ["run", "wrong.cl", "k", "--global", "1"], 1,
     "mezzanine: wrong.cl does not compile\n"),
    ("OpenCL C under another name", ["run", "kernel.txt", "k", "--global", "1"], 1, "it is OpenCL C: mez_image_load compiles it where the file is called *.cl"),
    ("a race", ["run", "-g", MISTAKES, "shift", "--global", "8", "--check", "buf:int:8=iota"], 1, "mistakes.cl:9 (ZE_CPU_CHECK); global id:"),
    ("a use of what nobody has written", ["run", "-g", MISTAKES, "mark", "--global", "8", "--check", "local:int:8", "buf:int:8"], 1,
     'driver says: kernel "mark" branched on a value that nobody has written, of local memory (ZE_CPU_CHECK)'),
    ("the race with fewer checks", ["ZE_CPU_CHECK=1", "run", MISTAKES, "shift", "--global", "8", "--check", "buf:int:8=iota"], 0, ""),
    ("no such source", ["run", "absent.cl", "k", "--global", "1"], 1, "absent.cl: No such file"),
]


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "wrong.cl").write_text("kernel void k(void) {\n    x = 1;\n}\n", encoding="ascii")
        pathlib.Path(folder, "doubles.cl").write_text(
            "#ifndef REAL\n#define REAL double\n#endif\nkernel void k(global REAL *x) {\n    x[0] = x[1] * x[2];\n}\n",
            encoding="ascii")
        pathlib.Path(folder, "kernel.txt").write_text("kernel void k(void) {}\n", encoding="ascii")
        for name, words, code, text in CASES:
            variables = dict(word.split("=") for word in words if word.startswith("ZE_CPU_"))
            result = subprocess.run([MEZ, *words[len(variables):]], cwd=folder,
                                    env=os.environ | {"MEZ_CACHE": f"{folder}/cache"} | variables,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                    timeout=60, check=False)
            good = result.returncode == code and text in result.stdout
            print("ok" if good else "not ok", "-", name)
            if not good:
                print(f"exit code {result.returncode}, wanted {code}; printed:\n{result.stdout}\nwanted in it:\n{text}")
            failed += not good
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
