#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is text for people written by functions that escape names (lib/base/text.h)?

printers.py FOLDER...

C's own functions may write literals. Where they write more, the file is listed here with the reason.
"""

import pathlib
import re
import sys

ESCAPED = "the text has been made by functions that escape"
DATA = "what it writes is data, or numbers"

ALLOWED = {
    "lib/assert/asserts.c": ESCAPED,
    "lib/assert/report.c": ESCAPED,
    "lib/base/log.c": ESCAPED,
    "lib/base/story.c": ESCAPED,
    "lib/base/text.c": ESCAPED,
    "tools/mez/info.c": ESCAPED,
    "tools/mez/wrap.c": ESCAPED,
    "tools/trace/graph.c": ESCAPED,
    "lib/base/file.c": DATA,
    "lib/base/json.c": DATA,
    "tools/mez/buffer.c": DATA,
    "tools/mez/file.c": DATA,
    "tools/mez/filter.c": DATA,
    "tools/mez/main.c": "texts of the command's own",
    "tools/trace/attach.c": "what is recorded has no library of ours in it; the names are the user's variables",
    "tools/trace/graphviz.c": DATA,
}

# With a literal that has no string in it nothing from outside is written.
CALL = re.compile(r'\b(?:v?f?d?printf|perror|fwrite(?:_unlocked)?|fputs(?:_unlocked)?|puts)\(((?:[^()"]|"(?:\\.|[^"\\])*"|\([^()]*\))*)\)')
LITERAL = re.compile(r'"(?:\\.|[^"\\])*"')
CONVERSION = re.compile(r"%[-+ #0-9*.]*s")


def writes_more(arguments):
    literals = LITERAL.findall(arguments)
    return not literals or any(CONVERSION.search(literal) for literal in literals)


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    found, wrong = set(), []
    for folder in sys.argv[1:]:
        for path in sorted((root / folder).rglob("*.c")):
            name = str(path.relative_to(root))
            if any(writes_more(call) for call in CALL.findall(path.read_text(encoding="utf-8"))):
                found.add(name)
                if name not in ALLOWED:
                    wrong.append(f"{name} writes text by itself: use mez_print, mez_text_add or mez_bounded_print")
    wrong += [f"{name} is listed here, but writes nothing by itself" for name in sorted(set(ALLOWED) - found)]
    print("\n".join(wrong + [f"printers: {len(found)} files write by themselves, {len(wrong)} mistakes"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main())
