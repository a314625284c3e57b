#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gives the mez command files whose names, kernels and strings would drive a terminal, and checks that nothing of it is printed.

name_cases.py SUITE MEZ

SUITE is unit, for what needs no device, or cpu.
"""

import json
import os
import re
import struct
import subprocess
import sys
import tempfile

import spirv_writer

# Escape sequences, line ends, what is not UTF-8, and marks that turn the order of letters; then what has to stay.
BAD = b"k\x1b[31m\nFORGED\x07\xff\xc2\x9b\xe2\x80\xae\xc3\xa4"
SHOWN = r"k\x1b[31m\nFORGED\x07\xff\u009b\u202e" + "\u00e4"
FLAT, SHOWN_FLAT = BAD.replace(b"\n", b""), SHOWN.replace(r"\n", "")  # where a name can't have lines
FILE = b"f\x1b]0;title\x07\n\xe2\x81\xa6.spv"
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


class Failure(Exception):
    pass


def assert_clean(what, data):
    text = data.decode()  # fails where it is not UTF-8
    found = HIDDEN.search(text)
    if found or any(line.startswith("FORGED") for line in text.splitlines()):
        raise Failure(f"{what} prints {found!r}: {text!r}")
    return text


def run(mez, folder, *arguments, code=None, shows=SHOWN, environment=None):
    result = subprocess.run([mez, *arguments], cwd=folder, capture_output=True, timeout=120, check=False,
                            env=dict(os.environ, **(environment or {})))
    output = assert_clean(arguments, result.stdout) + assert_clean(arguments, result.stderr)
    if code is not None and result.returncode != code:
        raise Failure(f"{arguments} ends with {result.returncode}: {output}")
    if shows not in output:
        raise Failure(f"{arguments} does not show {shows}: {output}")
    return result


def elf(section):
    """An ELF file with one section, which has such a name and lies behind the end."""
    strings = b"\0" + section + b"\0"
    header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 0xff11, 205, 1, 0, 0, 64 + len(strings), 0, 64, 0, 0, 64, 2, 1)
    sections = struct.pack("<IIQQQQIIQQ", 1, 1, 0, 0, 1 << 40, 64, 0, 0, 1, 0)
    names = struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, 64, len(strings), 0, 0, 1, 0)
    return header + strings + sections + names


def write(folder, name, data):
    path = os.path.join(os.fsencode(folder), name)
    with open(path, "wb") as file:
        file.write(data)


def try_without_device(mez, folder):
    target = ("--target", "intel_gpu_tgllp")
    run(mez, folder, "check", "bad.spv", *target)
    units = json.loads(run(mez, folder, "check", "bad.spv", *target, "--json", shows="units").stdout)["units"]
    if BAD.decode("utf-8", "replace") not in [name for unit in units for name in unit["kernels"]]:
        raise Failure(f"JSON does not have the name: {units}")
    run(mez, folder, "build", "--targets=spir64", "-o", "bad.syclbin", "bad.spv", code=1)
    write(folder, b"flat.spv", spirv_writer.module([(FLAT, True), (b"good", False)]))
    run(mez, folder, "build", "--targets=spir64", "-o", "bad.syclbin", "flat.spv", code=0, shows="")
    run(mez, folder, "check", "bad.syclbin", *target, shows=SHOWN_FLAT)
    with open(os.path.join(folder, "bad.syclbin"), "rb") as file:
        fat = file.read()
    for string in (b"spir64", b"image"):  # all strings of a container are somebody's
        write(folder, b"fat", fat.replace(string, b"\x1b\n\xff" + string[3:]))
        run(mez, folder, "check", "fat", *target, shows="\\x1b")
    run(mez, folder, "check", "elf", *target, shows="can run 0")
    shown_file = r"f\x1b]0;title\x07\n\u2066.spv"
    for command in (["check", FILE, *target], ["split", "-o", "out.table", FILE],
                    ["build", "--targets=intel_gpu_tgllp", "-o", "out.table", FILE]):
        write(folder, FILE, b"\x03\x02\x23\x07broken")
        run(mez, folder, *command, code=1, shows=shown_file)
        os.remove(os.path.join(os.fsencode(folder), FILE))
        run(mez, folder, *command, code=1, shows=shown_file)
    run(mez, folder, "build", "--targets=intel_gpu_tgllp", "--verbose", "-o", "out.table", "bad.spv")
    run(mez, folder, "split", "--verbose", "-o", "out.table", "bad.spv", shows="")
    write(folder, b"bad.table", b"[Code|Properties|Symbols]\n" + FLAT + b"|a|b\n")
    run(mez, folder, "check", "bad.table", *target, code=1, shows=SHOWN_FLAT)
    write(folder, b"bad.cl", b"#line 1 \"a\\033[31m.cl\"\nkernel void f() { undefined\x1b[31m(); }\n")
    run(mez, folder, "compile", "bad.cl", code=1, shows="\\x1b")
    write(folder, b"bad.yaml", b"\"t\\e[31m\":\n  aspects: [\"a\\e[32m\"]\n")
    run(mez, folder, "check", "bad.spv", *target, "--device-config-file", "bad.yaml", shows="\\x1b[3")


def try_on_device(mez, folder):
    run(mez, folder, "kernels", "bad.spv", code=0)
    run(mez, folder, "run", "bad.spv", BAD, "--global", "1", "u32:1", code=0, shows="")
    run(mez, folder, "run", "bad.spv", b"wrong" + BAD, "--global", "1", "u32:1", code=1, shows="wrong" + SHOWN)
    run(mez, folder, "run", "bad.spv", BAD, "--global", "1", "u32:1", "u32:2", code=1)
    run(mez, folder, "run", "bad.spv", BAD, "--global", "1", "u32:1", code=0, shows="",
        environment={"MEZ_LOG": "trace", "MEZ_QUEUE": "batched"})
    for form in ("json", "dot", "txt", "stats"):
        path = f"trace.{form}"
        run(mez, folder, "trace", "-o", path, "--", mez, "run", "bad.spv", BAD, "--global", "1", "u32:1", shows="")
        with open(os.path.join(folder, path), "rb") as file:
            text = assert_clean(path, file.read())
        if "FORGED" not in text:
            raise Failure(f"{path} does not have the kernel: {text}")
        if form == "json":
            json.loads(text)


def main():
    suite, mez = sys.argv[1], os.path.abspath(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        code = spirv_writer.module([(BAD, True), (b"good", False)] if suite == "unit" else [(BAD, False)])
        write(folder, b"bad.spv", code)
        write(folder, b"elf", elf(BAD))
        (try_without_device if suite == "unit" else try_on_device)(mez, folder)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(str(failure))
