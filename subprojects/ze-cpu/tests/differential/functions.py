# SPDX-License-Identifier: MIT
"""Calls of functions whose results may differ by some units in the last place: those of section 7.4 of OpenCL C's
specification, for the full profile. Their arguments are exact, and no further operations follow.
"""

# Units for float, then for double.
UNARY = {
    'acos': (4, 4), 'acosh': (4, 4), 'acospi': (5, 5), 'asin': (4, 4), 'asinh': (4, 4), 'asinpi': (5, 5), 'atan': (5, 5),
    'atanh': (5, 5), 'atanpi': (5, 5), 'cbrt': (2, 2), 'cos': (4, 4), 'cosh': (4, 4), 'cospi': (4, 4), 'erf': (16, 16),
    'erfc': (16, 16), 'exp': (3, 3), 'exp2': (3, 3), 'exp10': (3, 3), 'expm1': (3, 3), 'log': (3, 3), 'log2': (3, 3),
    'log10': (3, 3), 'log1p': (2, 2), 'rsqrt': (2, 2), 'sin': (4, 4), 'sinh': (4, 4), 'sinpi': (4, 4), 'sqrt': (3, 0), 'tan': (5, 5),
    'tanh': (5, 5), 'tanpi': (6, 6), 'tgamma': (16, 16)}
BINARY = {
    'atan2': (6, 6), 'atan2pi': (6, 6), 'fmax': (0, 0), 'fmin': (0, 0), 'hypot': (4, 4), 'maxmag': (0, 0), 'minmag': (0, 0),
    'pow': (16, 16), 'powr': (16, 16)}
WITH_INTEGER = {'pown': (16, 16), 'rootn': (16, 16)}
ONE_BY_ONE = ['cos', 'pow', 'pown', 'powr', 'rootn', 'sin', 'tan']
WIDTHS = [1, 1, 1, 2, 3, 4, 8, 16]


class Functions:
    def __init__(self, random, typed):
        self.random, self.typed = random, typed

    def argument(self, kind, width):
        """Any number, or one of ordinary size."""
        if self.random.random() < 0.3:
            return self.typed.load(kind, width, 0)
        scale = f'({kind}){self.random.choice(["0x1p-31", "0x1p-28", "0x1p-25", "0x1p-20"])}'
        integers = self.typed.integer('int', width, 1)
        suffix = '' if width == 1 else str(width)
        return f'convert_{kind}{suffix}({integers}) * {scale}'

    def call(self):
        """Text, type, width and units of a call."""
        way = self.random.choice([self.of_one, self.of_one, self.of_one, self.of_two, self.of_integer, self.divided, self.geometric,
                                  self.by_pointer])
        kind, width = self.random.choice(['float', 'double']), self.random.choice(WIDTHS)
        return way(kind, width)

    def units(self, pair, kind):
        """What two implementations may be apart, either on its own side."""
        return 2 * pair[kind == 'double']

    def width_for(self, name, width):
        """In PoCL's vectors of these one element can change another: docs/internals/cpu-driver.md."""
        return 1 if name in ONE_BY_ONE else width

    def of_one(self, kind, width):
        name = self.random.choice(list(UNARY))
        width = self.width_for(name, width)
        return f'{name}({self.argument(kind, width)})', kind, width, self.units(UNARY[name], kind)

    def of_two(self, kind, width):
        name = self.random.choice(list(BINARY))
        width = self.width_for(name, width)
        return f'{name}({self.argument(kind, width)}, {self.argument(kind, width)})', kind, width, self.units(BINARY[name], kind)

    def of_integer(self, kind, width):
        name = self.random.choice(list(WITH_INTEGER))
        width = self.width_for(name, width)
        integers = 'int' if width == 1 else f'int{width}'
        exponent = f'({self.typed.integer("int", width, 1)} >> ({integers})27) | ({integers})1'
        return f'{name}({self.argument(kind, width)}, {exponent})', kind, width, self.units(WITH_INTEGER[name], kind)

    def divided(self, kind, width):
        return f'({self.argument(kind, width)}) / ({self.argument(kind, width)})', kind, width, self.units((3, 0), kind)

    def geometric(self, kind, _):
        """Small numbers, with which sums of products are exact."""
        width = self.random.choice([2, 3, 4])
        integers = f'int{width}'
        x, y = (f'convert_{kind}{width}({self.typed.integer("int", width, 1)} >> ({integers})25)' for _ in range(2))
        if width > 2 and self.random.random() < 0.3:
            return f'cross({x}, {y})', kind, width, 0
        name, units = self.random.choice([('dot', 0), ('distance', 10), ('length', 10)])
        return (f'{name}({x})' if name == 'length' else f'{name}({x}, {y})'), kind, 1, units

    def by_pointer(self, kind, width):
        """Functions with a second result."""
        name = kind if width == 1 else f'{kind}{width}'
        integers = 'int' if width == 1 else f'int{width}'
        x, y = self.argument(kind, width), self.argument(kind, width)
        form, units = self.random.choice([
            (f'({{ {name} t; {name} u = modf({x}, &t); u + t; }})', 0),
            (f'({{ {integers} t; {name} u = frexp({x}, &t); u; }})', 0),
            (f'({{ {name} t; fract({x}, &t); t; }})', 0),
        ] + [(f'({{ {kind} t; sincos({x}, &t); t; }})', 8), (f'({{ int t; remquo({x}, {y}, &t); }})', 0)] * (width == 1))
        return form, kind, width, units
