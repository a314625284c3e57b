#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is every function of the public headers called by a walk over error paths?

walked.py HEADER... -- PROGRAM...

Each program is the source of a test that plays a scenario again and again while one call of the driver, or one allocation of
the library, after the other fails. With --table as the first argument it prints, for each function, which programs call it.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import interface # pylint: disable=wrong-import-position


def called_by(path):
    return {interface.short(name) for name in re.findall(r"\b(\w+)\(", pathlib.Path(path).read_text(encoding="utf-8"))}


def main():
    table = sys.argv[1] == "--table"
    arguments = sys.argv[2 if table else 1:]
    split = arguments.index("--")
    functions = {call.name for call in interface.calls_of(arguments[:split])}
    calls = {path: called_by(path) for path in arguments[split + 1:]}
    users = {name: [pathlib.Path(path).stem for path, names in calls.items() if name in names] for name in sorted(functions)}
    missing = [name for name, programs in users.items() if not programs]
    for name, programs in users.items():
        if table:
            print(f"{name:36} {', '.join(programs)}")
    for name in missing:
        print(f"no walk over error paths calls {name}")
    print(f"walked functions: {len(users) - len(missing)} passed, {len(missing)} failed, 0 skipped")
    return 1 if missing or not users else 0


if __name__ == "__main__":
    sys.exit(main())
