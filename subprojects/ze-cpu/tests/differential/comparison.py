# SPDX-License-Identifier: MIT
"""Results of a kernel, compared number by number."""

import math
import struct

TOTALS_BYTES = 256
CODES = {'float': ('<I', '<f'), 'double': ('<Q', '<d')}


def number_of(kind, bits):
    code, unpack = CODES[kind]
    return struct.unpack(unpack, struct.pack(code, bits & ((1 << (8 * struct.calcsize(code))) - 1)))[0]


def ordered(bits, width):
    """Floating-point numbers by rank: neighbours differ by one, and both zeros are 0."""
    sign = 1 << (width - 1)
    return -(bits - sign) if bits & sign else bits


def is_near(kind, units, one, other):
    """Are two results, given as bits, the same number or at most so many units in the last place apart? None: the same."""
    if one == other:
        return True
    if kind not in CODES:
        return False
    width = 8 * struct.calcsize(CODES[kind][0])
    if (one | other) >> width:
        return False
    numbers = [number_of(kind, bits) for bits in (one, other)]
    if any(map(math.isnan, numbers)):
        return all(map(math.isnan, numbers))
    return units is not None and abs(ordered(one, width) - ordered(other, width)) <= units


def shown(kind, bits):
    return f'{bits:#x} ({number_of(kind, bits)!r})' if kind in CODES else f'{bits:#x}'


def first_difference(kernel, one, other, is_strict):
    """'', or what is to be said of the first element that differs. No units are allowed if `is_strict`."""
    if one == other:
        return ''
    end = kernel.result_bytes()
    for place, (a, b) in enumerate(zip(*(struct.unpack(f'<{end // 8}Q', data[:end]) for data in (one, other)))):
        (kind, units), item = kernel.slots[place // kernel.items], place % kernel.items
        if not is_near(kind, None if is_strict else units, a, b):
            allowed = f', {units} units allowed' if units and not is_strict else ''
            return f'out[{place - item} + g] of work-item {item}, {kind}{allowed}: {shown(kind, a)} and {shown(kind, b)}'
    for place, (a, b) in enumerate(zip(*(struct.unpack(f'<{TOTALS_BYTES // 4}I', data[end:]) for data in (one, other)))):
        if a != b:
            return f'totals[{place}]: {a:#x} and {b:#x}'
    return ''
