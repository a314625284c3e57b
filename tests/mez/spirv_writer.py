# SPDX-License-Identifier: MIT
"""Writes SPIR-V modules of many small kernels, some of which use double."""

import struct

ENTRY_POINT, CAPABILITY, MEMORY_MODEL = 15, 17, 14
TYPE_VOID, TYPE_FLOAT, TYPE_FUNCTION, CONSTANT = 19, 22, 33, 43
FUNCTION, FUNCTION_END, LABEL, RETURN, F_ADD = 54, 56, 248, 253, 129
VOID, FUNCTION_TYPE, DOUBLE, ONE, FIRST = 1, 2, 3, 4, 5


def instruction(opcode, *words):
    return struct.pack(f"<{len(words) + 1}I", (len(words) + 1) << 16 | opcode, *words)


def string(text):
    data = text.encode() + b"\0"
    data += b"\0" * (-len(data) % 4)
    return struct.unpack(f"<{len(data) // 4}I", data)


def module(kernels):
    """kernels: pairs of a name and whether the kernel uses double. Each takes three ids."""
    ids = range(FIRST, FIRST + 3 * len(kernels), 3)
    out = [struct.pack("<5I", 0x07230203, 0x00010000, 0, FIRST + 3 * len(kernels), 0)]
    for capability in (4, 6, 10):  # Addresses, Kernel, Float64
        out.append(instruction(CAPABILITY, capability))
    out.append(instruction(MEMORY_MODEL, 2, 2))
    for (name, _), function in zip(kernels, ids):
        out.append(instruction(ENTRY_POINT, 6, function, *string(name)))
    out.append(instruction(TYPE_VOID, VOID))
    out.append(instruction(TYPE_FUNCTION, FUNCTION_TYPE, VOID))
    out.append(instruction(TYPE_FLOAT, DOUBLE, 64))
    out.append(instruction(CONSTANT, DOUBLE, ONE, 0, 0x3FF00000))
    for (_, uses_double), function in zip(kernels, ids):
        out.append(instruction(FUNCTION, VOID, function, 0, FUNCTION_TYPE))
        out.append(instruction(LABEL, function + 1))
        if uses_double:
            out.append(instruction(F_ADD, DOUBLE, function + 2, ONE, ONE))
        out += [instruction(RETURN), instruction(FUNCTION_END)]
    return b"".join(out)
