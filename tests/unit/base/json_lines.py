#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is the JSON of errors always JSON, and are their stories safe to print? json_lines.py PROGRAM COUNT: reads what the program prints,
an error and a text in turn, a line each."""

import json
import re
import subprocess
import sys

MEMBERS = ["category", "value", "name", "message", "condition", "family", "headline", "causes", "fields"]
HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def main(program, count):
    output = subprocess.run([program, count], stdout=subprocess.PIPE, check=True).stdout
    lines = output.decode("utf-8").split("\n")[:-1]  # fails where it is not UTF-8
    for line in lines[1::2]:
        assert len(json.loads(line)) == 1 and not HIDDEN.search(line), line
    for line in lines[::2]:
        error = json.loads(line)
        for text in (error["headline"], error["causes"][0], error["fields"][0]["text"]):
            assert not HIDDEN.search(text), line
        assert list(error) == MEMBERS, line
        assert len(error["causes"]) == 1 and error["fields"][0]["name"] == "field", line
    assert len(lines) == 2 * int(count), f"{len(lines)} lines of {count}"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
