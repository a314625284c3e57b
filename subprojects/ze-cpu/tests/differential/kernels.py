# SPDX-License-Identifier: MIT
"""Kernels for two implementations of OpenCL: those of ../engine/random_kernels.py, with all types in them.

Work-items all come to each barrier here, as PoCL relies on it.
"""

import os
import random
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'engine'))

import random_kernels  # noqa: E402: found by the line above
from expressions import INTEGERS, REALS, WIDTHS, Expressions, named, unsigned_of
from functions import Functions

SHAPES = [((64, 1, 1), (2, 1, 1)), ((16, 4, 1), (1, 2, 1)), ((7, 3, 2), (1, 1, 2)), ((1, 5, 1), (3, 1, 1)), ((13, 1, 1), (1, 2, 2)),
          ((32, 1, 1), (3, 1, 1)), ((1, 1, 1), (4, 2, 1)), ((4, 4, 4), (2, 1, 1)), ((3, 17, 1), (2, 1, 1))]
# Eight totals for each kind of operation; sums and differences may share them.
TOTALS = {'add': 0, 'sub': 0, 'inc': 0, 'or': 1, 'and': 2, 'xor': 3, 'max': 4, 'min': 5}
BARRIERS_INSIDE = 2  # of branches and loops
HEAD = '''\
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

#if __OPENCL_C_VERSION__ < 200 // which is what PoCL 3.1 knows
#define get_local_linear_id() ((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0))
#define get_global_linear_id()                                                                                      \\
    (((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) - get_global_offset(1)) *   \\
            get_global_size(0) + get_global_id(0) - get_global_offset(0))
#endif

typedef struct {
    uchar tag;
    uint pair[2];
    float4 four;
    long wide;
} record;

__constant ushort table[32] = {1, 0, 65535, 7, 32768, 9, 12, 255, 256, 3, 5, 1024, 77, 61440, 2, 4660, 8, 127, 128, 6};

// Structs come and go by value and by pointer.
record mixed(record first, const record *second, uint how)
{
    record sum = first;
    sum.pair[how & 1] += second->pair[~how & 1] ^ table[how & 31];
    sum.tag ^= second->tag;
    sum.four.yw = second->four.xz;
    if (how & 2)
        sum.wide = as_long(as_ulong(first.wide) + as_ulong(second->wide));
    return sum;
}
''' + random_kernels.HELPER


