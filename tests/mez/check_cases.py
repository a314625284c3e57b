#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs mez check, and compares what it prints and its exit code.

check_cases.py SUITE MEZ CHECK_UNITS.spv [timed]

SUITE is unit (targets only), cpu or capture. timed: also holds it to a second for 1,000 kernels.
"""

import json
import os
import re
import sys
import tempfile
import time

import run_cases
import spirv_writer

UNITS = """kernel    requires                      intel_gpu_tgllp  intel_gpu_pvc
doubles   aspect fp64                   no               yes
plain     nothing                       yes              yes
sizes     sub-group size 8              yes              no
          work-group size 1024 x 1 x 1  no               yes
declares  aspect cpu                    no               no
          aspect fp64                   no               yes
notes     aspect ext_intel_free_memory  no               no

"""

FP64 = ("  Kernel uses optional feature corresponding to 'aspect::fp64' but device does not support this\n"
        "    aspect.\n")

SIZES = """sizes:
  Kernel has a required sub-group size of '8' but device does not support this sub-group size.
    for OpExecutionMode of kernel "sizes"
    not on intel_gpu_pvc: the device has sub-groups of 16, 32
  Required work-group size 1024 is not supported on the device
    for OpExecutionMode of kernel "sizes"
    not on intel_gpu_tgllp: the device runs at most 512 work-items together
  Required work-group size 1024 is not supported
    for OpExecutionMode of kernel "sizes"
    not on intel_gpu_tgllp: the device runs at most 512 work-items together in dimension 0
