#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that `mez check` names what kernels import and nobody defines.

import_cases.py MEZ IMPORTS.spv
"""

import json
import re
import subprocess
import sys

# Imports come in the order of the module, which compilers choose.
TABLE = """kernel     requires                 intel_gpu_pvc
lacks_one  definition of elsewhere  perhaps
asserts    nothing                  yes
plain      nothing                  yes
"""

LACKING = ["definition of elsewhere  perhaps", "definition of twice      perhaps"]

PLACE = r'for OpFunctionCall in function "both" \(\S*imports\.cl:16:\d+\), reached by lacks -> both'


def check(mez, module, *options):
    return subprocess.run([mez, "check", module, "--target", "pvc", *options], capture_output=True, text=True,
                          timeout=60, check=False)


def words(text):
    return re.sub(r"\s+", " ", text)


def main():
    mez, module = sys.argv[1:3]
    result = check(mez, module)
    print(result.stdout, result.stderr)
    assert result.returncode == 0 and result.stderr == ""
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    for line in TABLE.splitlines():
        assert line in lines, line
    lacking = lines.index(next(line for line in lines if line.startswith("lacks ")))
    assert sorted(line[11:] for line in lines[lacking:lacking + 2]) == LACKING, lines
    said = words(result.stdout)
    assert re.search("lacks: .*Kernel uses elsewhere, which the image imports but does not define. " + PLACE, said)
    assert re.search(r"lacks_one: Kernel uses elsewhere, .* in function \"lacks_one\"", said)
    assert "a library that the program gives to the image has to define it" in said
    assert "2 of them perhaps" in said
    units = json.loads(check(mez, module, "--json").stdout)["units"]
    assert [unit["verdicts"]["intel_gpu_pvc"] for unit in units] == ["perhaps", "perhaps", "yes", "yes"]
    assert units[0]["requires"][0]["place"]["function"] == "both"
    return 0


if __name__ == "__main__":
    sys.exit(main())
