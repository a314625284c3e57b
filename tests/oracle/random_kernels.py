#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels, judged by us and by Intel's compiler: random_kernels.py CLANG LLVM_SPIRV COMPILE ORACLE OCLOC

Writes OpenCL C, compiles it at several levels with COMPILE, and hands the modules to ORACLE. The same seed gives the same
kernels. MEZ_ORACLE_RANDOM=COUNT[:SEED] asks for more than the usual few, or for others; MEZ_ORACLE_KEEP=FOLDER keeps
sources and modules there.
"""

import os
import random
import subprocess
import sys
import tempfile

USUAL_COUNT, USUAL_SEED = 40, 1
KERNELS_IN_A_FILE = 20
LEVELS = (["-O0"], ["-O2"], ["-O1"], ["-O0", "-cl-std=CL1.2"])

HEAD = """#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

typedef struct {
    double d;
    float f;
    int i;
} mixed;

constant double doubles[4] = {1, 0.1, 3, 0.7};
constant float floats[4] = {1, 0.1f, 3, 0.7f};
"""

INTEGERS = ["int", "uint", "long", "uchar"]
SCALARS = INTEGERS + ["float", "half", "double"]
VECTORS = ["int2", "float2", "double2", "float4", "double4"]
LITERALS = {"int": ["3", "-7"], "uint": ["5u"], "long": ["9L"], "uchar": ["(uchar)200"], "float": ["0.3f", "2.0f"],
            "half": ["(half)1.5f"], "double": ["0.1", "2.0"]}
UNARY = {"float": ["sin", "sqrt", "fabs", "floor"], "double": ["sin", "sqrt", "fabs", "floor"]}


def element_of(vector):
    return vector.rstrip("0123456789")


class Function:
    """One function under construction: what it can see, and how deep it may still nest."""

    def __init__(self, pick, allowed, helpers):
        self.pick, self.allowed, self.helpers = pick, allowed, helpers
        self.values, self.pointers, self.structs, self.lines = {}, {}, [], []
        self.number = 0

    def types(self, of):
        return [kind for kind in of if element_of(kind) in self.allowed]

    def any_type(self):
        return self.pick.choice(self.types(SCALARS + VECTORS * self.pick.randrange(2)))

    def new_name(self):
        self.number += 1
        return f"v{self.number}"

    def value(self, kind, depth):
        """An expression of a scalar or vector type."""
        ways = [self.literal, self.variable, self.load]
        if depth > 0:
            ways += [self.binary, self.binary, self.converted, self.chosen, self.called]
            ways += [self.component, self.looked_up, self.function] if kind in SCALARS else [self.composed]
        for _ in range(8):
            text = self.pick.choice(ways)(kind, depth - 1)
            if text:
                return text
        return self.literal(kind, 0)

    def literal(self, kind, _):
        if kind in SCALARS:
            return self.pick.choice(LITERALS[kind])
        return f"({kind})({self.pick.choice(LITERALS[element_of(kind)])})"

    def variable(self, kind, _):
        return self.pick.choice(self.values.get(kind) or [None])

    def load(self, kind, _):
        pointer = self.pick.choice(self.pointers.get(kind) or [None])
        return pointer and f"{pointer}[{self.pick.randrange(4)}]"

    def binary(self, kind, depth):
        return f"({self.value(kind, depth)} {self.pick.choice('+-*')} {self.value(kind, depth)})"

    def converted(self, kind, depth):
        if kind in SCALARS:
            return f"({kind})({self.value(self.pick.choice(self.types(SCALARS)), depth)})"
        return f"convert_{kind}({self.value(self.pick.choice(self.types([v for v in VECTORS if v[-1] == kind[-1]])), depth)})"

    def condition(self, depth):
        kind = self.pick.choice(self.types(SCALARS))
        return f"{self.value(kind, depth)} {self.pick.choice(['<', '>', '=='])} {self.value(kind, depth)}"

    def chosen(self, kind, depth):
        if kind not in SCALARS:
            return None
        return f"({self.condition(depth)} ? {self.value(kind, depth)} : {self.value(kind, depth)})"

    def component(self, kind, depth):
        vectors = [vector for vector in self.types(VECTORS) if element_of(vector) == kind]
        return f"{self.value(self.pick.choice(vectors), depth)}.{self.pick.choice('xy')}" if vectors else None

    def composed(self, kind, depth):
        parts = ", ".join(self.value(element_of(kind), depth) for _ in range(int(kind[-1])))
        return self.pick.choice([f"({kind})({parts})", f"{self.value(kind, depth)}.{'yxwz'[:int(kind[-1])]}"])

    def looked_up(self, kind, depth):
        table = {"double": "doubles", "float": "floats"}.get(kind)
        return f"{table}[{self.value('int', depth)} & 3]" if table else None

    def function(self, kind, depth):
        if kind in ("float", "double"):
            return f"{self.pick.choice(UNARY[kind])}({self.value(kind, depth)})"
        return None

    def called(self, kind, depth):
        helpers = [helper for helper in self.helpers if helper[1] == kind]
        if not helpers:
            return None
        name, _, parameters = self.pick.choice(helpers)
        return f"{name}({', '.join(self.value(parameter, depth) for parameter in parameters)})"

    def member(self):
        return self.pick.choice([member for member, kind in (("d", "double"), ("f", "float"), ("i", "int"))
                                 if kind in self.allowed])

    # --- Statements

    def declare(self, depth):
        kind, name = self.any_type(), self.new_name()
        self.lines.append(f"{kind} {name} = {self.value(kind, depth)};")
        self.values.setdefault(kind, []).append(name)

    def assign(self, depth):
        kind = self.pick.choice(list(self.values) or [None])
        if kind:
            self.lines.append(f"{self.pick.choice(self.values[kind])} = {self.value(kind, depth)};")

    def store(self, depth):
        kind = self.pick.choice(list(self.pointers) or [None])
        if kind:
            pointer = self.pick.choice(self.pointers[kind])
            self.lines.append(f"{pointer}[{self.pick.randrange(4)}] = {self.value(kind, depth)};")

    def use_struct(self, depth):
        if not self.structs:
            return
        struct, member = self.pick.choice(self.structs), self.member()
        kind = {"d": "double", "f": "float", "i": "int"}[member]
        if struct.endswith("->"):
            self.lines.append(f"{struct}{member} = {self.value(kind, depth)};")
        else:
            self.values.setdefault(kind, []).append(f"{struct}{member}")

    def reinterpret(self, _):
        source = self.pick.choice(list(self.pointers) or [None])
        target = self.pick.choice(list(self.pointers) or [None])
        if source:
            self.lines.append(f"((global int *){self.pick.choice(self.pointers[target])})[1] ^= "
                              f"((global int *){self.pick.choice(self.pointers[source])})[2];")

    def print_value(self, depth):
        kind = self.pick.choice([kind for kind in ("int", "float", "double") if kind in self.allowed])
        value = self.value(kind, depth)
        # An argument of type float becomes a double.
        if kind == "int" or "double" in self.allowed:
            self.lines.append(f'printf("%{"d" if kind == "int" else "f"}\\n", {value});')

    def block(self, depth):
        head = self.pick.choice([f"if ({self.condition(depth)})",
                                 f"for (int {self.new_name()} = 0; v{self.number} < 3; v{self.number}++)"])
        seen = {kind: list(names) for kind, names in self.values.items()}
        self.lines.append(head + " {")
        self.statements(2, depth - 1)
        self.lines.append("}")
        self.values = seen

    def statements(self, count, depth):
        for _ in range(count):
            ways = [self.declare, self.declare, self.assign, self.store, self.store, self.use_struct, self.reinterpret,
                    self.print_value]
            self.pick.choice(ways + [self.block] * (depth > 1))(depth)

    def take_parameters(self, kinds):
        texts = []
        for kind in kinds:
            name = self.new_name()
            if kind == "mixed":
                self.structs.append(name + ".")
            elif kind == "mixed *":
                self.structs.append(name + "->")
            elif kind.endswith("*"):
                self.pointers.setdefault(kind[:-2], []).append(name)
            else:
                self.values.setdefault(kind, []).append(name)
            texts.append(f"{'global ' if '*' in kind else ''}{kind} {name}")
        return ", ".join(texts)


def write_helper(pick, allowed, helpers, name):
    function = Function(pick, allowed, helpers)
    parameters = [function.any_type() for _ in range(pick.randrange(1, 4))]
    result = function.any_type()
    head = f"{pick.choice(['__attribute__((noinline)) static', 'static inline'])} {result} {name}"
    head += f"({function.take_parameters(parameters)})"
    function.statements(pick.randrange(3), 2)
    lines = function.lines + [f"return {function.value(result, 2)};"]
    return head + "\n{\n    " + "\n    ".join(lines) + "\n}\n", (name, result, parameters)


def write_kernel(pick, number):
    """Each kernel knows some types only, so that many kernels see doubles, and fewer use them."""
    allowed = {"int", "float"} | set(pick.sample(["uint", "long", "uchar", "half"], 2))
    allowed |= {"double"} if pick.random() < 0.4 else set()
    texts, helpers = [], []
    for helper in range(pick.randrange(3)):
        text, described = write_helper(pick, allowed, helpers, f"help_{number}_{helper}")
        texts.append(text)
        helpers.append(described)
    function = Function(pick, allowed, helpers)
    parameters = ["int *"] + [pick.choice([function.any_type(), function.any_type() + " *", "mixed", "mixed *"])
                              for _ in range(pick.randrange(1, 5))]
    text = f"kernel void random_{number}({function.take_parameters(parameters)}"
    # What is there for everybody to see, and nobody to use.
    text += pick.choice(["", ", double unused", ", global double *unused", ", double4 unused"]) + ")"
    function.statements(pick.randrange(1, 6), 3)
    return "\n".join(texts) + "\n" + text + "\n{\n    " + "\n    ".join(function.lines) + "\n}\n"


def write_files(folder, count, seed):
    """Sources, each with the options that it is to be compiled with."""
    files = []
    for first in range(0, count, KERNELS_IN_A_FILE):
        pick = random.Random(f"{seed} {first}")
        numbers = range(first, min(first + KERNELS_IN_A_FILE, count))
        for options in pick.sample(LEVELS, 1) if count > 4 * KERNELS_IN_A_FILE else LEVELS[:2]:
            name = os.path.join(folder, f"random_{first}_{''.join(options).strip('-').replace('-cl-std=', '_').replace('.', '')}.cl")
            pick = random.Random(f"{seed} {first} kernels")
            with open(name, "w", encoding="utf-8") as file:
                file.write(HEAD + "\n" + "\n".join(write_kernel(pick, number) for number in numbers))
            files.append((name, options))
    return files


def run(folder, arguments, count, seed):
    clang, llvm_spirv, compile_script, oracle, ocloc = arguments
    modules = []
    for source, options in write_files(folder, count, seed):
        module = source.replace(".cl", ".spv")
        command = [compile_script, clang, llvm_spirv, source, module, "-w", *options]
        if subprocess.run(command, check=False).returncode != 0:
            print(f"{source} does not compile", file=sys.stderr)
            return 1
        modules.append(module)
    return subprocess.run([oracle, ocloc, "--may-drop", *modules], check=False).returncode


def main():
    if not sys.argv[5]:
        print("skip: there is no ocloc")
        return 77
    wanted = os.environ.get("MEZ_ORACLE_RANDOM", "").split(":")
    count = int(wanted[0] or USUAL_COUNT)
    seed = int(wanted[1]) if len(wanted) > 1 else USUAL_SEED
    print(f"{count} kernels of seed {seed}", flush=True)
    keep = os.environ.get("MEZ_ORACLE_KEEP")
    if keep:
        return run(keep, sys.argv[1:6], count, seed)
    with tempfile.TemporaryDirectory() as folder:
        return run(folder, sys.argv[1:6], count, seed)


if __name__ == "__main__":
    sys.exit(main())
