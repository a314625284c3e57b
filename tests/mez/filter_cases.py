#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs `mez filter`, under both of its names, on tables and property files that are made here.

filter_cases.py MEZ
"""

import base64
import os
import re
import struct
import subprocess
import sys
import tempfile

ASPECTS = {"cpu": 1, "gpu": 2, "fp16": 5, "fp64": 6, "atomic64": 28}
TGLLP, PVC = 0x03000000, 0x030f0007


def reversed_bits(byte):
    return int(f"{byte:08b}"[::-1], 2)


def property_bytes(data):
    """The tools' base64 takes groups of six bits from the lowest on: the usual one of a bit string that is mirrored."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    usual = base64.b64encode(bytes(map(reversed_bits, struct.pack("<Q", 8 * len(data)) + data))).decode().rstrip("=")
    return "2|" + "".join(letters[int(f"{letters.index(letter):06b}"[::-1], 2)] for letter in usual)


def numbers(*values):
    return property_bytes(struct.pack(f"<{len(values)}I", *values))


def requirements(**properties):
    lines = ["[SYCL/device requirements]"] + [f"{name}={value}" for name, value in properties.items()]
    return "\n".join(lines) + "\n"


def aspects(*names):
    return numbers(*(ASPECTS[name] for name in names))


FILES = {
    "nothing.prop": "[SYCL/misc properties]\noptLevel=1|2\n",
    "none.prop": requirements(aspects=aspects()),
    "half.prop": requirements(aspects=aspects("fp16", "gpu")),
    "double.prop": requirements(aspects=aspects("fp64")),
    "doc.prop": requirements(aspect=aspects("fp64")),
    "sub8.prop": requirements(aspects=aspects(), reqd_sub_group_size="1|8"),
    "sub8doc.prop": requirements(aspects=aspects(), reqd_sub_group_size=numbers(16, 8)),
    "esimd.prop": requirements(aspects=aspects(), reqd_sub_group_size="1|1") + "[SYCL/misc properties]\nisEsimdImage=1|1\n",
    "for_tgllp.prop": requirements(aspects=aspects(), fixed_target=numbers(TGLLP)),
    "for_both.prop": requirements(aspects=aspects(), fixed_target=numbers(PVC, TGLLP + 3)),
    "for_cpu.prop": requirements(aspects=aspects(), fixed_target=aspects("cpu")),
    "for_nobody.prop": requirements(aspects=aspects(), fixed_target=numbers()),
    "unnamed.prop": requirements(aspects=numbers(4711)),
    "bad.prop": "aspects=1|5\n",
    "two.yaml": "small:\n  aspects: [gpu]\n  sub-group-sizes: [16]\n  speed: 5\nodd:\n  aspects: [4711]\n",
    "bad.yaml": "small:\n  aspects: gpu\n",
    "plain.table": "[Code|Symbols]\na.spv|a.sym\n",
    "untitled.table": "a.spv|absent.prop\n",
    "double.table": "[Code|Properties]\nd.spv|double.prop\n",
    "bad.table": "[Code|Properties]\nb.spv|bad.prop\n",
    "absent.table": "[Code|Properties]\na.spv|half.prop\nb.spv|absent.prop\n",
    "ragged.table": "[Code|Properties]\na.spv\n",
    "unnamed.table": "[Code|Properties]\nu.spv|unnamed.prop\n",
    "empty.table": "",
}

ROWS = ["nothing", "none", "half", "double", "doc", "sub8", "sub8doc", "esimd", "for_tgllp", "for_both", "for_cpu",
        "for_nobody"]


def table(rows):
    return "[Code|Properties|Symbols]\n" + "".join(f"{row}.spv|{row}.prop|{row}.sym\n" for row in rows)


FILES["all.table"] = table(ROWS)


def without(*rows):
    return table([row for row in ROWS if row not in rows])


