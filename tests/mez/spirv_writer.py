# SPDX-License-Identifier: MIT
"""Writes SPIR-V modules of many small kernels, some of which use double."""

import struct

ENTRY_POINT, CAPABILITY, MEMORY_MODEL = 15, 17, 14
TYPE_VOID, TYPE_INT, TYPE_FLOAT, TYPE_FUNCTION, CONSTANT = 19, 21, 22, 33, 43
FUNCTION, FUNCTION_PARAMETER, FUNCTION_END, LABEL, RETURN, CONVERT_U_TO_F, F_ADD = 54, 55, 56, 248, 253, 112, 129
VOID, FUNCTION_TYPE, DOUBLE, UINT, ONE, FIRST = 1, 2, 3, 4, 5, 6
IDS = 5
CONSTANTS = "constants"


def instruction(opcode, *words):
    return struct.pack(f"<{len(words) + 1}I", (len(words) + 1) << 16 | opcode, *words)


def string(text):
    data = (text.encode() if isinstance(text, str) else text) + b"\0"
    data += b"\0" * (-len(data) % 4)
    return struct.unpack(f"<{len(data) // 4}I", data)


def module(kernels):
    """kernels: pairs of a name and whether the kernel uses double: True makes one of a number that the kernel is given, CONSTANTS adds
    constants, which only some compilers see as doubles."""
    ids = range(FIRST, FIRST + IDS * len(kernels), IDS)
    out = [struct.pack("<5I", 0x07230203, 0x00010000, 0, FIRST + IDS * len(kernels), 0)]
    for capability in (4, 6, 10):  # Addresses, Kernel, Float64
        out.append(instruction(CAPABILITY, capability))
    out.append(instruction(MEMORY_MODEL, 2, 2))
    for (name, _), function in zip(kernels, ids):
        out.append(instruction(ENTRY_POINT, 6, function, *string(name)))
    out.append(instruction(TYPE_VOID, VOID))
    out.append(instruction(TYPE_INT, UINT, 32, 0))
    out.append(instruction(TYPE_FUNCTION, FUNCTION_TYPE, VOID, UINT))
    out.append(instruction(TYPE_FLOAT, DOUBLE, 64))
    out.append(instruction(CONSTANT, DOUBLE, ONE, 0, 0x3FF00000))
    for (_, uses_double), function in zip(kernels, ids):
        out.append(instruction(FUNCTION, VOID, function, 0, FUNCTION_TYPE))
        out.append(instruction(FUNCTION_PARAMETER, UINT, function + 1))
        out.append(instruction(LABEL, function + 2))
        if uses_double == CONSTANTS:
            out.append(instruction(F_ADD, DOUBLE, function + 3, ONE, ONE))
        elif uses_double:
            out.append(instruction(CONVERT_U_TO_F, DOUBLE, function + 3, function + 1))
            out.append(instruction(F_ADD, DOUBLE, function + 4, function + 3, function + 3))
        out += [instruction(RETURN), instruction(FUNCTION_END)]
    return b"".join(out)
