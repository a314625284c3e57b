#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts and times the cases of the perf program, prints a table, and fails where a limit is missed.

Instructions, locked instructions and mallocs come from a run under callgrind and are the same each time; only they are
judged. Times come from a second run without it and are shown as a ratio to raw. docs/performance.md has more.

Exit code 77: valgrind, its header or the device is missing.
"""

import argparse
import collections
import glob
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

SKIP = 77
NO_LIMIT, AT_MOST, ABOVE_RAW = range(3)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--valgrind", help="path of valgrind; without it the run is skipped")
    parser.add_argument("--list-only", action="store_true", help="show what misses its limit, but do not fail")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    parser.add_argument("--without", metavar="PROGRAM",
                        help="the same program, built without what is measured: it takes the place of raw, and only libmezzanine counts")
    parser.add_argument("--profile", metavar="CASE", help="show instead where the instructions of one case go")
    parser.add_argument("program", nargs="+", help="the perf program and its arguments")
    return parser.parse_args()


class Case:
    def __init__(self, name, kind, instructions, must, may_allocate):
        self.name = name
        self.kind, self.instructions = int(kind), int(instructions)
        self.must, self.may_allocate = must == "1", may_allocate == "1"
        self.counts = {}  # side: instructions, locked, mallocs per task
        self.own = {}  # side: instructions per task by function and library
        self.samples = {"ours": [], "raw": []}  # nanoseconds, one list for each repetition


# --- Running the program

def run(command):
    """The lines that the program wrote, each split in fields."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        print(result.stderr, file=sys.stderr)
        sys.exit(SKIP if result.returncode == SKIP else 1)
    return [line.split("\t") for line in result.stdout.splitlines()]


class Dump:
    """A file of callgrind's: its label, totals, and each function's own instructions."""

    def __init__(self, path):
        self.label, self.totals = None, None
        self.own = collections.Counter()
        self._names = {}
        self._place = {"ob": "", "fn": ""}
        self._inclusive = False
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                self._read(line)

    def _read(self, line):
        if line.startswith("desc: Trigger: Client Request: "):
            self.label = line.split(": ", 3)[3].strip()
        elif line.startswith("totals: "):
            self.totals = [int(number) for number in line.split()[1:]] + [0]
        elif match := re.match(r"(c?(ob|fn))=(\(\d+\))(?: (.*))?$", line):
            self._read_name(*match.groups())
        elif line.startswith("calls="):
            self._inclusive = True  # the next line has what the callee took
        elif line[:1] in set("0123456789+-*"):
            self._read_cost(line.split())

    # A name is written once, then its number stands for it.
    def _read_name(self, role, space, number, name):
        if name:
            self._names[space, number] = os.path.basename(name) if space == "ob" else re.split("['@]", name)[0]
        self._place[role] = self._names[space, number]

    def _read_cost(self, words):
        if not self._inclusive and len(words) > 1:
            self.own[self._place["fn"], self._place["ob"]] += int(words[1])
        self._inclusive = False


def read_dumps(folder):
    dumps = [Dump(path) for path in glob.glob(os.path.join(folder, "callgrind.out*"))]
    return {dump.label: dump for dump in dumps if dump.label}


def count_program(valgrind, program):
    """Cases by name, counted."""
    with tempfile.TemporaryDirectory() as folder:
        lines = run([valgrind, "--tool=callgrind", "--quiet", "--collect-atstart=no", "--collect-bus=yes",
                     "--callgrind-out-file=" + os.path.join(folder, "callgrind.out")] + program)
        dumps = read_dumps(folder)
    cases, loop = {}, None
    for kind, name, *rest in lines:
        if kind == "case":
            cases[name] = Case(name, *rest)
        elif kind == "count":
            side, operations, tasks, mallocs = rest[0], *(int(number) for number in rest[1:])
            dump = dumps[f"{name}|{side}"]
            each = [number / operations for number in dump.totals[:2] + [mallocs]]
            if loop is None:  # the first is the empty loop
                loop = each
                continue
            cases[name].counts[side] = [(figure - empty) / tasks for figure, empty in zip(each, loop)]
            cases[name].own[side] = {place: number / operations / tasks for place, number in dump.own.items()}
    return cases


def leave_others_out(case):
    """What malloc and the no-op driver take depends on what lies where in memory."""
    case.own["ours"] = {place: number for place, number in case.own["ours"].items() if place[1].startswith("libmezzanine")}
    case.counts["ours"][0] = sum(case.own["ours"].values())


