#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs `mez trace`, and programs with MEZ_TRACE alone, and reads what they leave.

trace_cases.py MEZ TRACED DISPATCHER RECORDER
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
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
    def test_mez_is_found_by_the_shell(self):
        """What it needs is looked for beside it, wherever it is called from."""
        done = subprocess.run(["mez", "trace", "-o", "t.json", "--", TRACED, "exit"], cwd=self.folder, capture_output=True, text=True,
                              env=untraced.environment(PATH=os.path.dirname(MEZ)), timeout=LIMIT, check=False)
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        self.assertTrue(os.path.exists(self.path("t.json")))

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
        outputs = ["-o", "t.json", "-o", "t.txt", "-o", "t.stats", "--graph", "t.dot"]
        done = self.trace([*outputs, "--stats", "--text"], TRACED, "kill")
        self.assertEqual(done.returncode, 128 + signal.SIGKILL)
        timeline.read(self.path("t.json"))
        self.assertIn("#2 waits for #1: Event[0x10]\n", self.content("t.txt"))
        self.assertIn("device ran #3 endless", self.content("t.txt"))
        self.assertIn("  endless\n", self.content("t.stats"))
        self.assertIn("1 -> 2", self.content("t.dot"))
        for ended in (self.content("t.txt"), self.content("t.stats"), self.content("t.dot"), done.stderr):
            self.assertIn("was ended by signal 9 (Killed)", ended)
        self.assertIn("commands on devices, in us", done.stderr)
        self.assertIn("> task endless at traced.c:30", done.stderr)

    @unittest.skipUnless(shutil.which("dot"), "Graphviz's program dot is not there")
    def test_a_drawing(self):
        self.assertEqual(self.trace(["--graph", "t.svg"], TRACED, "kill").returncode, 128 + signal.SIGKILL)
        self.assertIn("was ended by signal 9 (Killed)", self.content("t.svg"))

    def test_without_graphviz_nothing_runs_for_a_drawing(self):
        with open(self.path("t.svg"), "w", encoding="utf-8") as file:
            file.write("of yesterday")
        done = self.trace(["--graph", "t.svg"], TRACED, "exit", environment=untraced.environment(PATH=self.folder))
        self.assertEqual(done.returncode, 1)
        self.assertIn("install the package graphviz, or ask for a file that ends in .dot", done.stderr)
        self.assertEqual(self.content("t.svg"), "of yesterday")

    def test_nasty_names(self):
        trace = self.timeline_of("names", code=0)
        self.assertIn("a\"b\\c\nd\x01\ufffd<e>", names(trace, "X"))
        self.assertIn("é&;\t'", names(trace, "X"))

    def test_a_dispatcher_that_is_reset(self):
        trace = self.timeline_of("reset", code=0)
        runs = [event for event in trace["traceEvents"] if event["ph"] == "X"]
        self.assertEqual([run["name"] for run in runs], ["saxpy", "sum", "sum", "saxpy", "endless"])
        self.assertEqual({run["args"]["device"] for run in runs}, {"test processor"})

    def test_threads(self):
        trace = self.timeline_of("threads", code=0)
        self.assertEqual(len([name for name in names(trace, "X") if name == "left"]), 400)
        self.assertEqual(trace["otherData"]["events_lost"], 0)

    def test_forked_processes_have_tracks_of_their_own(self):
        trace = self.timeline_of("fork", code=0)
        processes = {event["pid"] for event in trace["traceEvents"] if event["name"] in ("child", "parent")}
        self.assertEqual(len(processes), 2)

    def test_more_processes_than_there_are_rings(self):
        """One after the other, each when the events of the one before have been read, however slow that is."""
        program = ["sh", "-c", f"while read next; do '{TRACED}' exit; done"]
        mez = subprocess.Popen([MEZ, "trace", "-o", "t.json", "--text", "--", *program], cwd=self.folder, env=untraced.environment(),
                               stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1)
        limit = threading.Timer(LIMIT, mez.stdin.close)  # then the shell ends, and so does what we read
        limit.start()
        self.addCleanup(limit.cancel)
        for _ in range(300):
            mez.stdin.write("next\n")
            next(line for line in mez.stderr if re.search(r"device ran #\d+ sum ", line))
        _, said = mez.communicate(timeout=LIMIT)
        self.assertNotIn("were lost", said)
        self.assertEqual(len(names(timeline.read(self.path("t.json")), "X")), 600)

    def test_programs_that_programs_start(self):
        done = self.trace(["-o", "t.json"], "sh", "-c", f"'{TRACED}' exit; exit 5")
        self.assertEqual(done.returncode, 5)
        self.assertEqual(names(timeline.read(self.path("t.json")), "X"), ["saxpy", "sum"])

    def test_losses_are_reported(self):
        environment = untraced.environment(MEZ_TRACE_BUFFER="1")
        done = self.trace(["-o", "t.json"], TRACED, "unread", environment=environment)
        trace = timeline.read(self.path("t.json"))
        lost = trace["otherData"]["events_lost"]
        self.assertGreater(lost, 0)
        self.assertIn(f"{lost} events were lost", done.stderr)
        reported = sum(event["args"]["events"] for event in trace["traceEvents"] if event["name"] == "events lost")
        self.assertEqual(reported, lost)

    def runs_at(self, *options, **variables):
        """What the first command says of itself when it runs, and all as text."""
        done = self.trace([*options, "-o", "t.json", "-o", "t.txt"], TRACED, environment=untraced.environment(**variables))
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        runs = [event["args"] for event in timeline.read(self.path("t.json"))["traceEvents"] if event["ph"] == "X"]
        return runs[0], self.content("t.txt")

    def test_details(self):
        basic = {"source": "traced.c:10", "command": 1, "queue": 4}
        normal = {**basic, "device": "test processor"}
        verbose = {**normal, "global_size": "64 x 2 x 1", "local_size": "8 x 1 x 1", "caller": "main",
                   "kernel_arguments": "0x1000, 4 bytes"}
        self.assertEqual(self.runs_at("--detail", "basic")[0], basic)
        self.assertEqual(self.runs_at()[0], normal)
        self.assertEqual(self.runs_at("--detail=normal", MEZ_TRACE_DETAIL="verbose")[0], normal)
        self.assertEqual(self.runs_at(MEZ_TRACE_DETAIL="")[0], normal)
        self.assertEqual(self.runs_at(MEZ_TRACE_DETAIL="basic")[0], basic)
        args, text = self.runs_at("--detail", "verbose")
        self.assertEqual(args, verbose)
        self.assertIn("saxpy #1 (0x1000, 4 bytes), global 64 x 2 x 1, local 8 x 1 x 1 at traced.c:10 in main", text)

    def test_a_bad_detail(self):
        done = self.trace([], TRACED, environment=untraced.environment(MEZ_TRACE_DETAIL="all"))
        self.assertEqual(done.returncode, 1)
        self.assertIn('MEZ_TRACE_DETAIL is basic, normal or verbose, not "all"', done.stderr)

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

    def test_programs_that_report_nothing(self):
        done = self.trace([], "true")
        self.assertEqual(done.returncode, 0)
        self.assertIn("true reported nothing", done.stderr)
        self.assertEqual(timeline.read(self.path("trace.json"))["otherData"]["events"], 0)

    def test_programs_that_are_not_there(self):
        self.assertEqual(self.trace([], "./nothing").returncode, 127)
        self.assertEqual(self.trace([], self.folder).returncode, 126)

    def test_wrong_command_lines(self):
        for options in (["-o", "t.png"], ["--graph", "t.json"], ["--fast"], ["-o"], ["--detail", "all"], ["--detail", ""]):
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
    def environment(self, output, **more):
        return untraced.environment(MEZ_TRACE=output, XPTI_FRAMEWORK_DISPATCHER=DISPATCHER, XPTI_SUBSCRIBERS=RECORDER, **more)

    def run_program(self, output, *program, **more):
        return subprocess.run(program, cwd=self.folder, env=self.environment(output, **more), capture_output=True, text=True,
                              timeout=LIMIT, check=False)

    def run_traced(self, how, output):
        return self.run_program(output, TRACED, how)

    def await_timeline(self, name="t.json"):
        """The writer outlives a program that dies."""
        for _ in range(LIMIT * 10):
            try:
                return timeline.read(self.path(name))
            except (OSError, ValueError):
                time.sleep(0.1)
        return timeline.read(self.path(name))

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
        self.assertEqual(self.run_traced("exit", "t.dot").returncode, 3)
        self.assertIn("1 -> 2", self.content("t.dot"))

    @unittest.skipUnless(shutil.which("dot"), "Graphviz's program dot is not there")
    def test_a_drawing_is_written_for_programs(self):
        self.assertEqual(self.run_traced("exit", "t.svg").returncode, 3)
        self.assertIn("</svg>", self.content("t.svg"))

    def test_bad_names_are_reported_and_do_no_harm(self):
        done = self.run_traced("exit", "t.png")
        self.assertEqual(done.returncode, 3)
        self.assertIn("a trace ends in .json", done.stderr)
        done = self.run_traced("exit", "no/t.json")
        self.assertEqual(done.returncode, 3)
        self.assertIn("no/t.json", done.stderr)

    def test_a_bad_buffer(self):
        done = self.run_program("t.json", TRACED, MEZ_TRACE_BUFFER="0")
        self.assertEqual(done.returncode, 3)
        self.assertIn('nothing is traced: MEZ_TRACE_BUFFER is 1 to 1024, in MiB, not "0"', done.stderr)

    def test_details(self):
        self.assertEqual(self.run_program("t.txt", TRACED, MEZ_TRACE_DETAIL="verbose").returncode, 3)
        self.assertIn("saxpy #1 (0x1000, 4 bytes), global", self.content("t.txt"))
        done = self.run_program("u.txt", TRACED, MEZ_TRACE_DETAIL="all")
        self.assertEqual(done.returncode, 3)
        self.assertIn('nothing is traced: MEZ_TRACE_DETAIL is basic, normal or verbose, not "all"', done.stderr)
        self.assertFalse(os.path.exists(self.path("u.txt")))

    def test_what_a_program_replaces_is_reported(self):
        done = self.run_program("t.json", "sh", "-c", f"'{TRACED}' names; '{TRACED}' exit")
        self.assertEqual(done.returncode, 3)
        self.assertIn("what was in t.json is gone; %p in its name gives each program its own", done.stderr)
        self.assertEqual(names(timeline.read(self.path("t.json")), "X"), ["saxpy", "sum"])

    def test_each_program_can_have_its_own_file(self):
        done = self.run_program("t-%p.json", "sh", "-c", f"'{TRACED}' exit; '{TRACED}' exit")
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        files = os.listdir(self.folder)
        self.assertEqual(len(files), 2)
        for file in files:
            self.assertEqual(names(timeline.read(self.path(file)), "X"), ["saxpy", "sum"])

    def test_processes_that_outlive_the_trace_are_reported(self):
        done = self.run_traced("outlive", "t.json")
        self.assertEqual(done.returncode, 0)
        self.assertIn("1 processes were still running when the trace ended", done.stderr)
        self.assertRegex(done.stderr, r"the trace has ended: what process \d+ does now is not there")
        trace = timeline.read(self.path("t.json"))
        self.assertEqual(trace["otherData"]["processes_going_on"], 1)
        self.assertIn("before", names(trace, "X"))
        self.assertNotIn("after", names(trace, "X"))

    def test_programs_that_execute_others_keep_their_traces(self):
        program = subprocess.Popen([TRACED, "exec"], cwd=self.folder, env=self.environment("t.json"), stderr=subprocess.PIPE, text=True)
        said = program.stderr.read()
        self.assertEqual(program.wait(), 3)
        self.assertIn(f"this one goes to t.{program.pid}.json", said)
        self.assertEqual(timeline.read(self.path(f"t.{program.pid}.json"))["otherData"]["ended"], "exited")
        first = self.await_timeline()
        self.assertEqual(first["otherData"]["ended"], "ended without exit: aborted, killed or replaced")
        self.assertEqual(names(first, "X"), ["saxpy", "sum"])
        program.stderr.close()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[5:]])