# Name, arguments, exit code, stdout, stderr; as in run_cases.py.
CASES = [
    ("tgllp has no fp64", ["-target=intel_gpu_tgllp", "all.table"], 0, without("double", "doc", "for_cpu", "for_nobody"), ""),
    ("pvc has no sub-groups of 8", ["--target", "pvc", "all.table"], 0,
     without("sub8", "sub8doc", "for_tgllp", "for_cpu", "for_nobody"), ""),
    ("a CPU is not a GPU", ["-target=x86_64", "all.table"], 0,
     without("half", "for_tgllp", "for_both", "for_nobody"), ""),
    ("anything runs on spir64", ["-target=spir64", "all.table"], 0, without("for_nobody"), ""),
    ("reasons", ["-target=intel_gpu_pvc", "--verbose", "all.table"], 0, None, re.compile(
        r"^mez filter: sub8\.spv is left out, because it needs sub-groups of 8\n(.*\n)*"
        r"mez filter: for_tgllp\.spv is left out, because it needs another target: it is for fixed ones\n")),
    ("an empty result is success", ["-target=tgllp", "double.table"], 0, "[Code|Properties]\n", ""),
    ("no properties, any target", ["-target=abacus", "plain.table"], 0, "[Code|Symbols]\na.spv|a.sym\n", ""),
    ("no titles", ["-target=abacus", "untitled.table"], 0, "a.spv|absent.prop\n", ""),
    ("an empty table", ["-target=abacus", "empty.table"], 0, "", ""),
    ("unknown target", ["-target=intel_gpu_tglp", "all.table"], 1, "", re.compile(
        r"the target \"intel_gpu_tglp\" is not known\n.*\n *perhaps meant: intel_gpu_tgllp\n")),
    ("unknown target leaves the output alone", ["-target=abacus", "-o", "kept.txt", "all.table"], 1, "", None),
    ("another configuration", ["-target=small", "-device-config-file=two.yaml", "all.table"], 0,
     without("half", "double", "doc", "sub8", "sub8doc", "for_tgllp", "for_both", "for_cpu", "for_nobody"),
     "mez filter: warning: two.yaml:4:3: small: the key \"speed\" is unknown and ignored\n"
     "mez filter: warning: two.yaml:6:13: aspect 4711 has no name that is known\n"),
    ("an aspect without a name", ["-target=odd", "-device-config-file=two.yaml", "unnamed.table"], 0,
     "[Code|Properties]\nu.spv|unnamed.prop\n", None),
    ("an aspect that nobody has", ["-target=tgllp", "--verbose", "unnamed.table"], 0, "[Code|Properties]\n",
     "mez filter: u.spv is left out, because it needs aspect 4711\n"),
    ("a configuration of the environment", ["MEZ_DEVICE_CONFIG=two.yaml", "-target=tgllp", "all.table"], 1, "",
     re.compile(r"the target \"tgllp\" is not known")),
    ("a wrong configuration", ["-target=small", "-device-config-file", "bad.yaml", "all.table"], 1, "",
     re.compile(r"bad\.yaml:2:12: aspects needs a list")),
    ("a property file that is none", ["-target=tgllp", "bad.table"], 1, "", re.compile(r"bad\.prop.*category missing")),
    ("a property file that is missing", ["-target=tgllp", "absent.table"], 1, "", re.compile(r"absent\.prop")),
    ("a table that is none", ["-target=tgllp", "ragged.table"], 1, "", re.compile(r"row size mismatch at line 2")),
    ("a table that is missing", ["-target=tgllp", "no.table"], 1, "", re.compile(r"no\.table.*No such file")),
    ("no target", ["all.table"], 2, "", re.compile(r"the target is missing: add -target=TARGET")),
    ("no table", ["-target=tgllp"], 2, "", re.compile(r"the input table is missing")),
    ("two tables", ["-target=tgllp", "a", "b"], 2, "", re.compile(r"unexpected second table \"b\"")),
    ("unknown option", ["-targets=tgllp", "a"], 2, "", re.compile(r"unknown option -targets=tgllp")),
    ("help", ["--help"], 0, re.compile(r"^usage: mez filter -target=TARGET"), ""),
    ("stdout is full", ["-target=tgllp", "all.table", ">/dev/full"], 1, None, re.compile("No space left on device")),
    ("output that can't be written", ["-target=tgllp", "-o", "no/where", "all.table"], 1, "", re.compile("no/where")),
    ("output", ["-target=tgllp", "-o", "out.table", "all.table"], 0, "", ""),
]


def run(command, words, folder):
    environment = dict(os.environ)
    environment.pop("MEZ_DEVICE_CONFIG", None)
    while words and re.match(r"[A-Z_]+=", words[0]):
        name, value = words[0].split("=", 1)
        environment[name] = value
        words = words[1:]
    full = words[-1] == ">/dev/full"
    with open("/dev/full", "w", encoding="ascii") as sink:
        return subprocess.run(command + (words[:-1] if full else words), cwd=folder, env=environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=sink if full else subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=60, check=False)


def fits(wanted, got):
    if wanted is None:
        return True
    return wanted == got if isinstance(wanted, str) else wanted.search(got) is not None


def read(folder, name):
    with open(os.path.join(folder, name), encoding="ascii") as file:
        return file.read()


def check(command, case, folder):
    name, words, code, out, err = case
    result = run(command, words, folder)
    good = result.returncode == code and fits(out, result.stdout or "") and fits(err, result.stderr)
    print("ok" if good else "not ok", "-", os.path.basename(command[0]), name)
    if not good:
        print(f"exit code {result.returncode}, stdout:\n{result.stdout}\nstderr:\n{result.stderr}")
    return good


def check_files(folder):
    good = read(folder, "kept.txt") == "kept\n" and read(folder, "out.table") == without("double", "doc", "for_cpu", "for_nobody")
    os.remove(os.path.join(folder, "out.table"))
    print("ok" if good else "not ok", "- files that were written")
    return good


def main():
    mez = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**FILES, "kept.txt": "kept\n"}.items():
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write(text)
        drop_in = os.path.join(folder, "sycl-aspect-filter")
        os.symlink(mez, drop_in)
        good = True
        for command in [mez, "filter"], [drop_in]:
            good &= all([check(command, case, folder) for case in CASES])
            good &= check_files(folder)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
