#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/spirv_grammar.py with a small grammar: spirv_grammar.py SCRIPT"""

import json
import os
import subprocess
import sys
import tempfile

ID = {"kind": "IdRef"}
TYPED = [{"kind": "IdResultType"}, {"kind": "IdResult"}]
GRAMMAR = {
    "instructions": [
        {"opname": "OpName", "opcode": 5, "operands": [ID, {"kind": "LiteralString"}]},
        {"opname": "OpFetch", "opcode": 95, "operands": TYPED + [ID, {"kind": "ImageOperands", "quantifier": "?"}], "capabilities": ["Kernel"]},
        {"opname": "OpMode", "opcode": 16, "operands": [ID, {"kind": "Mode"}]},
        {"opname": "OpModeId", "opcode": 331, "operands": [ID, {"kind": "Mode"}]},
        {"opname": "OpSDot", "opcode": 4450, "aliases": ["OpSDotKHR"], "operands": TYPED + [ID, ID], "capabilities": ["DotKHR"]},
        {"opname": "OpEmit", "opcode": 218, "operands": [], "capabilities": ["Geometry"]},
        {"opname": "OpWrong", "opcode": 5609, "operands": TYPED},
    ],
    "operand_kinds": [
        {"category": "Id", "kind": "IdResultType"}, {"category": "Id", "kind": "IdResult"}, {"category": "Id", "kind": "IdRef"},
        {"category": "Literal", "kind": "LiteralString"}, {"category": "Literal", "kind": "LiteralInteger"},
        {"category": "BitEnum", "kind": "ImageOperands", "enumerants": [{"enumerant": "Bias", "parameters": [ID]}]},
        {"category": "ValueEnum", "kind": "Mode", "enumerants": [
            {"enumerant": "Size", "parameters": [{"kind": "LiteralInteger"}]}, {"enumerant": "SizeId", "parameters": [ID]}]},
        {"category": "ValueEnum", "kind": "Capability", "enumerants": [
            {"enumerant": "Geometry", "value": 2}, {"enumerant": "Kernel", "value": 6}, {"enumerant": "Dot", "value": 6019, "aliases": ["DotKHR"]}]},
    ],
}
NEWER = 'OP(5609, Right, "rs", Asm)\nNUMBER(5606, Asm)\n'
CAPABILITIES = """CAPABILITY(Kernel, COMMON, NONE, 0)
CAPABILITY(Dot, NOBODY, DOT_PRODUCT, Kernel)
CAPABILITY(Asm, NOBODY, ASSEMBLER, 0)
OPS(Fetch, Fetch, IMAGE)
EXTENSION("SPV_KHR_dot", DOT_PRODUCT)
"""
EXPECTED = """OP(5, Name, "is", NONE)
OP(16, Mode, "ilL", NONE)
OP(95, Fetch, "tri?lI", IMAGE)
OP(331, ModeId, "ilI", NONE)
OP(4450, SDot, "trii", DOT_PRODUCT)
OP(5609, Right, "rs", ASSEMBLER)
CAPABILITY(6, Kernel, COMMON, NONE, 0)
CAPABILITY(6019, Dot, NOBODY, DOT_PRODUCT, 6)
CAPABILITY(5606, Asm, NOBODY, ASSEMBLER, 0)
EXTENSION("SPV_KHR_dot", DOT_PRODUCT)
FEATURE(ASSEMBLER)
FEATURE(DOT_PRODUCT)
FEATURE(IMAGE)
"""


def main():
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, text in {"grammar.json": json.dumps(GRAMMAR), "newer.def": NEWER, "capabilities.def": CAPABILITIES}.items():
            paths.append(os.path.join(folder, name))
            with open(paths[-1], "w") as file:
                file.write(text)
        paths.append(os.path.join(folder, "output.def"))
        subprocess.run([sys.executable, sys.argv[1], *paths], check=True)
        with open(paths[-1]) as file:
            rows = "".join(line for line in file if not line.startswith(("#", "//")))
    assert rows == EXPECTED, rows
    return 0


if __name__ == "__main__":
    sys.exit(main())
