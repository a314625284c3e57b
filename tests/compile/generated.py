# SPDX-License-Identifier: MIT
"""Kernels that a generator writes by a seed: nested control flow over variables of narrow and wide types, switches, vectors, tables,
early returns and functions. What they compute is defined for every input: all arithmetic is unsigned, shifts are masked, divisors are
odd, indices are masked, loops end.
"""

import random

import families

TYPES = ("uchar", "ushort", "uint", "ulong")
BITS = {"uchar": 8, "ushort": 16, "uint": 32, "ulong": 64}
OPERATORS = ("+", "-", "*", "&", "|", "^")


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.variables = [(f"v{k}", self.random.choice(TYPES)) for k in range(self.random.randint(3, 7))]
        self.vectors = [(f"w{k}", self.random.choice((2, 4, 8))) for k in range(2)]
        self.lines, self.loops = [], 0

    def add(self, depth, text):
        self.lines.append("    " * (depth + 1) + text)

    def leaf(self):
        name, _ = self.random.choice(self.variables)
        vector, width = self.random.choice(self.vectors)
        return self.random.choice((
            name, name, str(self.random.choice((0, 1, 2, 3, 5, 7, 31, 100, 255, 65535))) + "u", "(uint)i",
            f"(uint)in[(i + {self.random.randint(0, 63)}) & 63]", f"table[{name} & 7]",
            f"{vector}.s{self.random.randrange(width)}"))

    def value(self, depth=2):
        """Of type uint or ulong."""
        if depth == 0 or self.random.random() < 0.2:
            return f"(ulong)({self.leaf()})" if self.random.random() < 0.1 else f"(uint)({self.leaf()})"
        a, b = self.value(depth - 1), self.value(depth - 1)
        kind = self.random.randrange(10)
        if kind < 5:
            return f"({a} {self.random.choice(OPERATORS)} {b})"
        if kind == 5:
            return f"({a} {self.random.choice(('/', '%'))} ({b} | 1u))"
        if kind == 6:
            return f"({a} {self.random.choice(('<<', '>>'))} ({b} & {self.random.choice((1, 3, 7))}u))"
        if kind == 7:
            return f"({self.condition(depth - 1)} ? {a} : {b})"
        return self.random.choice((f"(uint)popcount({a})", f"(uint)helper((uint){a}, (uint){b})", f"(uint)min((uint){a}, (uint){b})",
                                   f"rotate((uint){a}, (uint){b} & 31u)", f"(uint)({a} >> 3 & 7u)"))

    def condition(self, depth=1):
        a, b = self.value(depth), self.value(depth)
        one = f"{a} {self.random.choice(('<', '>', '==', '!=', '<=', '>='))} {b}"
        if depth and self.random.random() < 0.4:
            return f"({one} {self.random.choice(('&&', '||'))} {self.condition(depth - 1)})"
        return f"({one})"

    def assign(self, depth):
        name, kind = self.random.choice(self.variables)
        self.add(depth, f"{name} = ({kind}){self.value()};")

    def vector(self, depth):
        name, width = self.random.choice(self.vectors)
        lanes = "".join("0123456789abcdef"[self.random.randrange(width)] for _ in range(width))
        other, other_width = self.random.choice(self.vectors)
        right = f"{other}.s{lanes}" if other_width >= width else f"(uint{width})({self.value(1)})"
        self.add(depth, self.random.choice((
            f"{name} {self.random.choice(OPERATORS)}= {right};", f"{name} = select({name}, {name}.s{lanes}, {name} > (uint)({self.value(1)}));",
            f"{name}.s{self.random.randrange(width)} = (uint)({self.value(1)});",
            f"if (any({name} == {name}.s{lanes})) {name} = {name} >> 3 & 7u;")))

    def choose(self, depth):
        mask = self.random.choice((1, 3, 7, 15, 63))
        self.add(depth, f"switch ((uint)({self.value(1)}) & {mask}u) {{")
        for case in sorted(self.random.sample(range(mask + 1), min(mask + 1, self.random.randint(2, 7)))):
            self.add(depth, f"case {case}:")
            self.block(depth + 1, 1)
            if self.random.random() < 0.8:
                self.add(depth + 1, "break;")
        self.add(depth, "default:")
        self.block(depth + 1, 1)
        self.add(depth, "}")

    def branch(self, depth):
        self.add(depth, f"if {self.condition()} {{")
        self.block(depth + 1, 2)
        if self.random.random() < 0.5:
            self.add(depth, "} else {")
            self.block(depth + 1, 2)
        self.add(depth, "}")

    def loop(self, depth):
        counter = f"k{self.loops}"
        self.loops += 1
        count = self.random.choice((2, 4, 8, 16))
        if self.random.random() < 0.5:
            self.add(depth, f"for (uint {counter} = 0; {counter} < {count}u; {counter}++) {{")
            end = "}"
        else:
            self.add(depth, f"{{ uint {counter} = 0; do {{")
            end = f"}} while ({counter}++ < {count}u && {self.condition()}); }}"
        if self.random.random() < 0.4:
            self.add(depth + 1, f"if {self.condition()} {self.random.choice(('break', 'continue'))};")
        self.block(depth + 1, 2)
        self.add(depth, end)

    def leave(self, depth):
        self.add(depth, f"if {self.condition()} {{ out[i] = (int)({self.value(1)}); return; }}")

    def block(self, depth, most):
        for _ in range(self.random.randint(1, most)):
            step = self.random.random()
            if depth > 3 or step < 0.45:
                self.assign(depth)
            elif step < 0.6:
                self.vector(depth)
            elif step < 0.72:
                self.branch(depth)
            elif step < 0.82:
                self.choose(depth)
            elif step < 0.95 and depth < 3:
                self.loop(depth)
            else:
                self.leave(depth)


def kernel(seed):
    writer = Writer(seed)
    for name, kind in writer.variables:
        writer.add(0, f"{kind} {name} = ({kind})in[(i * {writer.random.randint(1, 9)}) & 255];")
    for name, width in writer.vectors:
        writer.add(0, f"uint{width} {name} = convert_uint{width}(vload{width}(i & 15, in));")
    writer.block(0, 4)
    writer.block(0, 6)
    for place, (name, _) in enumerate(writer.variables[:3]):
        writer.add(0, f"out[i + {64 * place}] = (int){name};")
    writer.add(0, f"out[i + 192] = (int)({writer.vectors[0][0]}.s0 + {writer.vectors[1][0]}.s1);")
    name = f"generated_{seed}"
    before = (f"constant uint table[8] = {{{', '.join(str(writer.random.randint(0, 999)) + 'u' for _ in range(8))}}};\n"
              "inline uint helper(uint a, uint b) { if (a == 0 || b == 0) return a | b; return a % b ^ a / b; }")
    return families.Kernel(name, f"{before}\n{families.HEAD.format(name=name)}\n{{\n    int i = (int)get_global_id(0);\n"
                           + "\n".join(writer.lines) + "\n}\n")


def kernels(count=40):
    return [kernel(seed) for seed in range(count)]
