#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs an example and compares what it prints with what it should.

check.py --on-device ON_DEVICE [--aborts] [--stdout TEXT] [--stderr TEXT] PROGRAM KERNEL

TEXT is the complete output: every byte that the example may print there. Where the device computes nothing (capture) the example must only
end well. Exit code 77: there is no such device here.
"""

import argparse
import os
import signal
import subprocess
import sys

ABSENT = "Level Zero can't be opened"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--on-device", required=True)
    parser.add_argument("--aborts", action="store_true")
    parser.add_argument("--stdout", default="")
    parser.add_argument("--stderr", default="")
    parser.add_argument("program")
    parser.add_argument("kernel")
    return parser.parse_args()


def differences(arguments, result, computes):
    aborts = arguments.aborts and computes
    expected_code = -signal.SIGABRT if aborts else 0
    if result.returncode != expected_code:
        yield f"it ended with {result.returncode}, expected {expected_code}"
    if not computes:
        return
    for name in "stdout", "stderr":
        printed, expected = getattr(result, name), getattr(arguments, name).replace("\\n", "\n")
        if printed != expected:
            yield f"{name} is\n{printed}expected\n{expected}"


def main():
    arguments = parse_arguments()
    device = os.environ.get("MEZ_TEST_DEVICE", "cpu")
    command = [arguments.on_device, arguments.program, arguments.kernel]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode == 77:  # on_device has said why
        print(result.stdout, end="")
        return 77
    if device == "gpu" and ABSENT in result.stderr:
        print("skipped: no Intel GPU on this machine")
        return 77
    problems = list(differences(arguments, result, not device.startswith("capture")))
    for problem in problems:
        print(f"{os.path.basename(arguments.program)} on {device}: {problem}")
    if problems:
        print(result.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
