#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests words.py: which phrases it finds in a file of each kind, and in which line.

The last line says how many cases passed and failed; the exit code is 1 where any failed.
"""

import sys

import words

# The name's ending, what is in the file, and the lines with a finding.
CASES = (
    # Phrases go on in the next line of a comment, whatever it begins with.
    (".c", "// What it is for, without\n// meaning for others.\n", [1]),
    (".h", "/*\n * Nothing of it\n * is\n * whole.\n */\n", [3]),
    (".hpp", "int a; /* is */ /* whole */\n", [1]),
    (".c", "int a; // is\n       // whole\n", [1]),
    (".py", "# Nothing of it is\n# whole.\n", [1]),
    (".py", '"""Nothing of it is\nwhole.\n"""\n', [1]),
    ("", "# Nothing of it is\n# whole.\n", [1]),
    (".build", "x = 1 # is\n  # whole\n", [1]),
    # So they do in texts that a compiler joins.
    (".c", 'puts("it is "\n     "whole");\n', [1]),
    (".c", 'puts("it is\\n"\n     "whole\\n");\n', [1]),
    (".c", 'puts("\\nmanners");\n', [1]),
    (".py", 'print("it is "\n      "whole")\n', [1]),
    (".md", "# Title\n\nNothing of it is\nwhole.\n", [3]),
    (".md", "- is\n  whole\n", [1]),
    # Names, code and the end of a paragraph are no part of a phrase.
    (".c", "int a; // is\nint b; // whole\n", []),
    (".c", "// is\n//\n// whole\n", []),
    (".c", "// is\n\n// whole\n", []),
    (".c", 'puts("is %d whole" + "is", "whole");\n', []),
    (".c", "int habit = manners;\n#include <manners.h>\n", []),
    (".py", '"""is"""\n# whole\nhabit = manners\n', []),
    (".py", 'print("is", "whole")\n', []),
    ("", "# is\nwhole\n", []),
    ("", "# is\n#\n# whole\n", []),
    (".md", "It is\n\nwhole, is `not` whole, `is whole`.\n\n    is whole\n\n```\nis whole\n```\n", []),
    (".md", "[a page](manners.md)\n", []),
)


def main():
    failed = 0
    for ending, text, expected in CASES:
        found = [line for line, *_ in sorted(words.findings(words.READERS[ending](text)))]
        if found != expected:
            failed += 1
            print(f"a file {ending or 'without an ending'} with {text!r}: findings in lines {found} and not {expected}")
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
