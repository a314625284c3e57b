#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each script explains itself, wherever it is called from: script_help.py SCRIPT..."""

import os
import subprocess
import sys


def header(script):
    """The lines of the comment that begins a script, below its licence."""
    with open(script) as file:
        lines = file.read().split("\n\n", 1)[0].split("\n")
    return [line[2:] for line in lines[3:]]


def help_of(script, option, folder):
    path = os.path.join(".", os.path.relpath(script, folder))
    result = subprocess.run([path, option], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert result.returncode == 0, f"{path} {option} in {folder}: exit code {result.returncode}\n{result.stdout}"
    return result.stdout.rstrip("\n").split("\n")


def main():
    for script in map(os.path.realpath, sys.argv[1:]):
        own = os.path.dirname(script)
        for folder in (own, os.path.dirname(own), "/"):
            for option in ("--help", "-h"):
                shown, wanted = help_of(script, option, folder), header(script)
                assert shown == wanted, f"{script} {option} in {folder} shows\n" + "\n".join(shown)
                assert any(os.path.basename(script) in line for line in shown), f"{script} has no usage"


main()
