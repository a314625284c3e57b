#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the table of SPIR-V's instructions and capabilities that kernels use, from the grammar of spirv-headers.

spirv_grammar.py SPIRV_CORE_GRAMMAR_JSON NEWER_DEF CAPABILITIES_DEF OUTPUT_DEF

NEWER_DEF has what Debian 12's grammar lacks, and goes before the grammar. CAPABILITIES_DEF says which capabilities are known: an
instruction is in the table if it asks for none, or for one of these. The output has
  OP(number, name, layout, feature)                         by number; the layout's letters are explained in lib/spirv/opcodes.h
  CAPABILITY(number, name, speaker, feature, also)          as CAPABILITIES_DEF has it, `also` as a number; 0: none
  EXTENSION(name, feature)                                  as it stands there
  FEATURE(name)                                             each once
"""

import json
import re
import sys

ROW = re.compile(r"^(\w+)\((.*)\)$", re.MULTILINE)
QUANTIFIED = {"": "{}", "?": "?{}", "*": "{}"}


def rows(path):
    """{macro: [[argument, ...], ...]} of a .def file."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for macro, arguments in ROW.findall(file.read()):
            found.setdefault(macro, []).append([argument.strip() for argument in arguments.split(",")])
    return found


class Grammar:
    def __init__(self, path, newer):
        with open(path, encoding="utf-8") as file:
            grammar = json.load(file)
        self.kinds = {kind["kind"]: kind for kind in grammar["operand_kinds"]}
        self.capabilities = {}
        for entry in self.kinds["Capability"]["enumerants"]:
            for name in [entry["enumerant"], *entry.get("aliases", [])]:
                self.capabilities[name] = entry["value"]
        self.capabilities.update({name: int(number) for number, name in newer["NUMBER"]})
        # Of several names of a number the first is the plain one.
        self.instructions = {}
        for entry in grammar["instructions"]:
            asked = {self.capabilities[name] for name in entry.get("capabilities", [])}
            self.instructions.setdefault(entry["opcode"], (entry["opname"][2:], self.layout(entry), asked))
        for number, name, layout, asked in newer["OP"]:
            self.instructions[int(number)] = (name, layout.strip('"'), {self.capabilities[asked]})

    def parameters(self, operand, by_id):
        """What follows a number whose values have operands of their own."""
        kinds = {parameter["kind"] for entry in self.kinds[operand["kind"]]["enumerants"] for parameter in entry.get("parameters", [])}
        if not kinds:
            return ""
        return "I" if by_id or all(self.kinds[kind]["category"] == "Id" for kind in kinds) else "L"

    def letters(self, operand, by_id):
        kind, category = operand["kind"], self.kinds[operand["kind"]]["category"]
        quantifier = operand.get("quantifier", "")
        fixed = {"IdResultType": "t", "IdResult": "r", "LiteralExtInstInteger": "E", "LiteralSpecConstantOpInteger": "O",
                 "LiteralContextDependentNumber": "lL"}
        if kind in fixed:
            return fixed[kind]
        if category == "Composite":
            return "I" if all(self.kinds[base]["category"] == "Id" for base in self.kinds[kind]["bases"]) else "L"
        letter = "i" if category == "Id" else "s" if kind == "LiteralString" else "l"
        if quantifier == "*":
            return letter.upper()
        more = self.parameters(operand, by_id) if category in ("BitEnum", "ValueEnum") else ""
        return QUANTIFIED[quantifier].format(letter) + more

    def layout(self, instruction):
        """What follows operands of any number can't be distinguished from them."""
        layout = ""
        for operand in instruction.get("operands", []):
            if layout.endswith(("I", "L", "E")):
                break
            layout += self.letters(operand, instruction["opname"].endswith("Id"))
        return layout


def features_of(grammar, known):
    """{opcode: feature}: that of what it asks for, where that is one; else that of the ranges by name."""
    by_capability = {grammar.capabilities[name]: feature for name, _, feature, _ in known["CAPABILITY"] if feature != "NONE"}
    numbers = {name: number for number, (name, _, _) in grammar.instructions.items()}
    features = {}
    for number, (_, _, asked) in grammar.instructions.items():
        found = {by_capability[capability] for capability in asked if capability in by_capability}
        if len(found) == 1:
            features[number] = found.pop()
    for first, last, feature in known["OPS"]:
        for number in range(numbers[first], numbers[last] + 1):
            features[number] = feature
    return features


def main():
    grammar_path, newer_path, capabilities_path, output_path = sys.argv[1:]
    known = rows(capabilities_path)
    grammar = Grammar(grammar_path, rows(newer_path))
    features = features_of(grammar, known)
    capabilities = {grammar.capabilities[row[0]] for row in known["CAPABILITY"]}
    lines = []
    for number, (name, layout, asked) in sorted(grammar.instructions.items()):
        if not asked or asked & capabilities:
            lines.append('OP({}, {}, "{}", {})'.format(number, name, layout, features.get(number, "NONE")))
    for name, speaker, feature, also in known["CAPABILITY"]:
        lines.append("CAPABILITY({}, {}, {}, {}, {})".format(grammar.capabilities[name], name, speaker, feature,
                                                             grammar.capabilities[also] if also != "0" else 0))
    lines += ["EXTENSION({}, {})".format(*row) for row in known["EXTENSION"]]
    names = {row[2] for row in known["CAPABILITY"]} | {row[1] for row in known["EXTENSION"]} | {row[2] for row in known["OPS"]}
    lines += ["FEATURE({})".format(name) for name in sorted(names - {"NONE"})]
    macros = {"OP": 4, "CAPABILITY": 5, "EXTENSION": 2, "FEATURE": 1}
    with open(output_path, "w", encoding="utf-8") as file:
        file.write("// Generated by scripts/spirv_grammar.py.\n")
        for macro, count in macros.items():
            file.write("#ifndef {0}\n#define {0}({1})\n#endif\n".format(macro, ", ".join("abcde"[:count])))
        file.write("".join(line + "\n" for line in lines))
        file.write("".join("#undef {}\n".format(macro) for macro in macros))


if __name__ == "__main__":
    main()
