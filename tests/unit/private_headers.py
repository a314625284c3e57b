#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does `mez` include no other private headers of the library than those that a page lists with a reason?

private_headers.py PAGE LIB-FOLDER SOURCE-FOLDER

PAGE has a table with the title "private headers of `mez`" in its first column, whose rows name headers, each as `folder/name.h`, and say
why there is no public call. What the table lists has to be included by a file below SOURCE-FOLDER, and what such a file includes of
LIB-FOLDER has to be in it, except for headers of the folder base.
"""

import pathlib
import re
import sys

TITLE = "| private headers of `mez` |"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([a-z_0-9]+/[^"]+)"', re.MULTILINE)


def listed_in(page):
    """The headers in the first column of the table."""
    lines = page.read_text(encoding="utf-8").splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith(TITLE)), None)
    if start is None:
        raise SystemExit(f"{page}: there is no table that begins with \"{TITLE}\"")
    headers = []
    for line in lines[start + 2:]:
        if not line.startswith("|"):
            break
        headers += re.findall(r"`([^`]+\.h)`", line.split("|")[1])
    return headers


def included_by(sources, lib):
    """Each private header outside of base, with a file that includes it."""
    headers = {}
    for source in sorted(path for path in sources.rglob("*.[ch]")):
        for header in INCLUDE.findall(source.read_text(encoding="utf-8")):
            if (lib / header).exists() and not header.startswith("base/"):
                headers.setdefault(header, source)
    return headers


def main():
    page, lib, sources = (pathlib.Path(argument) for argument in sys.argv[1:])
    listed, included = listed_in(page), included_by(sources, lib)
    wrong = [f"{source} includes {header}: use a public call, or give the reason in {page}"
             for header, source in included.items() if header not in listed]
    wrong += [f"{page} lists {header}, which no file of {sources} includes" for header in listed if header not in included]
    wrong += [f"{page} lists {header} twice" for header in sorted(set(listed)) if listed.count(header) > 1]
    print("\n".join(wrong + [f"private headers: {len(included)} are included, {len(wrong)} mistakes"]))
    return 1 if wrong or not included else 0


if __name__ == "__main__":
    sys.exit(main())