"""

CHAIN = (r"^\S*units\.cl:11:\d+: warning: function 'declares' uses aspect 'fp64' not listed in "
         r"'sycl::device_has'\nuse is from this call chain:\n  declares\(\)\n  scale\(\) \S*units\.cl:\d+:\d+\n")

FIXED = (r"\S*units\.cl:11:\d+: warning: function 'scale' uses aspect 'fp64' not supported by fixed target "
         r"'intel_gpu_tgllp'\n")

USAGE = run_cases.usage_error

# As in run_cases: name, arguments, exit code, stdout, stderr.
UNIT = [
    ("help", ["check", "--help"], 0, re.compile(r"^usage: mez check IMAGE"), ""),
    ("no file", ["check"], 2, "", USAGE("check", "the input file is missing")),
    ("two files", ["check", "a", "b"], 2, "", USAGE("check", "unexpected second file \"b\"")),
    ("no such mode", ["check", "a", "--mode=all"], 2, "",
     USAGE("check", "--mode: \"all\" is neither values nor types")),
    ("no such compiler", ["check", "a", "--compiler=3"], 2, "",
     USAGE("check", "--compiler: \"3\" is not a version of a known compiler, such as 1.0 or 2.40")),
    ("no such file", ["check", "absent.spv", "--target", "pvc"], 1, "", re.compile(r"absent\.spv.*No such file")),
    ("no such target", ["check", "{spv}", "--target", "abacus"], 1, "",
     re.compile(r"there is no target \"abacus\"")),
    ("no such fixed target", ["check", "{spv}", "--target", "pvc", "--fixed-targets", "pvc,abacus"], 1, "",
     re.compile(r"there is no target \"abacus\"")),
    ("text", ["check", "garbage.bin", "--target", "pvc"], 1, "", re.compile(r"MEZ_ERRC_INVALID_IMAGE")),
    ("table", ["check", "{spv}", "--target", "tgllp", "--target", "pvc"], 1,
     re.compile("^" + re.escape(UNITS) + r"doubles:\n" + re.escape(FP64)
                + r"    for OpFConvert in function \"scale\"\s+\(\S*units\.cl:11:\d+\),\s+reached\s+by\s+doubles\s+->\s+scale\n"
                + r"    not on intel_gpu_tgllp: the device has gpu, fp16, image, atomic64,\s.*and others\n"
                + re.escape(SIZES) + r".*\n\nintel_gpu_tgllp can run 1 of 5 kernels\n"
                r"intel_gpu_pvc can run 2 of 5 kernels\n$", re.S), re.compile(CHAIN + "$")),
    ("all can run", ["check", "constants.spv", "--target", "pvc", "--compiler=2.40"], 0,
     "kernel  requires     intel_gpu_pvc\nsingle  nothing      yes\ndouble  aspect fp64  yes\n\n"
     "intel_gpu_pvc can run 2 of 2 kernels, judged for IGC 2\n", ""),
    ("perhaps", ["check", "constants.spv", "--target", "spir64"], 0,
     "kernel  requires     spir64\nsingle  nothing      yes\ndouble  aspect fp64  perhaps\n\n"
     "spir64 can run 2 of 2 kernels, 1 of them perhaps, judged for an unknown compiler\n", ""),
    ("fixed targets", ["check", "{spv}", "--target", "pvc", "--fixed-targets=tgllp"], 1, None,
     re.compile(CHAIN + r"(.*\n)*" + FIXED)),
    ("properties before garbage", ["check", "image.table", "--target", "pvc", "--target", "skl", "--compiler", "1.0.12504"], 1,
     "kernel         requires          intel_gpu_pvc  intel_gpu_skl\n"
     "garbage.bin:\n"
     "all 2 kernels  sub-group size 8  no             yes\n"
     "constants.spv:\n"
     "single         nothing           yes            yes\n"
     "double         aspect fp64       yes            yes\n"
     "\n"
     "garbage.bin: k_one, k_two\n"
     "  Kernel has a required sub-group size of '8' but device does not support this sub-group size.\n"
     "    for all kernels of the image: its properties say so\n"
     "    not on intel_gpu_pvc: the device has sub-groups of 16, 32\n"
     "\n"
     "intel_gpu_pvc can run 2 of 4 kernels, judged for IGC 1\n"
     "intel_gpu_skl can run 4 of 4 kernels, judged for IGC 1\n",
     re.compile(r"^mezzanine: garbage\.bin: .*\n.*MEZ_ERRC_INVALID_IMAGE")),
    ("native code of another device is spare", ["check", "native.table", "--target", "pvc", "--target", "tgllp"], 0,
     "kernel         requires                      intel_gpu_pvc  intel_gpu_tgllp\n"
     "native.bin:\n"
     "all 2 kernels  architecture intel_gpu_tgllp  no             yes\n"
     "one.spv:\n"
     "single         nothing                       yes            yes\n"
     "another        nothing                       yes            yes\n"
     "\n"
     "native.bin: single, another\n"
     "  Code was compiled for 'intel_gpu_tgllp', but the device is another one and can't run it.\n"
     "    for all kernels of the image: it is native code\n"
     "    not on intel_gpu_pvc: the device is intel_gpu_pvc\n"
     "\n"
     "intel_gpu_pvc can run 2 of 2 kernels\n"
     "intel_gpu_tgllp can run 4 of 4 kernels\n", ""),
    ("native code of another device alone", ["check", "alone.table", "--target", "pvc", "--target", "tgllp"], 1,
     re.compile(r"\nintel_gpu_pvc can run 0 of 2 kernels\nintel_gpu_tgllp can run 2 of 2 kernels\n$"), ""),
    ("another configuration file",
     ["check", "two.spv", "--device-config-file", "devices.yaml", "--target", "abacus"], 1,
     re.compile(r"^kernel  requires     abacus\nsingle  nothing      yes\ndouble  aspect fp64  no\n"), ""),
    ("many targets are several tables", ["check", "two.spv"] + ["--target=intel_gpu_acm_g10"] * 6, 1,
     re.compile(r"^(kernel  requires     ( *intel_gpu_acm_g10){4}\n.*\n.*\n\n"
                r"kernel  requires     ( *intel_gpu_acm_g10){2}\n.*\n.*\n\n)double:\n"), ""),
]

CPU = [
    ("what a program gets", ["check", "two.spv"], 0,
     re.compile(r"^kernel  requires     ze-cpu \(host persona\)\n.*\ndouble  aspect fp64  yes\n\nze-cpu"), ""),
    ("a persona", ["ZE_CPU_PERSONA=tgllp", "check", "two.spv", "--device=0"], 1,
     re.compile(r"\nsingle  nothing      yes\ndouble  aspect fp64  no\n\ndouble:\n" + re.escape(FP64)
                + r"    for OpConvertUToF in function \"double\"\n    not on ze-cpu \(tgllp persona\): "), ""),
    ("beside a target", ["check", "two.spv", "--device", "cpu", "--target", "tgllp"], 1,
     re.compile(r"^kernel  requires     ze-cpu \(host persona\)  intel_gpu_tgllp\n"), ""),
    ("no such device", ["check", "two.spv", "--device", "7"], 1, "",
     re.compile(r"there is no device 7: the context has 1, numbered from 0")),
]

CAPTURE = [
    ("Intel's driver", ["check", "two.spv"], 1,
     re.compile(r"\nsingle  nothing      yes\ndouble  aspect fp64  no\n"), ""),
]

SUITES = {"unit": UNIT, "cpu": CPU, "capture": CAPTURE}


def property_bytes(content):
    """A byte array as property files have it: the number of its bits, then base64 that begins with the lowest bits."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    bits = int.from_bytes((8 * len(content)).to_bytes(8, "little") + content, "little")
    return "".join(letters[bits >> at & 63] for at in range(0, 8 * (8 + len(content)), 6))


