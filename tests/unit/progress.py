#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs scripts/progress with its output in a pipe: it is over with its command, and its exit code is the command's.

progress.py SCRIPT
"""

import os
import subprocess
import sys
import tempfile

SOON = 5  # seconds, less than it waits between two lines


def run(script, log, *command, **variables):
    """Its output, all of it, and its exit code."""
    environment = {name: value for name, value in os.environ.items() if name != "QUIET"} | variables
    ended = subprocess.run([script, log, "work", *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           env=environment, timeout=SOON, check=False)
    return ended.returncode, ended.stdout


def main():
    script = sys.argv[1]
    with tempfile.NamedTemporaryFile() as log:
        assert run(script, log.name, "true") == (0, "")
        code, said = run(script, log.name, "sh", "-c", "echo '[3/7] why'; exit 3")
        assert code == 3, code
        assert "[3/7] why" in said and "work: failed with exit code 3" in said, said
        assert run(script, log.name, "sh", "-c", "echo why; exit 3", QUIET="1") == (3, "")
        assert run(script, log.name, "sh", "-c", "echo quiet=$QUIET", QUIET="1")[0] == 0
        log.seek(0)
        assert log.read() == b"quiet=\n", "its command is quiet, too"
    print("ok - its end is the command's")


main()
