#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs `mez trace`, and programs with MEZ_TRACE alone, and reads what they leave.

trace_cases.py MEZ TRACED DISPATCHER RECORDER
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import timeline

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import untraced

MEZ, TRACED, DISPATCHER, RECORDER = (os.path.abspath(path) for path in sys.argv[1:5])
LIMIT = 120


def names(trace, phase):
    return [event["name"] for event in trace["traceEvents"] if event["ph"] == phase]


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def content(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def trace(self, options, *program, environment=None):
        return subprocess.run([MEZ, "trace", *options, "--", *program], cwd=self.folder, capture_output=True, text=True,
                              env=environment or untraced.environment(), timeout=LIMIT, check=False)

    def timeline_of(self, *arguments, code):
        done = self.trace(["-o", "t.json"], TRACED, *arguments)
        self.assertEqual((done.returncode, done.stderr), (code, ""))
        return timeline.read(self.path("t.json"))


class UnderMez(Case):
    def test_a_program_that_exits(self):
        trace = self.timeline_of("exit", code=3)
        self.assertEqual(trace["otherData"]["ended"], "exited with 3")
        self.assertEqual(names(trace, "X"), ["saxpy", "sum"])
        self.assertEqual(names(trace, "B"), ["mez_submit", "saxpy", "mez_submit", "sum"])
        begin = next(event for event in trace["traceEvents"] if event["ph"] == "B")
        self.assertEqual(begin["args"], {"source": "traced.c:77", "arguments": "queue = 0x123456789abc, range = 64"})
        run = next(event for event in trace["traceEvents"] if event["ph"] == "X")
        self.assertEqual(run["args"], {"source": "traced.c:10", "command": 1, "queue": 4, "device": "test processor"})
        threads = [event["args"]["name"] for event in trace["traceEvents"] if event["ph"] == "M"]
        self.assertEqual(threads, ["traced", "queue 4 on test processor"])

    def cut(self, how, code, ended):
        trace = self.timeline_of(how, code=code)
        self.assertEqual(trace["otherData"]["ended"], ended)
        self.assertEqual(trace["traceEvents"][-1]["name"], ended)
        cut = [event["name"] for event in trace["traceEvents"] if event.get("args", {}).get("cut")]
        self.assertEqual(sorted(cut), ["endless", "queue.wait"])

    def test_a_program_that_aborts(self):
        self.cut("abort", 128 + signal.SIGABRT, "was ended by signal 6 (Aborted)")

    def test_a_program_that_is_killed(self):
        self.cut("kill", 128 + signal.SIGKILL, "was ended by signal 9 (Killed)")

    def test_every_picture_at_once(self):
        outputs = ["-o", "t.json", "-o", "t.txt", "-o", "t.stats", "--graph", "t.dot", "--graph", "t.svg"]
        done = self.trace([*outputs, "--stats", "--text"], TRACED, "kill")
        self.assertEqual(done.returncode, 128 + signal.SIGKILL)
        timeline.read(self.path("t.json"))
        self.assertIn("#2 waits for #1: Event[0x10]\n", self.content("t.txt"))
        self.assertIn("device ran #3 endless", self.content("t.txt"))
        self.assertIn("  endless\n", self.content("t.stats"))
        self.assertIn("1 -> 2", self.content("t.dot"))
        self.assertIn("</svg>", self.content("t.svg"))
        for ended in (self.content("t.txt"), self.content("t.stats"), self.content("t.dot"), self.content("t.svg"), done.stderr):
            self.assertIn("was ended by signal 9 (Killed)", ended)
        self.assertIn("commands on devices, in us", done.stderr)
        self.assertIn("> task endless at traced.c:30", done.stderr)

    def test_nasty_names(self):
        trace = self.timeline_of("names", code=0)
        self.assertIn("a\"b\\c\nd\x01\ufffd<e>", names(trace, "X"))
        self.assertIn("é&;\t'", names(trace, "X"))

    def test_threads(self):
        trace = self.timeline_of("threads", code=0)
        self.assertEqual(len([name for name in names(trace, "X") if name == "left"]), 400)
        self.assertEqual(trace["otherData"]["events_lost"], 0)

    def test_forked_processes_have_tracks_of_their_own(self):
        trace = self.timeline_of("fork", code=0)
        processes = {event["pid"] for event in trace["traceEvents"] if event["name"] in ("child", "parent")}
        self.assertEqual(len(processes), 2)

    def test_programs_that_programs_start(self):
        done = self.trace(["-o", "t.json"], "sh", "-c", f"'{TRACED}' exit; exit 5")
        self.assertEqual(done.returncode, 5)
        self.assertEqual(names(timeline.read(self.path("t.json")), "X"), ["saxpy", "sum"])

    def test_losses_are_told(self):
        environment = untraced.environment(MEZ_TRACE_BUFFER="1")
        done = self.trace(["-o", "t.json"], TRACED, "unread", environment=environment)
        trace = timeline.read(self.path("t.json"))
        lost = trace["otherData"]["events_lost"]
        self.assertGreater(lost, 0)
        self.assertIn(f"{lost} events were lost", done.stderr)
        told = sum(event["args"]["events"] for event in trace["traceEvents"] if event["name"] == "events lost")
        self.assertEqual(told, lost)

    def test_signals_are_passed_on(self):
        mez = subprocess.Popen([MEZ, "trace", "-o", "t.json", "--", TRACED, "sleep"], cwd=self.folder, env=untraced.environment(),
                               stdout=subprocess.PIPE, text=True)
        self.assertEqual(mez.stdout.readline(), "ready\n")
        mez.terminate()
        mez.communicate(timeout=LIMIT)
        self.assertEqual(mez.returncode, 128 + signal.SIGTERM)
        self.assertEqual(timeline.read(self.path("t.json"))["otherData"]["ended"], "was ended by signal 15 (Terminated)")

    def test_the_default_is_a_timeline(self):
        self.assertEqual(self.trace([], TRACED).returncode, 3)
        timeline.read(self.path("trace.json"))

    def test_programs_that_tell_nothing(self):
        done = self.trace([], "true")
        self.assertEqual(done.returncode, 0)
        self.assertIn("true told nothing", done.stderr)
        self.assertEqual(timeline.read(self.path("trace.json"))["otherData"]["events"], 0)

    def test_programs_that_are_not_there(self):
        self.assertEqual(self.trace([], "./nothing").returncode, 127)
        self.assertEqual(self.trace([], self.folder).returncode, 126)

    def test_wrong_command_lines(self):
        for options in (["-o", "t.png"], ["--graph", "t.json"], ["--fast"], ["-o"]):
            done = self.trace(options, TRACED)
            self.assertEqual(done.returncode, 2, options)
        self.assertEqual(subprocess.run([MEZ, "trace", TRACED], capture_output=True, check=False).returncode, 2)

    def test_outputs_that_cannot_be_written(self):
        done = self.trace(["-o", "no/t.json"], TRACED)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no/t.json", done.stderr)
        os.symlink("/dev/full", self.path("full.json"))
        done = self.trace(["-o", "full.json"], TRACED, "threads")
        self.assertEqual(done.returncode, 1)
        self.assertIn("full.json can't be written", done.stderr)

    def test_other_subscribers_stay(self):
        done = self.trace(["-o", "t.json"], TRACED, environment=untraced.environment(XPTI_SUBSCRIBERS="/no/such.so"))
        self.assertEqual(done.returncode, 3)
        self.assertIn("/no/such.so", done.stdout + done.stderr)
        self.assertEqual(names(timeline.read(self.path("t.json")), "X"), ["saxpy", "sum"])

    def test_a_bad_buffer(self):
        for size in ("0", "1025", "x", "-1"):
            done = self.trace([], TRACED, environment=untraced.environment(MEZ_TRACE_BUFFER=size))
            self.assertEqual(done.returncode, 1)
            self.assertIn("MEZ_TRACE_BUFFER is 1 to 1024", done.stderr)


class Alone(Case):
    def run_traced(self, how, output):
        environment = untraced.environment(MEZ_TRACE=output, XPTI_FRAMEWORK_DISPATCHER=DISPATCHER, XPTI_SUBSCRIBERS=RECORDER)
        return subprocess.run([TRACED, how], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=LIMIT,
                              check=False)

    def await_timeline(self):
        """The writer outlives a program that dies."""
        for _ in range(LIMIT * 10):
            try:
                return timeline.read(self.path("t.json"))
            except (OSError, ValueError):
                time.sleep(0.1)
        return timeline.read(self.path("t.json"))

    def test_the_file_is_there_when_the_program_has_exited(self):
        done = self.run_traced("exit", "t.json")
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        trace = timeline.read(self.path("t.json"))
        self.assertEqual(trace["otherData"]["ended"], "exited")
        self.assertEqual(names(trace, "X"), ["saxpy", "sum"])

    def test_it_is_written_for_programs_that_die(self):
        for how, code in (("abort", -signal.SIGABRT), ("kill", -signal.SIGKILL)):
            self.assertEqual(self.run_traced(how, "t.json").returncode, code)
            trace = self.await_timeline()
            self.assertEqual(trace["otherData"]["ended"], "ended without exit: aborted, killed or replaced")
            self.assertIn("endless", names(trace, "X"))
            os.remove(self.path("t.json"))

    def test_the_name_decides(self):
        self.assertEqual(self.run_traced("exit", "t.txt").returncode, 3)
        self.assertIn("task saxpy", self.content("t.txt"))
        self.assertEqual(self.run_traced("exit", "t.svg").returncode, 3)
        self.assertIn("</svg>", self.content("t.svg"))

    def test_bad_names_are_told_and_do_no_harm(self):
        done = self.run_traced("exit", "t.png")
        self.assertEqual(done.returncode, 3)
        self.assertIn("a trace ends in .json", done.stderr)
        done = self.run_traced("exit", "no/t.json")
        self.assertEqual(done.returncode, 3)
        self.assertIn("no/t.json", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[5:]])
