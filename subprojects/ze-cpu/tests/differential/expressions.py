# SPDX-License-Identifier: MIT
"""Random expressions of OpenCL C that have one result: on integers of all types, and on floating-point numbers with operations
that are rounded correctly.

What is undefined, or left to the implementation, is kept out by the form of the expression: signed sums are made of unsigned
ones, divisors are odd, numbers become integers with saturation. The sign of a NaN is not looked at.
"""

SIGNED = ['char', 'short', 'int', 'long']
UNSIGNED = ['uchar', 'ushort', 'uint', 'ulong']
INTEGERS = SIGNED + UNSIGNED
REALS = ['float', 'double']
BITS = dict(zip(SIGNED + UNSIGNED + REALS, [8, 16, 32, 64] * 2 + [32, 64]))
WIDTHS = [1, 2, 3, 4, 8, 16]
SCALAR_OFTEN = [1, 1, 1] + WIDTHS
ROUNDINGS = ['', '_rte', '_rtz', '_rtp', '_rtn']
LETTERS = '0123456789abcdef'
VECTORS_OF_INPUT = 32  # of 16 elements and 8 bytes each, with room behind them


def signed_of(kind):
    return next(other for other in SIGNED if BITS[other] == BITS[kind])


def unsigned_of(kind):
    return 'u' + signed_of(kind)


def named(kind, width):
    return kind if width == 1 else f'{kind}{width}'


def cast(kind, width, text):
    """Back from int, which narrow numbers become in an operation; vectors stay what they are."""
    return f'({kind})({text})' if width == 1 else f'({text})'


