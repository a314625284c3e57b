#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The device library that lies in the tree is that of the sources in the tree.

prebuilt.py DEVICELIB CLANG MODULE.spv...       the modules as this build has made them

Each version of LLVM makes other words of the same source, so modules are compared where the version is the one that made those in the
tree. Elsewhere the sums of the sources have to do.
"""

import glob
import hashlib
import os
import subprocess
import sys
import unittest

FOLDER, CLANG, MODULES = sys.argv[1], sys.argv[2], sys.argv[3:]
PREBUILT = os.path.join(FOLDER, "prebuilt")
ADVICE = "the sources have changed: call scripts/prebuild-devicelib"


def content(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


class Prebuilt(unittest.TestCase):
    def setUp(self):
        first, *sums = content(PREBUILT, "made-from").decode().splitlines()
        self.version = first.removeprefix("LLVM ")
        self.sums = {line.split()[1].removeprefix("./"): line.split()[0] for line in sums}

    def test_sources(self):
        paths = [path for pattern in ("*.cl", "*.h", "mezzanine/assert*.h") for path in glob.glob(pattern, root_dir=FOLDER)]
        sums = {path: hashlib.sha256(content(FOLDER, path)).hexdigest() for path in paths}
        self.assertEqual(sums, self.sums, ADVICE)

    def test_modules(self):
        names = {os.path.basename(module) for module in MODULES}
        self.assertEqual(names | {"made-from"}, set(os.listdir(PREBUILT)), ADVICE)

    def test_words(self):
        version = subprocess.run([CLANG, "-dumpversion"], capture_output=True, text=True, check=True).stdout.strip()
        if version != self.version:
            self.skipTest(f"LLVM {self.version} has made what is in the tree, and this is {version}")
        for module in MODULES:
            self.assertEqual(content(module), content(PREBUILT, os.path.basename(module)), f"{module}: {ADVICE}")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
