#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is the JSON of errors always JSON? json_lines.py PROGRAM COUNT: reads what the program prints, a line each."""

import json
import subprocess
import sys

MEMBERS = ["category", "value", "name", "message", "condition", "family", "headline", "causes", "fields"]


def main(program, count):
    output = subprocess.run([program, count], stdout=subprocess.PIPE, check=True).stdout
    lines = output.decode("utf-8").split("\n")[:-1]  # fails where it is not UTF-8
    for line in lines:
        error = json.loads(line)
        assert list(error) == MEMBERS, line
        assert len(error["causes"]) == 1 and error["fields"][0]["name"] == "field", line
    assert len(lines) == int(count), f"{len(lines)} lines of {count}"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
