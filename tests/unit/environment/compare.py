#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares docs/environment.md with the code, both ways: each variable that the code reads stands on the page with the files
of the library and the drivers that read it, and nothing else does; of Mezzanine's own the values and defaults are those of
lib/base/environment.def.

compare.py SOURCE_ROOT
"""

import pathlib
import re
import sys

PAGE = "docs/environment.md"
TABLE = "lib/base/environment.def"
FOLDERS = ("lib", "tools", "subprojects")

# A string that looks like the name of a variable, in code. Codes of errors look so, too.
NAME = re.compile(r'"((?:MEZ|ZE|ZES|ZET|ZEX|ZEL)_[A-Z0-9_]+)=?"')
NO_VARIABLE = re.compile(r"MEZ_ERRC_|MEZ_SUCCESS|ZE_RESULT_")
GETENV = re.compile(r"getenv\(\s*([^)]*?)\s*\)")
STRING = re.compile(r'"([^"\\]*)"')


def without_comments(text):
    return re.sub(r"//[^\n]*", "", text)


def read_table(root):
    """{name: (values, default)} of the library's own variables."""
    text = without_comments((root / TABLE).read_text(encoding="utf-8"))
    entries = re.findall(r'MEZ_VARIABLE\(\s*(\w+),\s*((?:"[^"]*"\s*)+),\s*((?:"[^"]*"\s*)+),\s*(?:"[^"]*"\s*)+\)', text)
    return {f"MEZ_{name}": tuple("".join(STRING.findall(part)) for part in parts) for name, *parts in entries}


def read_page(root):
    """{name: (values, default, files)} of all tables, and what is wrong with them."""
    rows, wrong = {}, []
    for line in (root / PAGE).read_text(encoding="utf-8").splitlines():
        if not line.startswith("| `"):
            continue
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        name = cells[0].strip("`")
        if len(cells) != 5:
            wrong.append(f"{PAGE}: the row of {name} has {len(cells)} cells instead of 5")
            continue
        if name in rows:
            wrong.append(f"{PAGE}: {name} stands there twice")
        files = set(re.findall(r"`([^` ]+/[^` ]+)`", cells[4]))
        rows[name] = (cells[1].replace("`", ""), cells[2].replace("`", ""), files)
    return rows, wrong


def resolve(argument, text):
    """The name that getenv is given: a literal or a macro of the same file; None for a parameter, whose values other literals are."""
    literal = STRING.fullmatch(argument)
    macro = re.search(rf'#define {re.escape(argument)} "([^"]+)"', text)
    return literal.group(1) if literal else macro.group(1) if macro else None


def names_in(text):
    names = {name for name in NAME.findall(text) if not NO_VARIABLE.match(name)}
    names |= {f"MEZ_{name}" for name in re.findall(r"\bMEZ_VARIABLE_(\w+)", text) if name != "COUNT"}
    names |= {name for name in (resolve(argument, text) for argument in GETENV.findall(text)) if name}
    # What the cache's key takes from the environment, prefixes among it.
    for listed in re.findall(r"\bvariables\[\] = \{(.*?)\}", text, re.S):
        names |= {name[:-1] if name.endswith("=") else f"{name}..." for name in STRING.findall(listed)}
    # What the key of a compilation takes, by whole names.
    for listed in re.findall(r"\bclang_variables\[\] = \{(.*?)\}", text, re.S):
        names |= set(STRING.findall(listed))
    return names


def read_code(root):
    """{name: files that read it}"""
    read = {}
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*.[ch]")):
            path = str(file.relative_to(root))
            if path.startswith("lib/base/environment.") or re.match("subprojects/[^/]+/tests/", path):
                continue
            for name in names_in(without_comments(file.read_text(encoding="utf-8"))):
                read.setdefault(name, set()).add(path.removeprefix("subprojects/"))
    return read


def compare_names(page, read, table):
    for name in sorted(read.keys() - page.keys()):
        yield f"{PAGE} lacks {name}, which {', '.join(sorted(read[name]))} reads"
    for name in sorted(page.keys() - read.keys()):
        yield f"{PAGE} has {name}, which nothing reads"
    for name in sorted(name for name in read if name.startswith("MEZ_") and name not in table):
        yield f"{TABLE} lacks {name}: read it by mez_setting (lib/base/environment.h)"


def compare_rows(page, read, table):
    for name, (values, default, files) in page.items():
        wanted = {file for file in read.get(name, files) if not file.startswith("tools/")}
        if files != wanted:
            yield f"{PAGE}: {name} is read in {sorted(wanted)}, not in {sorted(files)}"
        if name in table and (values, default) != table[name]:
            yield f"{PAGE}: values and default of {name} are {(values, default)}, in {TABLE} {table[name]}"


def main():
    root = pathlib.Path(sys.argv[1])
    table, read = read_table(root), read_code(root)
    page, wrong = read_page(root)
    if not table:
        wrong.append(f"{TABLE} can't be read")
    wrong += compare_names(page, read, table)
    wrong += compare_rows(page, read, table)
    for sentence in wrong:
        print("not ok -", sentence)
    if not wrong:
        print(f"ok - {len(page)} variables of {PAGE} are those that the code reads")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
