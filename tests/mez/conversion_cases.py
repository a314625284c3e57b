#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs every conversion of OpenCL C (convert_T, with _sat, with each rounding mode, from each type, of each width), and compares the results
with those of the specification, section 6.2.3, which are computed here by whole numbers and fractions.

conversion_cases.py MEZ [TYPE...]

TYPE: convert only from these. What the specification leaves open (values out of range without _sat) is not compared.
"""

import fractions
import math
import os
import struct
import subprocess
import sys
import tempfile

# struct's letter, bits; bits of the significand and least exponent of floating point.
INTEGERS = {"char": ("b", 8), "uchar": ("B", 8), "short": ("h", 16), "ushort": ("H", 16), "int": ("i", 32), "uint": ("I", 32),
            "long": ("q", 64), "ulong": ("Q", 64)}
FLOATS = {"half": ("e", 11, -24, 15), "float": ("f", 24, -149, 127), "double": ("d", 53, -1074, 1023)}
MODES = ("", "_rte", "_rtz", "_rtp", "_rtn")
WIDTHS = (1, 2, 3, 4, 8, 16)
MULTIPLE = 48  # of every width

# Integers next to what the types can hold, and fractions that are halves, and next to halves.
EDGES = (0, 1, 2, 3, 5, 127, 128, 129, 255, 256, 257, 2047, 2049, 4097, 32767, 32768, 32769, 65503, 65504, 65519, 65520, 65535, 65536,
         16777215, 16777217, 16777219, 33554433, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53 + 1, 2 ** 53 + 3,
         2 ** 62 + 1, 2 ** 63 - 1, 2 ** 63, 2 ** 63 + 2 ** 39, 2 ** 63 + 2 ** 39 + 1, 2 ** 63 + 1025, 2 ** 64 - 1025, 2 ** 64 - 1)
PARTS = (0.5, 1.5, 2.5, 0.49999997, 0.4999999999999999, 126.5, 127.5, 254.5, 255.49, 255.5, 32766.5, 32767.5, 65534.5, 65535.5, 1e-3, 1e-7,
         6e-8, 3e-8, 2.98e-8, 1e-40, 1e-45, 7e-46, 5e-324, 1e-310, 2147483646.5, 2147483647.5, 4294967294.5, 4294967295.5, 3.4028235e38,
         3.4028236e38, 1e300, 65519.99, math.inf, math.nan)


class Failure(Exception):
    pass


def letter(kind):
    return (INTEGERS.get(kind) or FLOATS[kind])[0]


def span(kind):
    bits, is_signed = INTEGERS[kind][1], not kind.startswith("u")
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)


def whole(value, mode):
    """value, a fraction, as an integer."""
    if mode == "_rtp":
        return math.ceil(value)
    if mode == "_rtn":
        return math.floor(value)
    return round(value) if mode == "_rte" else math.trunc(value)


def to_float(value, kind, mode):
    """The nearest value of the type in the direction of the mode, as a fraction or an infinity."""
    _, digits, least, most = FLOATS[kind]
    if value == 0 or isinstance(value, float):
        return value
    size = abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= fractions.Fraction(2) ** exponent > size
    step = fractions.Fraction(2) ** max(exponent - digits + 1, least)
    rounded = whole(value / step, mode or "_rte") * step
    limit = fractions.Fraction(2) ** (most + 1)
    if abs(rounded) < limit:
        return rounded
    is_infinite = mode in ("", "_rte") or (mode == "_rtp" and value > 0) or (mode == "_rtn" and value < 0)
    largest = limit - fractions.Fraction(2) ** (most - digits + 1)
    return math.copysign(math.inf, value) if is_infinite else largest * (1 if value > 0 else -1)


def expected(value, kind, saturates, mode):
    """None: the specification leaves it open."""
    if kind in FLOATS:
        return to_float(value, kind, mode)
    low, high = span(kind)
    if isinstance(value, float):  # an infinity or not a number
        return None if not saturates else 0 if value != value else high if value > 0 else low
    number = whole(value, mode)
    if low <= number <= high:
        return number
    return None if not saturates else low if number < low else high


def inputs_of(kind):
    """Values that the type can hold, as Python's numbers."""
    if kind in INTEGERS:
        low, high = span(kind)
        values = [number for edge in EDGES for number in (edge, -edge) if low <= number <= high]
    else:
        pieces = [float(edge) for edge in EDGES] + list(PARTS)
        values = []
        for piece in pieces:
            try:
                values += [struct.unpack("<" + letter(kind), struct.pack("<" + letter(kind), sign * piece))[0] for sign in (1, -1)]
            except OverflowError:
                continue
    return list(dict.fromkeys(values))


