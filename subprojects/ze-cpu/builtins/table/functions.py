# SPDX-License-Identifier: MIT
"""The overloads of OpenCL C's functions, from the patterns of functions.tsv.

A row has alternatives in brackets, "[a;b]", and types that stand for others:

    T       each of the row's types, with each of its widths (@n: 1 2 3 4 8 16)
    S       T's element; "S{m}": a vector of m of these
    J, U    T's signed and unsigned integers of the same size
    W       integers of twice T's size
    R       what comparisons give: int, or J for vectors
    F       each of the types after "F=", with T's width
    A       each type of T's size, of whatever width
    int#    int with T's width
    {T} {n} T or its width as a part of a name, which is empty where it is 1
    T4      T's element, with width 4
    @gl T * a pointer to global (g), local (l), private (p), generic (n) or constant (c) memory, each of those that are named
    =text   is passed as it stands
"""
import itertools
import re

INTEGERS = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"]
FLOATS = ["half", "float", "double"]
SETS = {
    "@integer": INTEGERS,
    "@float": FLOATS,
    "@all": INTEGERS + FLOATS,
    "@word": ["int", "uint", "long", "ulong"] + FLOATS,
}
SIZES = {"char": 1, "short": 2, "half": 2, "int": 4, "float": 4, "long": 8, "double": 8}
SIZES.update({"u" + name: size for name, size in SIZES.items() if name in INTEGERS})
WIDTHS = [1, 2, 3, 4, 8, 16]
SPACES = {"g": "__global", "l": "__local", "p": "__private", "n": "__generic", "c": "__constant"}


class Call:
    """One overload."""

    def __init__(self, function, returns, parameters):
        self.function, self.returns, self.parameters = function, returns, parameters

    def key(self):
        return self.function, tuple(self.parameters)

    def __str__(self):
        return f"{self.returns} {self.function}({', '.join(text.lstrip('=') for text in self.parameters)})"


class Row:
    """One line of the table."""

    def __init__(self, section, feature, returns, functions, parameters, types, widths):
        self.section, self.feature, self.returns = section, feature, returns
        self.functions, self.parameters, self.types, self.widths = functions, parameters, types, widths

    def patterns(self):
        """The names, without alternatives."""
        return [name for text in self.functions.split() for name in alternatives(text)]


def read_rows(path):
    with open(path, encoding="ascii") as file:
        next(file)
        return [Row(*line.rstrip("\n").split("\t")) for line in file]


def alternatives(text):
    parts = [part.split(";") if i % 2 else [part] for i, part in enumerate(re.split(r"\[([^][]*;[^][]*)\]", text))]
    return ["".join(choice) for choice in itertools.product(*parts)]


def vector(scalar, width):
    return scalar if width == 1 else f"{scalar}{width}"


def integer(size, signed):
    return ("" if signed else "u") + {1: "char", 2: "short", 4: "int", 8: "long"}[size]


def expand_set(text):
    return [name for word in text.split() for name in SETS.get(word, [word])]


def same_size(scalar, width):
    """Vectors of three are as large as those of four."""
    size = SIZES[scalar] * (4 if width == 3 else width)
    return [vector(other, n) for other in SETS["@all"] for n in WIDTHS if SIZES[other] * (4 if n == 3 else n) == size]


def bindings(row):
    """For each type and width of the row what its letters stand for."""
    if row.types == "-":
        yield {}
        return
    first, *more = row.types.split("; ")
    others = dict(text.split("=") for text in more)
    widths = WIDTHS if row.widths == "@n" else [int(text) for text in row.widths.split()]
    for scalar, width in itertools.product(expand_set(first), widths):
        size = SIZES[scalar]
        names = {"T": vector(scalar, width), "S": scalar, "J": vector(integer(size, True), width),
                 "U": vector(integer(size, False), width), "n": vector("", width), "int#": vector("int", width),
                 "R": "int" if width == 1 else vector(integer(size, True), width)}
        if size < 8 and scalar in INTEGERS:
            names["W"] = vector(integer(size * 2, scalar[0] != "u"), width)
        for letter, text in others.items():
            choices = (same_size(scalar, width) if letter == "A" else
                       text.split() if letter == "m" else [vector(other, width) for other in expand_set(text)])
            yield from ({**names, letter: choice} for choice in choices)
        if not others:
            yield names


def substitute(text, names):
    if text.startswith("="):
        return text
    text = re.sub(r"\{(\w)\}", lambda match: names[match[1]], text)
    text = re.sub(r"\b([TS])(\d+)\b", lambda match: vector(names["S"], int(match[2])), text)
    text = re.sub(r"\batomic_T\b", lambda match: "atomic_" + names["T"], text)
    return re.sub(r"\b([TSJUWRFA]|int#)(?!\w)", lambda match: names.get(match[1], match[1]), text)


def pointers(text):
    match = re.match(r"@(\w+) (.*)", text)
    return [f"{SPACES[letter]} {match[2]}" for letter in match[1]] if match else alternatives(text)


def split_parameters(text):
    """At commas outside of parentheses and quotes."""
    return [part.strip() for part in re.findall(r'(?:\([^)]*\)|\{[^}]*\}|"[^"]*"|[^,])+', text) if part.strip()]


def expand(row):
    """Each overload of the row once."""
    seen = set()
    for pattern, names in itertools.product(row.patterns(), bindings(row)):
        texts = [pointers(text) for text in split_parameters(row.parameters)]
        for chosen in itertools.product(*texts):
            call = Call(substitute(pattern, names), substitute(row.returns, names), [substitute(text, names) for text in chosen])
            if call.key() not in seen:
                seen.add(call.key())
                yield call


class Feature:
    """One line of features.tsv."""

    def __init__(self, name, declared, state, reason=""):
        self.name, self.is_declared_by_clang = name, declared == "by clang"
        self.state, self.is_present = state, state == "present"
        # What the build log says of a module that uses it.
        self.log = reason or "is not available"

    def description(self):
        return f"refused: {self.log}" if self.state == "refused" else self.state


def read_features(path):
    """By name."""
    with open(path, encoding="ascii") as file:
        next(file)
        features = [Feature(*line.rstrip("\n").split("\t")) for line in file]
    return {feature.name: feature for feature in features}
