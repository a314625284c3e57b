#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs programs on the CPU driver under `mez trace`, and alone with MEZ_TRACE, and looks whether the trace has what they do.

trace_examples.py MEZ SAXPY SAXPY.spv BOUNDS BOUNDS.spv ASSERT_HANG PHASES
"""

import os
import subprocess
import sys
import tempfile
import unittest

import timeline

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import untraced

MEZ, SAXPY, SAXPY_SPV, BOUNDS, BOUNDS_SPV, ASSERT_HANG, PHASES = (os.path.abspath(path) for path in sys.argv[1:8])


def named(trace, phase, name):
    return [event for event in trace["traceEvents"] if event["ph"] == phase and event["name"] == name]


class Examples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_in(self, *command, **more):
        return subprocess.run(command, cwd=self.folder, env=untraced.environment(**more), capture_output=True, text=True, timeout=120,
                              check=False)

    def check_saxpy(self):
        trace = timeline.read(os.path.join(self.folder, "t.json"))
        submit, task, run = named(trace, "B", "mez_submit"), named(trace, "B", "saxpy"), named(trace, "X", "saxpy")
        self.assertEqual((len(submit), len(task), len(run)), (1, 1, 1))
        self.assertRegex(submit[0]["args"]["source"], r"saxpy\.c:\d+$")
        self.assertEqual(run[0]["args"]["source"], submit[0]["args"]["source"])
        self.assertTrue(named(trace, "B", "zeModuleCreate"))
        return trace

    def test_saxpy_under_mez(self):
        done = self.run_in(MEZ, "trace", "-o", "t.json", "--graph", "t.dot", "--", SAXPY, SAXPY_SPV)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.check_saxpy()["otherData"]["ended"], "exited with 0")
        with open(os.path.join(self.folder, "t.dot"), encoding="utf-8") as file:
            self.assertRegex(file.read(), r"saxpy\\nsaxpy\.c:\d+")

    def test_all_details(self):
        done = self.run_in(MEZ, "trace", "--detail", "verbose", "-o", "t.json", "--", SAXPY, SAXPY_SPV)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        run = named(self.check_saxpy(), "X", "saxpy")[0]["args"]
        self.assertEqual(run["caller"], "main")
        self.assertRegex(run["kernel_arguments"], r"^4 bytes, 0x[0-9a-f]+, 0x[0-9a-f]+$")
        self.assertRegex(run["global_size"], r"^\d+ x 1 x 1$")

    def test_saxpy_alone(self):
        done = self.run_in(SAXPY, SAXPY_SPV, MEZ_TRACE="t.json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.check_saxpy()["otherData"]["ended"], "exited")

    def test_phases_of_the_program(self):
        done = self.run_in(MEZ, "trace", "-o", "t.json", "--", PHASES, SAXPY_SPV)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        trace = timeline.read(os.path.join(self.folder, "t.json"))
        reported = [event for event in trace["traceEvents"] if event.get("cat") == "application" and event["ph"] == "B"]
        self.assertEqual([event["name"] for event in reported], ["prepare"] + ["step"] * 3)
        self.assertRegex(reported[0]["args"]["source"], r"phases\.c:\d+$")

    def test_a_failed_assert(self):
        done = self.run_in(MEZ, "trace", "-o", "t.json", "--", BOUNDS, BOUNDS_SPV)
        self.assertEqual(done.returncode, 134)
        trace = timeline.read(os.path.join(self.folder, "t.json"))
        self.assertEqual(trace["otherData"]["ended"], "was ended by signal 6 (Aborted)")
        said = [event["name"] for event in trace["traceEvents"] if event["ph"] == "i"]
        self.assertTrue(any("Assertion `i + 1 < count" in text for text in said), said)
        run, = named(trace, "X", "shift_left")
        self.assertTrue(run["args"]["failed"])
        self.assertNotIn("cut", run["args"])
        self.assertEqual(len(named(trace, "B", "AssertCheck")), 1)

    def test_an_assert_of_a_kernel_that_hangs(self):
        """Nothing brings its record; it is looked at beside it."""
        done = self.run_in(MEZ, "trace", "-o", "t.json", "--", ASSERT_HANG, "--child", "aborts", MEZ_STALL="0.3")
        self.assertEqual(done.returncode, 134, done.stderr)
        trace = timeline.read(os.path.join(self.folder, "t.json"))
        running = [event["name"] for event in trace["traceEvents"] if event["ph"] == "X"]
        self.assertIn("fails_and_hangs", running)
        self.assertEqual(len(named(trace, "B", "AssertCheck")), 1)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[8:]])
