#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What tracing costs a program: the same submissions untraced, with a subscriber that does nothing, and under `mez trace`.

overhead.py [--valgrind VALGRIND] [--json FILE] MEZ DISPATCHER EMPTY_SUBSCRIBER PACED KERNELS.spv

Times are of processors, not of the clock on the wall, and the three ways take turns; the middle of several runs is shown. Instructions
come from callgrind. Nothing is judged. docs/tracing.md has more.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import untraced

RATES = (1_000, 10_000, 100_000)  # submissions a second
SECONDS, RUNS = 1, 5
COUNTED = 1_000  # submissions under callgrind
RING = "128"  # MiB: takes all events, as what is lost costs less
WAYS = ("off", "empty", "timeline")
DETAILED = {"timeline, basic": "basic", "timeline, verbose": "verbose"}  # whose instructions are counted, too


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--valgrind", help="path of valgrind; without it no instructions are counted")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    for name in ("mez", "dispatcher", "subscriber", "paced", "kernels"):
        parser.add_argument(name, type=os.path.abspath)
    return parser.parse_args()


class Runner:
    def __init__(self, arguments, folder):
        self._arguments = arguments
        self._folder = folder
        self._trace = os.path.join(folder, "t.json")

    def _command(self, way, program):
        """The command and environment that run a program in one of the ways."""
        environment = untraced.environment()
        if way == "empty":
            environment["XPTI_FRAMEWORK_DISPATCHER"] = self._arguments.dispatcher
            environment["XPTI_SUBSCRIBERS"] = self._arguments.subscriber
        if way.startswith("timeline"):
            environment["MEZ_TRACE_BUFFER"] = RING
            detail = ["--detail", DETAILED[way]] if way in DETAILED else []
            program = [self._arguments.mez, "trace", *detail, "-o", self._trace, "--", *program]
        return program, environment

    def _paced(self, rate, count):
        return [self._arguments.paced, self._arguments.kernels, str(rate), str(count)]

    def events(self):
        """How many events the last timeline has, and how many were lost."""
        with open(self._trace, "rb") as file:
            file.seek(-400, os.SEEK_END)
            return [int(number) for number in re.search(rb'"events":(\d+),"events_lost":(\d+)', file.read()).groups()]

    def run(self, way, rate, count):
        """Seconds of processor: of the submissions, and of whoever else was started."""
        command, environment = self._command(way, self._paced(rate, count))
        child = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        said = child.stdout.read()
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        child.stdout.close()
        if child.returncode != 0:
            sys.exit(f"{command} ended with {child.returncode}")
        own, whole = (float(number) for number in said.split())
        return own, max(0.0, used.ru_utime + used.ru_stime - whole)

    def instructions(self, way):
        output = os.path.join(self._folder, "callgrind.out")
        command, environment = self._command(
            way, [self._arguments.valgrind, "--tool=callgrind", "--quiet", "--collect-atstart=no",
                  "--callgrind-out-file=" + output] + self._paced(0, COUNTED))
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(output, encoding="utf-8", errors="replace") as file:
            return int(re.search(r"^totals: (\d+)", file.read(), re.MULTILINE).group(1)) / COUNTED


# --- Measuring

def measure_rate(runner, rate):
    """A row for each way. They take turns, so that what else the machine does meets all."""
    count = rate * SECONDS
    own, others, reported = {way: [] for way in WAYS}, {way: [] for way in WAYS}, []
    for _ in range(RUNS):
        for way in WAYS:
            for figures, seconds in zip((own, others), runner.run(way, rate, count)):
                figures[way].append(seconds)
        reported.append(runner.events())
    off = statistics.median(own["off"])
    for way in WAYS:
        taken = statistics.median(own[way])
        row = {"rate": rate, "way": way, "ms": taken / SECONDS * 1e3, "percent": (taken / off - 1) * 100,
               "each_us": (taken - off) / count * 1e6}
        if way == "timeline":
            events, lost = (statistics.median(figures) for figures in zip(*reported))
            row.update(writer_ms=statistics.median(others[way]) / SECONDS * 1e3, lost=lost / (events + lost) * 100)
        yield row


def events_each(runner):
    """Of one submission, with its part of the wait; start and end of the program are left out."""
    counts = []
    for count in (COUNTED, 2 * COUNTED):
        runner.run("timeline", 0, count)
        counts.append(sum(runner.events()))
    return (counts[1] - counts[0]) / COUNTED


def count(runner):
    """Instructions of a submission in each way, events of one, and what keeping one event takes."""
    figures = {way: runner.instructions(way) for way in (*WAYS, *DETAILED)}
    figures["events"] = events_each(runner)
    figures["recorder"] = (figures["timeline"] - figures["empty"]) / figures["events"]
    return figures


# --- Printing

COLUMNS = (("rate", "a second", ">9", "d"), ("way", "tracing", ">10", "s"), ("ms", "ms per s", ">10", ".1f"),
           ("percent", "overhead %", ">12", ".0f"), ("each_us", "us each", ">9", ".2f"), ("writer_ms", "mez, ms per s", ">15", ".1f"),
           ("lost", "lost %", ">8", ".1f"))


def print_rates(rows):
    print("".join(format(title, width) for _, title, width, _ in COLUMNS))
    for row in rows:
        print("".join(format(format(row[key], form) if key in row else "", width) for key, _, width, form in COLUMNS).rstrip())
    print(f"\nprocessor time of the submitting process, the middle of {RUNS} runs of {SECONDS} s; overhead: to tracing off;\n"
          "us each: more for each submission; mez: the process that writes the timeline\n")


def print_counts(figures):
    for way in (*WAYS, *DETAILED):
        print(f"{figures[way]:10.1f} instructions for a submission, tracing {way}")
    print(f"{figures['events']:10.1f} events of one submission")
    print(f"{figures['recorder']:10.1f} instructions of the recorder for an event")


def main():
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(arguments, folder)
        rows = [row for rate in RATES for row in measure_rate(runner, rate)]
        print_rates(rows)
        counts = count(runner) if arguments.valgrind else None
    if counts:
        print_counts(counts)
    else:
        print("valgrind or its header valgrind/callgrind.h is missing: no instructions")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"rates": rows, "counts": counts}, file, indent=1)


if __name__ == "__main__":
    main()
