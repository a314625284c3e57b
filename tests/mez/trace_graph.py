#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The graph that `mez trace --graph` makes of the published scenario of asserts, compared with a golden file, and drawn.

trace_graph.py MEZ THREE_KERNELS GOLDEN.dot        MEZ_TEST_FILES is the folder of its kernels

Addresses are compared as 0x1, 0x2, ... in the order of their coming.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import untraced

MEZ, PROGRAM, GOLDEN = (os.path.abspath(path) for path in sys.argv[1:4])
KERNELS = os.path.join(os.environ["MEZ_TEST_FILES"], "asserts.spv")
SVG = "{http://www.w3.org/2000/svg}"


def normalised(text):
    seen = {}
    return re.sub(r"0x[0-9a-f]+", lambda match: seen.setdefault(match[0], f"0x{len(seen) + 1}"), text)


class Graph(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.dot, cls.svg = (os.path.join(folder.name, name) for name in ("g.dot", "g.svg"))
        drawing = ["--graph", cls.svg] if shutil.which("dot") else []
        done = subprocess.run([MEZ, "trace", "--graph", cls.dot, *drawing, "--", PROGRAM, KERNELS], capture_output=True,
                              text=True, env=untraced.environment(), timeout=120, check=False)
        if (done.returncode, done.stderr) != (0, ""):
            raise AssertionError(f"mez trace ended with {done.returncode}: {done.stderr}")

    def test_it_is_the_golden_graph(self):
        with open(self.dot, encoding="utf-8") as graph, open(GOLDEN, encoding="utf-8") as golden:
            self.assertEqual(normalised(graph.read()), golden.read())

    def check_drawing(self, text):
        """Graphviz draws a group for each node and edge."""
        root = xml.etree.ElementTree.fromstring(text)
        drawn = [group.get("class") for group in root.iter(SVG + "g")]
        self.assertEqual((drawn.count("node"), drawn.count("edge")), (9, 7))
        words = [text.text for text in root.iter(SVG + "text")]
        self.assertEqual(words.count("checked"), 3)

    @unittest.skipUnless(shutil.which("dot"), "Graphviz's program dot is not there")
    def test_it_is_drawn(self):
        with open(self.svg, encoding="utf-8") as file:
            self.check_drawing(file.read())

    @unittest.skipUnless(shutil.which("dot"), "Graphviz's program dot is not there")
    def test_graphviz_draws_the_golden_graph(self):
        done = subprocess.run(["dot", "-Tsvg", GOLDEN], capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        self.check_drawing(done.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
