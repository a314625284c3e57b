#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists every ze_result_t of the installed Level Zero headers: results.py OUTPUT COMPILER [its options]"""

import re
import subprocess
import sys


def main(output, *compiler):
    source = "#include <level_zero/ze_api.h>\n"
    command = [*compiler, "-E", "-P", "-x", "c", "-"]
    header = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    enum = re.search(r"typedef enum _ze_result_t\s*\{(.*?)\}", header, re.DOTALL).group(1)
    names = re.findall(r"\b(ZE_RESULT_\w+)\s*=", enum)
    with open(output, "w", encoding="ascii") as file:
        for name in names:
            if not name.endswith("FORCE_UINT32"):
                file.write(f"RESULT({name})\n")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
