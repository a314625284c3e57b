#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts test functions in Meson's log: count.py testlog.json DETAILS

Prints "PASSED FAILED SKIPPED" and writes to DETAILS what failed and, by reason, what was skipped. A program that prints its
own counts ("3 passed, 0 failed, 1 skipped", or cmocka's lines) is taken at its word, as long as that agrees with its end;
any other program is one test. No log, or one of no test, is a failure.
"""

import collections
import json
import os
import re
import sys

OWN_COUNTS = re.compile(r"(\d+) passed, (\d+) failed, (\d+) skipped")
CMOCKA_COUNTS = [re.compile(r"\[  " + word + r" *\] (\d+) test\(s\)") for word in ("PASSED", "FAILED", "SKIPPED")]
FAILED_FUNCTION = re.compile(r"^\[  FAILED  \] (\w+)$", re.MULTILINE)
REASON = re.compile(r"^skip: (.*)$", re.MULTILINE)


def reported_counts(text):
    own = OWN_COUNTS.findall(text)
    if own:
        return tuple(int(number) for number in own[-1])
    cmocka = [pattern.findall(text) for pattern in CMOCKA_COUNTS]
    if any(cmocka):
        return tuple(sum(map(int, found)) for found in cmocka)
    return None


def count(test, text):
    """(passed, failed, skipped) of one program."""
    result, reported = test["result"], reported_counts(text)
    if result == "OK":
        return reported if reported and sum(reported) > 0 else (1, 0, 0)
    if result == "SKIP":
        return reported if reported and reported[2] > 0 else (0, 0, 1)
    passed, failed, skipped = reported or (0, 0, 0)
    return passed, max(failed, 1), skipped


def read_log(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as log:
        return [json.loads(line) for line in log]


def main():
    sums, reasons, failures = [0, 0, 0], collections.Counter(), []
    tests = read_log(sys.argv[1])
    if not tests:
        sums, failures = [0, 1, 0], ["failed: no test has run"]
    for test in tests:
        text = (test.get("stdout") or "") + "\n" + (test.get("stderr") or "")
        counts = count(test, text)
        sums = [total + more for total, more in zip(sums, counts)]
        if counts[1]:
            functions = sorted(set(FAILED_FUNCTION.findall(text)))
            failures.append(" ".join([f"failed: {test['name']}: {test['result']}", *functions]))
        if counts[2]:
            found = REASON.findall(text)
            for reason in found or [test["name"]]:
                reasons[reason] += counts[2] if len(found) <= 1 else 1
    with open(sys.argv[2], "w", encoding="utf-8") as details:
        for failure in failures:
            details.write(failure + "\n")
        for reason, times in sorted(reasons.items()):
            details.write(f"skipped {times}: {reason}\n")
    print(*sums)


if __name__ == "__main__":
    sys.exit(main())
