#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does `mez check` say of modules with one kernel what Intel's compiler says of them?

oracle_cases.py OCLOC MEZ MODULE.spv... [--overlooked MODULE.spv...]

Without ocloc (an empty name) the test is skipped. What the compiler overlooks (see the test of the survey) it builds though
devices without doubles can't run it.
"""

import json
import os
import subprocess
import sys
import tempfile

DEVICES = {"skl": "intel_gpu_skl", "tgllp": "intel_gpu_tgllp", "dg2": "intel_gpu_acm_g10", "pvc": "intel_gpu_pvc"}
WITHOUT_DOUBLES = ("tgllp", "dg2")

# What the compiler takes and the device does not: we go by the device. Each with its reason.
NOT_JUDGED = {
    "work-group size": "the compiler knows no limit: the driver fails when the kernel is created",
    "aspect ext_intel_legacy_image": "the compiler takes images for GPUs that have none, and so does the driver",
}


def predict(mez, module):
    """For each device what it lacks, by kind; what is only declared is nothing to a compiler."""
    targets = [argument for name in DEVICES.values() for argument in ("--target", name)]
    result = subprocess.run([mez, "check", module, "--json", *targets], capture_output=True, text=True, check=False)
    lacks = {name: set() for name in DEVICES.values()}
    for requirement in json.loads(result.stdout)["units"][0]["requires"]:
        if requirement.get("place", {}).get("declared"):
            continue
        for reason in requirement["unmet"]:
            if reason["answer"] == "no":
                what = requirement["kind"]
                lacks[reason["device"]].add(f"{what} {requirement['value']}" if what == "aspect" else what)
    return lacks


def builds(ocloc, module, device, folder):
    return subprocess.run([ocloc, "compile", "-spirv_input", "-device", device, "-file", module, "-out_dir", folder,
                           "-output", "module"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def compare(ocloc, mez, module, overlooked, folder):
    wrong = 0
    prediction = predict(mez, module)
    for device, target in DEVICES.items():
        lacks = prediction[target]
        expected = not lacks - NOT_JUDGED.keys() or (overlooked and device in WITHOUT_DOUBLES)
        found = builds(ocloc, module, device, folder)
        if expected != found:
            print(f"not ok - {os.path.basename(module)} on {device}: lacks {sorted(lacks)}, ocloc: {found}")
            wrong += 1
    return wrong


def main():
    ocloc, mez, *modules = sys.argv[1:]
    if not ocloc:
        print("skipped: there is no ocloc")
        return 77
    wrong, overlooked, count = 0, False, 0
    with tempfile.TemporaryDirectory() as folder:
        for module in modules:
            if module == "--overlooked":
                overlooked = True
                continue
            wrong += compare(ocloc, os.path.abspath(mez), os.path.abspath(module), overlooked, folder)
            count += 1
    print(f"{count} modules on {len(DEVICES)} devices, {wrong} disagreements")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
