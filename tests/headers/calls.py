#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does everything that lists calls have those of the public headers?

calls.py HEADER... -- C++-HEADER... -- FOLDER-OF-THE-LIBRARY

Each call that takes a place has a macro of its name with the same parameters, which fills the place in. Each call of a header
that has one for C++ beside it is there in C++. Each call that takes a place and returns an error is reported to traces, unless it is
only a question; so is each that destroys. Each that destroys what C++ has an object for takes a place.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import interface # pylint: disable=wrong-import-position

# C++ programs call these as they are, or have something of their own for them.
OF_C_ALONE = {"mez_condition_get_message", "mez_condition_get_name", "mez_error_get_name", "mez_error_print"}

# What programs ask again and again, and whose answer changes nothing.
QUESTIONS = {
    "mez_device_get_memory_state", "mez_device_get_native_asserts", "mez_event_get_profile", "mez_event_get_status", "mez_event_get_ze",
    "mez_memory_get_info",
}

# A part of most tasks with an event, which tools would show for nothing.
UNREPORTED = {"mez_event_destroy"}


def read(path):
    return pathlib.Path(path).read_text(encoding="utf-8")


def macros_of(headers):
    """name -> (parameters, what it calls, with which arguments), of all macros that fill in a place"""
    text = "\n".join(read(header).replace("\\\n", " ") for header in headers)
    found = re.findall(r"#define (mez_\w+)\(([^)]*)\)\s+(\w+)\(\s*MEZ_HERE,\s*([^)]*)\)", text)
    return {name: tuple(" ".join(part.split()) for part in (parameters, symbol, arguments)) for name, parameters, symbol, arguments in found}


def macro_faults(calls, macros):
    for call in calls:
        if not call.placed:
            continue
        if call.name not in macros:
            yield f"{call.name}: no macro fills in the place of {call.symbol}"
            continue
        parameters, symbol, arguments = macros[call.name]
        if symbol != call.symbol or arguments.replace("__VA_ARGS__", "...") != parameters:
            yield f"{call.name}: the macro does not hand its parameters to {call.symbol}"
        given = parameters.split(", ")
        if given != call.arguments() and given[-1] != "...":
            yield f"{call.name}: the macro has the parameters ({parameters}), the function ({', '.join(call.arguments())})"
    for name in sorted(macros.keys() - {call.name for call in calls}):
        yield f"{name}: a macro without a function"


def place_faults(calls):
    for call in calls:
        of_a_context = pathlib.Path(call.header).with_suffix(".hpp").exists()
        if of_a_context and not call.placed and call.destroys:
            yield f"{call.name}: destroys, and takes no place"


def cpp_faults(calls, headers):
    used = set(re.findall(r"\bmez_\w+", "\n".join(re.sub(r"//[^\n]*", "", read(header)) for header in headers)))
    for call in calls:
        if not pathlib.Path(call.header).with_suffix(".hpp").exists():
            continue
        if (call.symbol in used) == (call.name in OF_C_ALONE):
            yield f"{call.symbol}: " + ("not in C++" if call.name not in OF_C_ALONE else "in C++, and said to be of C alone")


def trace_faults(calls, library):
    text = "\n".join(read(path) for path in sorted(pathlib.Path(library).rglob("*.c")))
    reported = set(re.findall(r"\bMEZ_TRACE(?:D_CALL|D_SPAN|_NOTIFY|_NOTIFY_VOID)\(\s*(mez_\w+)", text))
    for call in calls:
        silent = call.name in QUESTIONS | UNREPORTED
        if call.placed and (call.destroys or call.result == "mez_error") and (call.name in reported) == silent:
            yield f"{call.name}: " + ("reported to traces, and said not to be" if silent else "not reported to traces")
    for name in sorted(reported - {call.name for call in calls}):
        yield f"{name}: reported to traces, and no call"


def main():
    first = sys.argv.index("--")
    second = sys.argv.index("--", first + 1)
    headers = sys.argv[1:first]
    calls = interface.calls_of(headers)
    faults = [*place_faults(calls), *macro_faults(calls, macros_of(headers)), *cpp_faults(calls, sys.argv[first + 1:second]),
              *trace_faults(calls, sys.argv[second + 1])]
    print("\n".join(faults))
    print(f"calls: {len(calls) - min(len(faults), len(calls))} passed, {len(faults)} failed, 0 skipped")
    return 1 if faults or not calls else 0


if __name__ == "__main__":
    sys.exit(main())
