#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes OpenCL C kernels that are made at random, with barriers in nested control flow.

    random_kernels.py FIRST_SEED COUNT OUT.cl

Work-items of a group do not race, and all come to each barrier, except for those that have ended; apart
from that anything goes. Numbers are unsigned, so that sums may wrap. The same seed gives the same kernel.

The kernels of ../differential are these with more in them.
"""

import random
import sys

VARIABLES = 'abcd'


class Kernel:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.depth = 1
        self.budget = 26
        self.loops = []  # counters of loops that all are in
        self.names = 0

    def add(self, line):
        self.lines.append('    ' * self.depth + line)

    def name(self, prefix):
        self.names += 1
        return f'{prefix}{self.names}'

    def number(self):
        return f'{self.random.choice([1, 2, 3, 5, 7, 13, 64, 255, 1000])}u'

    def uniform(self):
        """The same for all work-items."""
        terms = ['n', f'in[{self.random.randrange(64)}]', '(uint)get_group_id(0)'] + self.loops
        term = self.random.choice(terms)
        return f'({term} {self.random.choice(["&", "+", "^"])} {self.number()})'

    def value(self, depth=2):
        if depth == 0 or self.random.random() < 0.25:
            return self.random.choice(
                [*VARIABLES, 'l', 'p[1]', self.number(), self.uniform(), f'p[{self.random.choice(VARIABLES)} & 3]'])
        left, right = self.value(depth - 1), self.value(depth - 1)
        kind = self.random.randrange(8)
        if kind == 0:
            return f'({left} < {right} ? {right} : {self.value(depth - 1)})'
        if kind == 1:
            return f'({left} / (({right} & 15) + 1))'
        if kind == 2:
            return f'in[{left} & 255]'
        if kind == 3:
            return f'as_uint((float)({left} & 1023) * 0.37f + (float)({right} & 255))'
        return f'({left} {self.random.choice(["+", "-", "*", "^", "|", "&"])} {right})'

    def condition(self, is_uniform):
        value = self.uniform() if is_uniform else self.value()
        return f'({value} & {self.random.choice([1, 2, 3, 4, 7])}) {self.random.choice(["==", "!="])} 0'

    def assign(self):
        target = self.random.choice([*VARIABLES, *VARIABLES, f'p[{self.value(1)} & 3]', 'f'])
        if target == 'f':
            self.add(f'f = f * 0.5f + (float)({self.value()} & 4095);')
        else:
            self.add(f'{target} {self.random.choice(["=", "+=", "^="])} {self.value()};')

    def exchange(self):
        self.add(f's[l] = {self.value()};')
        self.add('barrier(CLK_LOCAL_MEM_FENCE);')
        self.add(f'{self.random.choice(VARIABLES)} ^= s[({self.random.choice([f"l + {self.number()}", self.value(1)])}) & 63];')
        self.add('barrier(CLK_LOCAL_MEM_FENCE);')

    def help(self):
        self.add(f'{self.random.choice(VARIABLES)} += pass_on(s, l, {self.value(1)}, {self.uniform()});')

    def count(self):
        counter = f't[{self.random.randrange(4)}]'
        operation = self.random.choice(['add', 'or', 'xor', 'max', 'min'])
        self.add(f'atomic_{operation}(&{counter}, {self.value(1)});')
        self.add('barrier(CLK_LOCAL_MEM_FENCE);')
        self.add(f'{self.random.choice(VARIABLES)} -= {counter};')
        self.add('barrier(CLK_LOCAL_MEM_FENCE);')

    def block(self, is_uniform, in_loop, length=None):
        self.depth += 1
        for _ in range(length or self.random.randint(1, 4)):
            self.statement(is_uniform, in_loop)
        self.depth -= 1

    def branch(self, is_uniform, in_loop):
        together = is_uniform and self.random.random() < 0.6
        self.add(f'if ({self.condition(together)}) {{')
        self.block(together, in_loop if together == is_uniform else None)
        if self.random.random() < 0.5:
            self.add('} else {')
            self.block(together, in_loop if together == is_uniform else None)
        self.add('}')

    def select(self, is_uniform):
        together = is_uniform and self.random.random() < 0.5
        self.add(f'switch ({self.uniform() if together else self.value()} & 3) {{')
        for case in self.random.sample(range(4), 3):
            self.add(f'case {case}:')
            self.block(together, None, 2)
            if self.random.random() < 0.8:
                self.depth += 1
                self.add('break;')
                self.depth -= 1
        self.add('default:')
        self.block(together, None, 1)
        self.add('}')

    def loop(self, is_uniform):
        together = is_uniform and self.random.random() < 0.7
        counter = self.name('i')
        rounds = self.uniform() if together else self.value(1)
        rounds = self.random.choice([f'({rounds} & 7)', f'({rounds} & 3) + 1', str(self.random.randint(1, 9)) if together else f'({rounds} & 15)'])
        self.add(f'for (uint {counter} = 0; {counter} < {rounds}; {counter}++) {{')
        if together:
            self.loops.append(counter)
        self.block(together, together)
        if self.random.random() < 0.4:
            self.depth += 1
            self.add(f'if ({self.condition(together)})')
            self.add(f'    {self.random.choice(["break", "continue"])};')
            self.assign()
            self.depth -= 1
        if together:
            self.loops.pop()
        self.add('}')

    def statement(self, is_uniform, in_loop):
        self.budget -= 1
        if self.budget <= 0:
            self.assign()
            return
        kind = self.random.randrange(12)
        if kind < 3:
            self.assign()
        elif kind < 5:
            self.exchange() if is_uniform else self.assign()
        elif kind == 5:
            self.count() if is_uniform else self.assign()
        elif kind == 6:
            self.help() if is_uniform else self.assign()
        elif kind < 9:
            self.branch(is_uniform, in_loop)
        elif kind == 9:
            self.select(is_uniform)
        else:
            self.loop(is_uniform)

    def leave(self):
        """Some work-items end, and miss the barriers to come."""
        self.add(f'if ({self.condition(False)}) {{')
        self.add('    out[4 * g] = a ^ b ^ c ^ d;')
        self.add('    return;')
        self.add('}')

    def statements(self):
        leaves = self.random.random() < 0.3
        for i in range(self.random.randint(3, 7)):
            self.statement(True, False)
            if leaves and i == 1:
                self.leave()
        return '\n'.join(self.lines)

    def text(self, name):
        return f'''
__kernel void {name}(__global uint *out, __global const uint *in, uint n)
{{
    __local uint s[64];
{DECLARATIONS}
{self.statements()}
    out[4 * g] = a;
    out[4 * g + 1] = b + p[a & 3];
    out[4 * g + 2] = c ^ as_uint(f);
    out[4 * g + 3] = d;
}}
'''


# What statements use besides `s`.
DECLARATIONS = '''\
    __local uint t[4];
    const uint l = get_local_linear_id();
    const uint g = get_global_linear_id();
    uint a = l, b = in[g & 255], c = n, d = 0;
    uint p[4] = {n, l, 2, 3};
    float f = 1;
    for (uint i = l; i < 64; i += get_local_size(0) * get_local_size(1) * get_local_size(2))
        s[i] = i;
    for (uint i = l; i < 4; i += get_local_size(0) * get_local_size(1) * get_local_size(2))
        t[i] = n + i;
    barrier(CLK_LOCAL_MEM_FENCE);'''

HELPER = '''
uint pass_on(__local uint *s, uint l, uint value, uint distance)
{
    s[l] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint other = s[(l + distance) & 63];
    barrier(CLK_LOCAL_MEM_FENCE);
    return other;
}
'''


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2])
    with open(sys.argv[3], 'w', encoding='utf-8') as file:
        file.write('// Made by random_kernels.py.\n' + HELPER)
        for seed in range(first, first + count):
            file.write(Kernel(seed).text(f'random_{seed}'))


if __name__ == '__main__':
    main()
