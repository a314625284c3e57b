# SPDX-License-Identifier: MIT
"""Makes SPIR-V of OpenCL C and of SPIR-V's assembly, and builds it with the engine."""
import os
import struct
import subprocess
from concurrent.futures import ThreadPoolExecutor

CLANG_OPTIONS = ["-target", "spir64", "-x", "cl", "-cl-std=CL3.0", "-O0", "-w", "-Xclang", "-finclude-default-header",
                 "-emit-llvm", "-c"]
HEADER_WORDS = 5


class Tools:
    """The programs, and a folder for their files."""

    def __init__(self, folder, engine, build_modules, clang=None, llvm_spirv=None, assembler=None):
        self.folder, self.engine, self.build_modules = folder, engine, build_modules
        self.clang, self.llvm_spirv, self.assembler = clang, llvm_spirv, assembler
        os.makedirs(folder, exist_ok=True)

    def path(self, name, ending):
        return os.path.join(self.folder, name + ending)


class Outcome:
    """What the engine made of a module: `log` has the imports as well, as lines "import NAME"."""

    def __init__(self, text):
        first, _, self.log = text.partition("\n")
        self.is_built = first == "built"

    def is_clean(self):
        return self.is_built and not self.log.strip()


def run(command):
    """None: it succeeded; else what it said."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else f"{os.path.basename(command[0])}: {done.stderr[:600]}"


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def compile_opencl(tools, name, source):
    write(tools.path(name, ".cl"), source)
    return run([tools.clang, *CLANG_OPTIONS, tools.path(name, ".cl"), "-o", tools.path(name, ".bc")]) or \
        run([tools.llvm_spirv, "--spirv-ext=+all", tools.path(name, ".bc"), "-o", tools.path(name, ".spv")])


def assemble(tools, name, source):
    write(tools.path(name, ".spvasm"), source)
    return run([tools.assembler, "--target-env", "spv1.5", tools.path(name, ".spvasm"), "-o", tools.path(name, ".spv")])


def read_words(path):
    with open(path, "rb") as file:
        data = file.read()
    return list(struct.unpack(f"<{len(data) // 4}I", data))


def split_instructions(words):
    at = HEADER_WORDS
    while at < len(words):
        yield words[at:at + (words[at] >> 16)]
        at += words[at] >> 16


def read_instructions(path):
    """The words of each instruction."""
    return split_instructions(read_words(path))


def in_parallel(function, items):
    with ThreadPoolExecutor(max_workers=2) as pool:
        return list(pool.map(function, items))


def build_all(tools, names):
    """The outcomes by name. A module that ends the engine's process has none."""
    if not names:
        return {}
    done = subprocess.run([tools.build_modules, tools.engine, *[tools.path(name, ".spv") for name in names]],
                          capture_output=True, text=True, check=False)
    texts = done.stdout.split("\n.\n")[:-1]
    if len(texts) < len(names):
        texts.append("failed\n" + f"the engine has ended with {done.returncode}: {done.stderr[:2000]}")
    return dict(zip(names, map(Outcome, texts)))
