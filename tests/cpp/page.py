#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the examples of a page, each block that is marked as C++ by itself: page.py PAGE COMPILER [OPTION...]"""

import re
import subprocess
import sys

START = "".join(f"#include <{name}>\n" for name in
                ("iostream", "variant", "vector", "level_zero/ze_api.h", "mezzanine/mezzanine.hpp"))


def compiles(example, compiler):
    command = [*compiler, "-fsyntax-only", "-x", "c++", "-"]
    return subprocess.run(command, input=START + example, text=True, check=False).returncode == 0


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        examples = re.findall(r"^```cpp\n(.*?)^```$", file.read(), re.DOTALL | re.MULTILINE)
    failed = [example for example in examples if not compiles(example, sys.argv[2:])]
    for example in failed:
        print(f"does not compile:\n{example}")
    print(f"page: {len(examples) - len(failed)} passed, {len(failed)} failed, 0 skipped")
    return 1 if failed or not examples else 0


if __name__ == "__main__":
    sys.exit(main())
