#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does what clang-format leaves alone, or tears, fit the page?  layout.py FILE...

Lines of public headers have at most 100 columns, comments included; comments of other files have at most 140. In a public
header a type and the name that it declares stand on one line, so does an enumerator with its value, and a comment behind code
does not go on in the next line. Prints what is wrong as FILE:LINE: REASON.
"""

import pathlib
import re
import sys

PUBLIC_COLUMNS = 100
COMMENT_COLUMNS = 140

# A line that ends between a type and its name; clang-format does that where a comment behind them is too long.
TORN = [
    re.compile(r"^ +(?:const |unsigned |struct )*\w+(?: const)?(?: \*+(?:const \*)?)?$"),
    re.compile(r"^ +\*+\w+(?:\[\w+\])?;"),
    re.compile(r"^ +\w+ =$"),
]
COMMENT = re.compile(r"^ *//")
BEHIND_CODE = re.compile(r"^.*[;,{]\s+// ")
# Statements of inline functions that stand alone on a line, and access to the members of classes.
WORDS = {"else", "do", "try", "return"}


def is_public(path):
    return "include/mezzanine/" in path and "subprojects/" not in path


def is_torn(line):
    return line.strip() not in WORDS and any(pattern.match(line) for pattern in TORN)


def goes_on(before, line):
    """A comment behind code that the line continues, aligned with it."""
    behind = BEHIND_CODE.match(before)
    return behind and COMMENT.match(line) and line.index("//") == before.rindex("// ") > 4


def problems(path, text):
    before, in_macro = "", False
    for number, line in enumerate(text.splitlines(), 1):
        if is_public(path):
            if len(line) > PUBLIC_COLUMNS:
                yield number, f"{len(line)} columns, and public headers have at most {PUBLIC_COLUMNS}"
            if path.endswith((".h", ".h.in")) and not in_macro and is_torn(line):
                yield number, "a declaration is torn apart: put its comment above it"
            if goes_on(before, line):
                yield number, "a comment behind code goes on here: put it above the code"
        elif COMMENT.match(line) and len(line) > COMMENT_COLUMNS:
            yield number, f"{len(line)} columns, and comments have at most {COMMENT_COLUMNS}"
        before, in_macro = line, line.endswith("\\")


def main():
    wrong = 0
    for path in sys.argv[1:]:
        for number, reason in problems(path, pathlib.Path(path).read_text(encoding="utf-8")):
            print(f"{path}:{number}: {reason}")
            wrong += 1
    return 1 if wrong or len(sys.argv) == 1 else 0


if __name__ == "__main__":
    sys.exit(main())