def count(arguments):
    cases = count_program(arguments.valgrind, arguments.program)
    if arguments.without:
        others = count_program(arguments.valgrind, [arguments.without] + arguments.program[1:])
        for name, case in cases.items():
            leave_others_out(case)
            leave_others_out(others[name])
            case.counts["raw"], case.own["raw"] = others[name].counts["ours"], others[name].own["ours"]
    return cases


def time(arguments, cases):
    """Adds the times, and returns the lines about what was measured on."""
    lines = run(arguments.program)
    for kind, name, *rest in lines:
        if kind == "time":
            cases[name].samples[rest[0]].append([float(sample) for sample in rest[1:]])
    return [name for kind, name, *_ in lines if kind == "about"]


# --- Judging

def best_median(repetitions):
    return min(statistics.median(samples) for samples in repetitions) if repetitions else None


def allowed(case):
    """The most instructions that the limit allows, or None."""
    if case.kind == NO_LIMIT:
        return None
    base = case.counts["raw"][0] if case.kind == ABOVE_RAW else 0
    return base + case.instructions


def faults(case):
    """What is missed, and whether that fails the run."""
    most = allowed(case)
    if most is not None and case.counts["ours"][0] > most + 0.05:
        yield f"{case.counts['ours'][0] - most:.0f} over", case.must
    if not case.may_allocate and case.counts["ours"][2] > 0:
        yield "allocates", True


def limit_text(case):
    if case.kind == NO_LIMIT:
        return ""
    text = f"<= {case.instructions}" if case.kind == AT_MOST else f"<= raw {case.instructions:+d}"
    return text + ("" if case.must else " (aim)")


def figures(case):
    instructions, locked, mallocs = case.counts["ours"]
    raw = case.counts.get("raw")
    ours_ns, raw_ns = best_median(case.samples["ours"]), best_median(case.samples["raw"])
    return {
        "case": case.name,
        "instructions": round(instructions, 1),
        "locked": round(locked, 2),
        "mallocs": round(mallocs, 2),
        "raw_instructions": round(raw[0], 1) if raw else None,
        "raw_locked": round(raw[1], 2) if raw else None,
        "raw_mallocs": round(raw[2], 2) if raw else None,
        "ratio": round(instructions / raw[0], 2) if raw and raw[0] >= 1 else None,
        "time_ratio": round(ours_ns / raw_ns, 1) if ours_ns and raw_ns else None,
        "limit": limit_text(case),
        "missed": [fault for fault, _ in faults(case)],
    }


COLUMNS = [("case", "case", "<46"), ("instructions", "instr", ">8"), ("locked", "locked", ">7"),
           ("mallocs", "mallocs", ">8"), ("raw_instructions", "raw", ">9"), ("ratio", "ratio", ">7"),
           ("time_ratio", "time", ">6"), ("limit", "  limit", "<16"), ("missed", "", "<")]


def print_table(rows, without):
    print("".join(format(title, width) for _, title, width in COLUMNS))
    for row in rows:
        cells = dict(row, limit="  " + row["limit"], missed=", ".join(row["missed"]))
        print("".join(format("-" if cells[key] is None else str(cells[key]), width) for key, _, width in COLUMNS).rstrip())
    print("\nper task, in libmezzanine alone; raw: the same without what is measured" if without else
          "\nper task, loader and driver included; ratio and time: to raw, or to what the case names; time is not judged")


def print_profile(case):
    for side, own in case.own.items():
        print(f"{case.name}, {side}: {case.counts[side][0]:.1f} instructions")
        for (function, library), number in sorted(own.items(), key=lambda item: -item[1]):
            if number >= 0.5:
                print(f"{number:10.1f}  {function}  [{library}]")


def main():
    arguments = parse_arguments()
    if not arguments.valgrind:
        print("skipped: valgrind or its header valgrind/callgrind.h is missing")
        return SKIP
    cases = count(arguments)
    if arguments.profile:
        if arguments.profile not in cases:
            print("the cases are: " + "; ".join(cases), file=sys.stderr)
            return 2
        print_profile(cases[arguments.profile])
        return 0
    about = time(arguments, cases)
    rows = [figures(case) for case in cases.values()]
    print("\n".join(about))
    print_table(rows, arguments.without)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"about": about, "cases": rows}, file, indent=1)
    failed = [case.name for case in cases.values() if any(must for _, must in faults(case))]
    if failed:
        print("missed: " + "; ".join(failed))
    if not arguments.list_only:
        print(f"{len(cases) - len(failed)} passed, {len(failed)} failed, 0 skipped")
    return 1 if failed and not arguments.list_only else 0


if __name__ == "__main__":
    sys.exit(main())
