#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the lines of docs/kernels.md that compile without mez work as they stand?

by_hand.py PAGE CLANG LLVM-SPIRV HEADERS-FOLDER SOURCE...

They are run for each source, with the compilers of this build and its headers in the place of those that are installed.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def main():
    page, clang, llvm_spirv, headers, *sources = sys.argv[1:]
    text = pathlib.Path(page).read_text(encoding="utf-8")
    lines = re.findall(r"^    (.*)\n", text[text.index("## Without mez"):], re.MULTILINE)
    script = "\n".join(lines)
    for old, new in ("clang-15", clang), ("llvm-spirv-15", llvm_spirv), ("$(pkg-config --variable=devicelib mezzanine)", headers):
        if old not in script:
            raise SystemExit(f"the lines have no {old} any more")
        script = script.replace(old, new)
    failed = 0
    for source in sources:
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(source, pathlib.Path(folder, "heat.cl"))
            for header in pathlib.Path(source).parent.glob("*.h"):
                shutil.copy(header, folder)
            code = subprocess.run(["sh", "-ec", script], cwd=folder, check=False).returncode
            good = code == 0 and pathlib.Path(folder, "heat.spv").read_bytes()[:4] == b"\x03\x02\x23\x07"
            print("ok" if good else "not ok", "-", source)
            failed += not good
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