class Expressions:
    """`leaf` returns the text of some value of type uint; `variables` are the others in sight, by type and width."""

    def __init__(self, random, leaf):
        self.random, self.leaf = random, leaf
        self.variables = {}

    def any_type(self, kinds=tuple(INTEGERS + REALS), widths=tuple(SCALAR_OFTEN)):
        return self.random.choice(kinds), self.random.choice(widths)

    def value(self, kind, width, depth):
        """An expression of that type."""
        return self.integer(kind, width, depth) if kind in INTEGERS else self.real(kind, width, depth)

    def integer(self, kind, width, depth):
        return self.pick([self.wrapped, self.shifted, self.divided, self.called, self.called, self.converted, self.reinterpreted,
                          self.compared], kind, width, depth)

    def real(self, kind, width, depth):
        return self.pick([self.computed, self.computed, self.rounded, self.scaled, self.converted, self.reinterpreted,
                          self.stepped], kind, width, depth)

    def pick(self, ways, kind, width, depth):
        if depth <= 0 or self.random.random() < 0.15:
            ways = [self.variable, self.variable, self.load, self.literal]
        else:
            ways = ways + [self.composed, self.swizzled, self.shuffled, self.chosen]
        for _ in range(8):
            text = self.random.choice(ways)(kind, width, depth - 1)
            if text:
                return text
        return self.load(kind, width, 0)

    # --- Leaves

    def variable(self, kind, width, _):
        return self.random.choice(self.variables.get((kind, width)) or [None])

    def load(self, kind, width, _):
        where = f'{self.leaf()} & {VECTORS_OF_INPUT - 1}'
        if kind == 'float' and self.random.random() < 0.3:
            return f'vload_half{width if width > 1 else ""}({where}, (__global const half *)in)'
        pointer = f'(__global const {kind} *)in'
        return f'(({pointer})[{where}])' if width == 1 else f'vload{width}({where}, {pointer})'

    def literal(self, kind, width, _):
        return f'({named(kind, width)})({self.real_literal(kind) if kind in REALS else self.integer_literal(kind)})'

    def real_literal(self, kind):
        text = self.random.choice(['0.0', '1.0', '-1.5', '0.1', '3.0e7', '-0x1.8p31', '1.0e-3', '0x1p52', '2147483648.0'])
        return text + ('f' if kind == 'float' else '')

    def integer_literal(self, kind):
        bits = BITS[kind]
        number = self.random.choice([0, 1, 2, 3, 10, 1 << (bits - 1), (1 << (bits - 1)) - 1, (1 << bits) - 1,
                                     self.random.getrandbits(bits)])
        return f'({kind}){hex(number)}ul'

    # --- What all types have

    def composed(self, kind, width, depth):
        if width == 1:
            other = self.random.choice(WIDTHS[1:])
            # Without the cast clang 15 crashes where it becomes an element of a vector that has been written out.
            return f'({kind})(({self.value(kind, other, depth)}).s{LETTERS[self.random.randrange(other)]})'
        first = 1 if width == 3 else width // 2
        return f'({kind}{width})({self.value(kind, first, depth)}, {self.value(kind, width - first, depth)})'

    def swizzled(self, kind, width, depth):
        if width == 1:
            return None
        other = self.random.choice(WIDTHS[1:])
        text = f'({self.value(kind, other, depth)})'
        if other == 2 * width:
            return f'{text}.{self.random.choice(["lo", "hi", "even", "odd"])}'
        return text + '.s' + ''.join(LETTERS[self.random.randrange(other)] for _ in range(width))

    def shuffled(self, kind, width, depth):
        if width in (1, 3):
            return None
        mask, other = self.integer(unsigned_of(kind), width, depth), self.random.choice([2, 4, 8, 16])
        if self.random.random() < 0.5:
            return f'shuffle({self.value(kind, other, depth)}, {mask})'
        return f'shuffle2({self.value(kind, other, 0)}, {self.value(kind, other, depth)}, {mask})'

    def chosen(self, kind, width, depth):
        left, right = self.value(kind, width, depth), self.value(kind, width, depth)
        if width == 1 and self.random.random() < 0.5:
            return f'({kind})({self.comparison(depth)} ? {left} : {right})'
        if kind in INTEGERS and self.random.random() < 0.3:
            return f'bitselect({left}, {right}, {self.integer(kind, width, depth)})'
        choice = self.random.choice([signed_of(kind), unsigned_of(kind)])
        return f'select({left}, {right}, {self.integer(choice, width, depth)})'

    def comparison(self, depth):
        kind = self.random.choice(INTEGERS + REALS)
        operator = self.random.choice(['<', '<=', '>', '>=', '==', '!='])
        return f'{self.value(kind, 1, depth)} {operator} {self.value(kind, 1, depth)}'

    def reinterpreted(self, kind, width, depth):
        types = [(other, wide) for other in INTEGERS for wide in WIDTHS
                 if BITS[other] * wide == BITS[kind] * width and (wide == 3) == (width == 3)]
        other, wide = self.random.choice(types)
        text = self.integer(other, wide, depth)
        if wide == 1:  # a constant would become a vector of one element, which llvm-spirv 15 does not know; l is below 64
            text = f'({other})({text} ^ ({other})(l >> 6))'
        return f'as_{named(kind, width)}({text})'

    def converted(self, kind, width, depth):
        other = self.random.choice(INTEGERS + REALS)
        modes = self.random.choice(ROUNDINGS)
        if kind in INTEGERS and (other in REALS or self.random.random() < 0.5):
            modes = '_sat' + modes
        return f'convert_{named(kind, width)}{modes}({self.value(other, width, depth)})'

    # --- Integers

    def wrapped(self, kind, width, depth):
        left, right = self.integer(kind, width, depth), self.integer(kind, width, depth)
        operator = self.random.choice(['+', '-', '*', '+', '-', '*', '&', '|', '^'])
        if width > 1:
            wraps = f'as_{named(unsigned_of(kind), width)}'
            return f'as_{named(kind, width)}({wraps}({left}) {operator} {wraps}({right}))'
        wraps = 'ulong' if BITS[kind] == 64 else 'uint'
        return f'({kind})(({wraps}){left} {operator} ({wraps}){right})'

    def shifted(self, kind, width, depth):
        left, right = self.integer(kind, width, depth), self.integer(kind, width, depth)
        if kind in SIGNED or self.random.random() < 0.5:
            return cast(kind, width, f'{left} >> {right}')
        promoted = '(uint)' if width == 1 and BITS[kind] < 32 else ''
        return cast(kind, width, f'{promoted}{left} << {right}')

    def divided(self, kind, width, depth):
        """Halved, the dividend is never the lowest number, whose quotient by -1 there is not."""
        type_name = named(kind, width)
        left, right = self.integer(kind, width, depth), self.integer(kind, width, depth)
        half = f'({left} >> ({type_name})1)' if kind in SIGNED else left
        odd = cast(kind, width, f'{right} | ({type_name})1')
        return cast(kind, width, f'{half} {self.random.choice("/%")} {odd}')

    def called(self, kind, width, depth):
        x, y, z = (self.integer(kind, width, depth) for _ in range(3))
        way = self.random.randrange(6)
        if way == 0:
            return f'{self.random.choice(["popcount", "clz"])}({x})'
        if way == 1:
            return f'{self.random.choice(["add_sat", "sub_sat", "hadd", "rhadd", "max", "min", "mul_hi", "rotate"])}({x}, {y})'
        if way == 2:
            return f'{self.random.choice(["mad_hi", "mad_sat"])}({x}, {y}, {z})'
        if way == 3:
            return f'clamp({x}, min({y}, {z}), max({y}, {z}))'
        if way == 4:
            return self.differing(kind, width, depth)
        return self.narrow(kind, width, depth)

    def differing(self, kind, width, depth):
        """abs and abs_diff give unsigned numbers."""
        other = self.random.choice([kind, signed_of(kind)])
        # Halves, as PoCL's own differences overflow: docs/internals/cpu-driver.md.
        x, y = (cast(other, width, f'{self.integer(other, width, depth)} >> ({named(other, width)})1') for _ in range(2))
        return f'as_{named(kind, width)}({self.random.choice([f"abs({x})", f"abs_diff({x}, {y})"])})'

    def narrow(self, kind, width, depth):
        """Products of 24 bits, whose operands must have no more, and numbers of two halves."""
        if kind in ('int', 'uint') and self.random.random() < 0.6:
            cut = f'>> ({named(kind, width)}){17 if kind == "int" else 8}'
            x, y, z = (f'({self.integer(kind, width, depth)} {cut})' for _ in range(3))
            return self.random.choice([f'mul24({x}, {y})', f'mad24({x}, {y}, {z})'])
        if BITS[kind] == 8:
            return None
        low = UNSIGNED[[8, 16, 32].index(BITS[kind] // 2)]
        high = signed_of(low) if kind in SIGNED else low
        return f'upsample({self.integer(high, width, depth)}, {self.integer(low, width, depth)})'

    def compared(self, kind, width, depth):
        """Comparisons of vectors give signed numbers as wide as what is compared, those of scalars an int."""
        of = self.random.choice([other for other in INTEGERS + REALS if width == 1 or BITS[other] == BITS[kind]])
        x, y = self.value(of, width, depth), self.value(of, width, depth)
        text = f'({x} {self.random.choice(["<", "<=", ">", ">=", "==", "!="])} {y})'
        if of in REALS:
            text = self.random.choice([
                text, f'{self.random.choice(["isnan", "isinf", "isfinite", "isnormal"])}({x})',
                f'{self.random.choice(["isequal", "isnotequal", "isless", "isgreaterequal", "islessgreater", "isordered", "isunordered"])}'
                f'({x}, {y})', f'signbit({self.load(of, width, 0)})'])
        elif of in SIGNED and width > 1 and self.random.random() < 0.2:
            return f'({named(kind, width)})(({kind}){self.random.choice(["any", "all"])}({x} < {y}))'
        return f'({kind})({text})' if width == 1 else f'as_{named(kind, width)}({text})'

    # --- Numbers with fractions

    def computed(self, kind, width, depth):
        x, y, z = (self.real(kind, width, depth) for _ in range(3))
        ways = [f'({x} + {y})', f'({x} - {y})', f'({x} * {y})', f'fma({x}, {y}, {z})', f'fdim({x}, {y})']
        if width == 1:  # PoCL's of vectors do not end: docs/internals/cpu-driver.md
            ways += [f'fmod({x}, {y})', f'remainder({x}, {y})']
        if kind == 'double':
            ways += [f'({x} / {y})', f'sqrt({x})']
        return self.random.choice(ways)

    def rounded(self, kind, width, depth):
        return f'{self.random.choice(["floor", "ceil", "trunc", "rint", "round", "fabs", "-"])}({self.real(kind, width, depth)})'

    def scaled(self, kind, width, depth):
        integers = named('int', width)
        exponents = f'({self.integer("int", width, depth)} & ({integers})127) - ({integers})64'
        return f'ldexp({self.real(kind, width, depth)}, {exponents})'

    def stepped(self, kind, width, depth):
        x, y = self.real(kind, width, depth), self.real(kind, width, depth)
        return self.random.choice([f'nextafter({x}, {y})', f'logb({x})', f'sign({x})', f'copysign({x}, {self.load(kind, width, 0)})'])
