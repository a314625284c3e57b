#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles OpenCL C to SPIR-V with clang and llvm-spirv.

opencl_to_spirv.py --clang PATH --llvm-spirv PATH [--depfile FILE] -o OUTPUT.spv INPUT.cl [clang's options]

An output that ends in .bc stays LLVM's bitcode, for programs of several translation units.
"""

import argparse
import os
import subprocess
import sys
import tempfile


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", default="clang-15")
    parser.add_argument("--llvm-spirv", default="llvm-spirv-15")
    parser.add_argument("--depfile")
    parser.add_argument("-o", dest="output", required=True)
    parser.add_argument("input")
    return parser.parse_known_args()


def main():
    arguments, options = parse_arguments()
    if not any(option.startswith("-O") for option in options):
        options.append("-O2")
    with tempfile.TemporaryDirectory() as folder:
        bitcode = os.path.join(folder, "kernel.bc")
        clang = [arguments.clang, "-c", "-x", "cl", "-cl-std=CL2.0", "-target", "spir64-unknown-unknown",
                 "-Xclang", "-finclude-default-header", "-emit-llvm", "-Wall", "-Werror",
                 # Asserts name the file by its own name, wherever it was compiled.
                 f"-fmacro-prefix-map={os.path.dirname(arguments.input)}/=",
                 "-o", bitcode, arguments.input, *options]
        if arguments.depfile:
            clang += ["-MD", "-MF", arguments.depfile, "-MT", arguments.output]
        if arguments.output.endswith(".bc"):
            clang[clang.index(bitcode)] = arguments.output
            return subprocess.run(clang, check=False).returncode
        spirv = [os.path.join(os.path.dirname(__file__), "llvm_spirv.sh"), arguments.llvm_spirv,
                 "--spirv-max-version=1.2", "-o", arguments.output, bitcode]
        for command in clang, spirv:
            code = subprocess.run(command, check=False).returncode
            if code != 0:
                return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
