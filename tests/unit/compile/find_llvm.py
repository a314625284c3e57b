#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which compiler a build takes where PATH has ccache under its name first: find_llvm.py FIND"""

import os
import subprocess
import sys
import tempfile


def main():
    find = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for name in "wrappers/ccache", "real/clang-19", "real/llvm-spirv-19":
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="ascii") as file:
                file.write("#!/bin/sh\necho version 19.1.7\n")
            os.chmod(path, 0o755)
        os.symlink("ccache", os.path.join(folder, "wrappers/clang-19"))
        for folders, wanted in ("wrappers:real", "real/clang-19"), ("wrappers", None):
            path = ":".join(os.path.join(folder, name) for name in folders.split(":"))
            result = subprocess.run([sys.executable, find, "--compiler", "--wanted", "19"], env=dict(os.environ, PATH=path),
                                    capture_output=True, text=True, check=False)
            found = result.stdout.split("\n")[2] if result.returncode == 0 else None
            if wanted:
                assert found == os.path.join(folder, wanted), result.stdout + result.stderr
            assert not found or not found.startswith(os.path.join(folder, "wrappers")), result.stdout
    return 0


if __name__ == "__main__":
    sys.exit(main())