def exact(value):
    return value if isinstance(value, float) and not math.isfinite(value) else fractions.Fraction(value)


def conversions():
    return [(kind, saturates, mode) for kind in (*INTEGERS, *FLOATS) for saturates in (False, True) for mode in MODES
            if kind in INTEGERS or not saturates]


def name_of(kind, width, saturates, mode):
    return f"convert_{kind}{width if width > 1 else ''}{'_sat' if saturates else ''}{mode}"


def source(kind, width, count):
    """A program whose work-items convert a vector each. What is done with it is chosen by an argument, as large functions without branches take
    compilers long."""
    lines = ["#pragma OPENCL EXTENSION cl_khr_fp16 : enable", "#pragma OPENCL EXTENSION cl_khr_fp64 : enable",
             "kernel void convert_all(global const {kind} *in, global uchar *out)".replace("{kind}", kind), "{",
             "    const size_t i = get_global_id(0);", "    switch (get_global_id(1)) {"]
    load = f"vload{width}(i, in)" if width > 1 else "in[i]"
    at = 0
    for number, (to, saturates, mode) in enumerate(conversions()):
        call = f"{name_of(to, width, saturates, mode)}({load})"
        place = f"(global {to} *)(out + {at})"
        lines.append(f"    case {number}: " + (f"vstore{width}({call}, i, {place});" if width > 1 else f"({place})[i] = {call};") + " break;")
        at += count * struct.calcsize(letter(to))
    return "\n".join(lines) + "\n    }\n}\n", at


def is_same(got, wanted):
    if isinstance(wanted, float) and wanted != wanted:
        return got != got
    return exact(got) == wanted


def compare(kind, width, values, data):
    at, wrong = 0, []
    for to, saturates, mode in conversions():
        results = struct.unpack_from(f"<{len(values)}{letter(to)}", data, at)
        at += len(values) * struct.calcsize(letter(to))
        for value, got in zip(values, results):
            wanted = expected(exact(value), to, saturates, mode)
            if wanted is not None and not is_same(got, wanted):
                wrong.append(f"{name_of(to, width, saturates, mode)}(({kind}){value!r}) is {got!r}, not "
                             f"{wanted if isinstance(wanted, (float, int)) else float(wanted)!r}")
                break
    return wrong


def try_type(mez, kind, folder):
    values = inputs_of(kind)
    values = (values * MULTIPLE)[:-(-len(values) // MULTIPLE) * MULTIPLE]
    paths = [os.path.join(folder, name) for name in ("k.cl", "in", "out", "k.spv")]
    with open(paths[1], "wb") as file:
        file.write(struct.pack(f"<{len(values)}{letter(kind)}", *values))
    wrong = []
    for width in WIDTHS:
        text, size = source(kind, width, len(values))
        with open(paths[0], "w", encoding="ascii") as file:
            file.write(text)
        run(mez, "compile", "-o", paths[3], paths[0])
        run(mez, "run", paths[3], "convert_all", "--global", f"{len(values) // width},{len(conversions())}", f"buf:{kind}:{len(values)}=@{paths[1]}",
            f"buf:uchar:{size}", "--save", f"1={paths[2]}")
        with open(paths[2], "rb") as file:
            wrong += compare(kind, width, values, file.read())
    return wrong


def run(mez, *arguments):
    result = subprocess.run([mez, *arguments], capture_output=True, text=True, timeout=300, check=False)
    if result.returncode != 0:
        raise Failure(f"`mez {' '.join(arguments)}` ends with {result.returncode}: {result.stderr[:4000]}")


def main():
    mez, kinds = os.path.abspath(sys.argv[1]), sys.argv[2:] or [*INTEGERS, *FLOATS]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            wrong += try_type(mez, kind, folder)
    print("\n".join(wrong))
    tried = len(kinds) * len(conversions()) * len(WIDTHS)
    print(f"conversions: {tried - len(wrong)} passed, {len(wrong)} failed, 0 skipped")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(str(failure))