class Kernel(random_kernels.Kernel):
    """`slots` says what is in the results: one is 8 bytes of each work-item."""

    def __init__(self, seed, budget=None):
        super().__init__(seed)
        self.budget = budget or self.random.choice([4, 8, 12, 16])
        self.name_of_kernel = f'random_{seed}'
        self.local, self.groups = self.random.choice(SHAPES)
        self.offset = self.random.choice([(0, 0, 0), (0, 0, 0), (3, 1, 2)])
        self.items = 1
        for size in self.local + self.groups:
            self.items *= size
        self.slots = []  # of each: the type of its number, and how many units in the last place may be between two results
        self.barriers_inside = 0
        self.element = self.random.choice(INTEGERS)
        self.typed = Expressions(self.random, lambda: super(Kernel, self).value(0))
        self.functions = Functions(self.random, self.typed)

    def launch(self):
        return ' '.join(map(str, [self.name_of_kernel, *self.local, *self.groups, *self.offset, self.result_bytes()]))

    def result_bytes(self):
        return 8 * self.items * len(self.slots)

    def uniform(self):
        if self.random.random() < 0.1:
            return f'((uint)get_{self.random.choice(["num_groups", "local_size", "global_offset", "global_size", "group_id"])}' \
                f'({self.random.randrange(3)}) + {self.number()})'
        return super().uniform()

    def value(self, depth=2):
        if depth > 0 and self.random.random() < 0.2:
            return self.folded(*self.typed.any_type(), 2)
        if depth > 0 and self.random.random() < 0.03:
            return self.from_table()
        return super().value(depth)

    def from_table(self):
        return f'table[{super().value(1)} & 31]'

    def folded(self, kind, width, depth):
        """Any value as a uint."""
        if kind in REALS:
            return f'convert_uint_sat({self.typed.value(kind, 1, depth)})'
        text = self.typed.value(kind, width, depth)
        return f'(uint)({text})' if width == 1 else f'(uint)({text}).s{self.random.randrange(min(width, 10))}'

    # --- Statements

    def leave(self):
        """Nobody ends early."""

    def set_typed(self):
        kind, width = self.random.choice(list(self.typed.variables))
        name = self.random.choice(self.typed.variables[kind, width])
        if width > 1 and self.random.random() < 0.3:
            self.add(f'{name}.s{self.random.randrange(min(width, 10))} = {self.typed.value(kind, 1, 2)};')
        else:
            self.add(f'{name} = {self.typed.value(kind, width, 2)};')

    def use_record(self):
        member, kind, width = self.random.choice([
            ('tag', 'uchar', 1), (f'pair[{super().value(1)} & 1]', 'uint', 1), ('four', 'float', 4), ('wide', 'long', 1)])
        self.add(f'records[{super().value(1)} & 1].{member} = {self.typed.value(kind, width, 1)};')
        self.add(f'd += (uint)records[{super().value(1)} & 1].{self.random.choice(["tag", "pair[d & 1]", "wide"])};')

    def mix_records(self):
        self.add(f'records[{super().value(1)} & 1] = mixed(records[{super().value(1)} & 1], &records[{super().value(1)} & 1], '
                 f'{super().value(1)});')

    def use_memory(self):
        """Vectors in private memory, of one type of element."""
        width, other = self.random.choice(WIDTHS[1:]), self.random.choice(WIDTHS[1:])
        self.add(f'vstore{width}({self.typed.value(self.element, width, 2)}, {super().value(1)} % {32 // width}, elements);')
        self.add(f'c ^= (uint)vload{other}({super().value(1)} % {32 // other}, elements).s1;')

    def store_half(self):
        width = self.random.choice([1, 2, 3, 4, 8, 16])
        mode = self.random.choice(['', '_rte', '_rtz', '_rtp', '_rtn'])
        number = self.typed.value(self.random.choice(REALS), width, 1)
        self.add('{')
        self.add(f'    ushort h[16] = {{0}};')
        self.add(f'    vstore_half{width if width > 1 else ""}{mode}({number}, 0, (__private half *)h);')
        part = f'h[{self.random.randrange(width)}]'
        self.add(f'    b += ({part} & 0x7fff) > 0x7c00 ? 1u : {part};')
        self.add('}')

    def exchange_vectors(self):
        self.note_barrier()
        self.add(f'vstore4({self.typed.value("uint", 4, 2)}, l, w);')
        self.add('barrier(CLK_LOCAL_MEM_FENCE);')
        self.add(f'{self.random.choice("abcd")} += vload4(({self.random.choice([f"l + {self.number()}", super().value(1)])}) & 63, w).s2;')
        self.add('barrier(CLK_LOCAL_MEM_FENCE);')

    def fetch(self):
        self.note_barrier()
        size = self.random.choice([1, 64, 200])
        self.add(f'{{ event_t e = async_work_group_copy(w, in + ({self.uniform()} & 255), {size}, 0); wait_group_events(1, &e); }}')
        self.add(f'{self.random.choice("abcd")} ^= w[{super().value(1)} & 255];')
        self.add('barrier(CLK_LOCAL_MEM_FENCE);')

    def total(self):
        """Atomics whose sum does not depend on the order, and whose results nobody looks at."""
        operation = self.random.choice(list(TOTALS))
        first = 8 * TOTALS[operation]
        operand = '' if operation == 'inc' else f', {super().value(1)}'
        self.add(f'atomic_{operation}(&totals[{first} + ({super().value(1)} & 7)]{operand});')

    def note_barrier(self):
        self.barriers_inside += self.depth > 1

    def exchange(self):
        self.note_barrier()
        super().exchange()

    def help(self):
        self.note_barrier()
        super().help()

    def count(self):
        """Large numbers, too: some are negative as an int."""
        self.note_barrier()
        counter = f't[{self.random.randrange(4)}]'
        operation = self.random.choice(['add', 'sub', 'or', 'and', 'xor', 'max', 'min'])
        self.add(f'atomic_{operation}(&{counter}, {self.typed.value("uint", 1, 2)});')
        self.add('barrier(CLK_LOCAL_MEM_FENCE);')
        self.add(f'{self.random.choice(random_kernels.VARIABLES)} -= {counter};')
        self.add('barrier(CLK_LOCAL_MEM_FENCE);')

    def statement(self, is_uniform, in_loop):
        # PoCL copies what follows a barrier in a branch, and takes minutes for many of them.
        is_uniform = is_uniform and (self.depth == 1 or self.barriers_inside < BARRIERS_INSIDE)
        if self.budget > 0 and self.random.random() < 0.4:
            self.budget -= 1
            ways = [self.set_typed, self.set_typed, self.use_record, self.mix_records, self.use_memory, self.store_half, self.total]
            self.random.choice(ways + [self.exchange_vectors, self.fetch, self.count] * is_uniform)()
        else:
            super().statement(is_uniform, in_loop)

    # --- Results

    def keep(self, text, kind, width=1, units=0):
        """Writes a value's elements to slots."""
        name = self.name('r')
        self.add(f'const {named(kind, width)} {name} = {text};')
        for element in range(width):
            part = name if width == 1 else f'{name}.s{"0123456789abcdef"[element]}'
            bits = f'as_{unsigned_of(kind)}({part})'
            self.add(f'out[{len(self.slots) * self.items} + g] = {bits};')
            self.slots.append((kind, units))

    def keep_all(self):
        for name in random_kernels.VARIABLES:
            self.keep(name, 'uint')
        self.keep('p[a & 3]', 'uint')
        self.keep('f', 'float')
        for (kind, width), names in self.typed.variables.items():
            self.keep(names[0], kind, width)
        for _ in range(self.random.randint(1, 4)):
            kind, width = self.typed.any_type()
            self.keep(self.typed.value(kind, width, 3), kind, width)
        for _ in range(self.random.randint(1, 4)):
            self.keep(*self.functions.call())

    def text(self):
        variables = []
        for _ in range(self.random.randint(2, 4)):
            kind, width = self.typed.any_type()
            if (kind, width) not in self.typed.variables:
                name = self.name('v')
                variables.append(f'    {named(kind, width)} {name} = {self.typed.value(kind, width, 1)};')
                self.typed.variables[kind, width] = [name]
        self.statements()
        self.keep_all()
        is_argument = self.random.random() < 0.5
        lines = '\n'.join(variables + self.lines)
        return f'''
__kernel void {self.name_of_kernel}(__global ulong *out, __global uint *totals, __global const uint *in, uint n,
    __local uint *{'s' if is_argument else 'unused'})
{{
{'' if is_argument else '    __local uint s[64];'}
    __local uint w[256];
{random_kernels.DECLARATIONS}
    record records[2] = {{{{1, {{n, l}}, (float4)(0.5f), 7}}, {{2, {{b, 3}}, (float4)(n), -9}}}};
    {self.element} elements[32] = {{n, l, b, 3, 4, 5, 6, 7, 8, 9}};
    for (uint i = l; i < 256; i += get_local_size(0) * get_local_size(1) * get_local_size(2))
        w[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
{lines}
}}
'''