FILES = {
    "garbage.bin": b"not a device image at all\n",
    "two.spv": spirv_writer.module([("single", False), ("double", True)]),
    "constants.spv": spirv_writer.module([("single", False), ("double", spirv_writer.CONSTANTS)]),
    "many.spv": spirv_writer.module([(f"kernel_{i}", i % 10 == 0) for i in range(1000)]),
    "image.table": b"[Code|Properties|Symbols]\ngarbage.bin|a.prop|a.sym\nconstants.spv|b.prop|b.sym\n",
    "a.prop": b"[SYCL/device requirements]\nreqd_sub_group_size=1|8\n",
    "a.sym": b"k_one\nk_two\n",
    "b.prop": b"[SYCL/misc properties]\noptLevel=1|2\n",
    "b.sym": b"single\ndouble\n",
    "native.bin": b"CTNI: patch tokens begin so",
    "one.spv": spirv_writer.module([("single", False), ("another", False)]),
    "native.table": b"[Code|Properties|Symbols]\nnative.bin|n.prop|n.sym\none.spv|b.prop|n.sym\n",
    "alone.table": b"[Code|Properties|Symbols]\nnative.bin|n.prop|n.sym\n",
    "n.prop": f"[SYCL/device requirements]\ncompile_target=2|{property_bytes(b'intel_gpu_tgllp')}\n".encode(),
    "n.sym": b"single\nanother\n",
    "devices.yaml": b"abacus:\n  aspects: [cpu]\n  sub-group-sizes: [1]\n",
}


def json_is_right(mez, paths, folder):
    result = run_cases.run(mez, paths, ["check", "two.spv", "--target", "tgllp", "--target", "pvc", "--json"], folder)
    report = json.loads(result.stdout)
    double = report["units"][1]
    unmet = double["requires"][0]["unmet"]
    return (result.returncode == 1 and report["devices"] == ["intel_gpu_tgllp", "intel_gpu_pvc"]
            and report["units"][0]["verdicts"] == {"intel_gpu_tgllp": "yes", "intel_gpu_pvc": "yes"}
            and double["kernels"] == ["double"]
            and double["verdicts"] == {"intel_gpu_tgllp": "no", "intel_gpu_pvc": "yes"}
            and double["requires"][0]["value"] == "fp64"
            and double["requires"][0]["place"]["instruction"] == "OpConvertUToF"
            and [reason["device"] for reason in unmet] == ["intel_gpu_tgllp"])


def many_kernels_are_quick(mez, paths, folder, timed):
    start = time.monotonic()
    result = run_cases.run(mez, paths, ["check", "many.spv", "--target", "tgllp", "--target", "pvc"], folder)
    seconds = time.monotonic() - start
    print(f"# 1000 kernels: {seconds:.3f} s")
    return (result.returncode == 1 and "intel_gpu_tgllp can run 900 of 1000 kernels" in result.stdout
            and (not timed or seconds < 1))


def report(name, good, why=""):
    print("ok" if good else "not ok", "-", name)
    print(why, end="")
    return 0 if good else 1


def main():
    suite, mez, spv = sys.argv[1], *map(os.path.abspath, sys.argv[2:4])
    paths = {"spv": spv}
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, content in FILES.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
        for case in SUITES[suite]:
            why = "".join(run_cases.differences(case, run_cases.run(mez, paths, case[1], folder)))
            failed += report(case[0], not why, why)
        if suite == "unit":
            failed += report("JSON", json_is_right(mez, paths, folder))
            failed += report("many kernels", many_kernels_are_quick(mez, paths, folder, "timed" in sys.argv))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
