#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does `mez` include no private headers of the library but those of the folder base?

private_headers.py LIB-FOLDER SOURCE-FOLDER

What a file below SOURCE-FOLDER includes of LIB-FOLDER has to be in LIB-FOLDER/base: docs/internals/architecture.md says why.
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([a-z_0-9]+/[^">]+)[">]', re.MULTILINE)


def included_by(sources, lib):
    """Each private header, with the files that include it."""
    headers = {}
    for source in sorted(path for path in sources.rglob("*.[ch]")):
        for header in INCLUDE.findall(source.read_text(encoding="utf-8")):
            if (lib / header).exists():
                headers.setdefault(header, []).append(source)
    return headers


def main():
    lib, sources = (pathlib.Path(argument) for argument in sys.argv[1:])
    included = included_by(sources, lib)
    allowed = [header for header in included if header.startswith("base/")]
    wrong = [f"{source} includes {header}: use a public call, or make one"
             for header, files in included.items() if header not in allowed for source in files]
    if not allowed:
        wrong.append(f"no file of {sources} includes a header of {lib}: nothing was looked at")
    print("\n".join(wrong + [f"private headers: {len(allowed)} of base are included, {len(wrong)} mistakes"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
