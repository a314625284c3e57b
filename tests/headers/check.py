#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles each header by itself, included twice: check.py HEADER... -- COMPILER [OPTION...]"""

import os
import subprocess
import sys


def compiles(header, compiler):
    name = "mezzanine/" + os.path.basename(header)
    source = f"#include <{name}>\n#include <{name}>\n"
    command = [*compiler, "-fsyntax-only", "-"]
    return subprocess.run(command, input=source, text=True, check=False).returncode == 0


def main():
    split = sys.argv.index("--")
    headers, compiler = sys.argv[1:split], sys.argv[split + 1:]
    failed = [header for header in headers if not compiles(header, compiler)]
    for header in failed:
        print(f"does not compile alone: {header}")
    print(f"headers: {len(headers) - len(failed)} passed, {len(failed)} failed, 0 skipped")
    return 1 if failed or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
