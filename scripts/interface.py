#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The interface as a table, which the public headers are: everything else that lists calls is made of them, or checked.

interface.py exports HEADER...            the names that the library exports, one a line
interface.py traced HEADER... -- OUTPUT   a header for the library: what reports each call to traces
"""

import pathlib
import re
import sys

DECLARATION = re.compile(r"MEZ_API\s+(?:MEZ_CHECKED\s+)?(?P<result>[\w\s]+?[\s*]+)(?P<name>mez_\w+)\s*\((?P<parameters>.*)\)\s*;", re.DOTALL)
PLACE = "const mez_location *where"


def short(name):
    """The name without the suffix of the form that takes a place."""
    return name.removesuffix("_at")


class Call:
    """A function that is exported: `name` is what programs write, `symbol` what the library exports."""

    def __init__(self, match, comment, header):
        self.symbol, self.name, self.comment, self.header = match["name"], short(match["name"]), comment, header
        self.result = match["result"].strip()
        self.parameters = [" ".join(parameter.split()) for parameter in split(match["parameters"])]
        self.placed = self.parameters[0] == PLACE
        self.destroys = self.name.endswith("_destroy")
        self.fails = self.result == "mez_error" or re.search(r"mez_error \*\w+$", match["parameters"]) is not None

    def arguments(self):
        """The names of its parameters, without the place."""
        return [re.search(r"\w+$", parameter)[0] for parameter in self.parameters[1 if self.placed else 0:]]


def split(parameters):
    """At the commas: no parameter of the interface has one of its own."""
    return [parameter.strip() for parameter in parameters.split(",")]


def declarations(header):
    """Each declaration of a function with the comment above it; declarations without one in between share it."""
    comment, open_comment, statement = [], False, ""
    for line in pathlib.Path(header).read_text(encoding="utf-8").splitlines():
        text = line.strip()
        if text.startswith("//") and not statement:
            comment = comment if open_comment else []
            comment.append(text[2:].strip())
            open_comment = True
            continue
        open_comment = False
        if text.startswith("MEZ_API") or statement:
            statement += " " + text
            if text.endswith(";"):
                yield statement.strip(), comment
                statement = ""
        elif not text or text.startswith(("typedef", "#")):
            comment = []


def calls_of(headers):
    """All calls, in the order of the headers."""
    calls = []
    for header in headers:
        for statement, comment in declarations(header):
            match = DECLARATION.match(statement)
            if not match:
                raise SystemExit(f"{header}: no declaration that is understood: {statement}")
            calls.append(Call(match, comment, header))
    return calls


# --- Traces

HEAD = """// SPDX-License-Identifier: MIT
//
// Made by scripts/interface.py of the public headers: for each call that takes a place, the function that reports it to traces
// (trace/call.h).

#ifndef MEZ_TRACED_CALLS_H
#define MEZ_TRACED_CALLS_H

#include "trace/call.h"
"""


def traced_destroy(call):
    kind, name = re.match(r"(\w+) \*\*(\w+)$", call.parameters[1]).groups()
    return (f"#define MEZ_TRACED_CALL_{call.name}(body) \\\n"
            f"    MEZ_TRACE_COLD void body##_traced({PLACE}, {kind} **destroyed) \\\n"
            "    { \\\n"
            f"        const {kind} *{name} = *destroyed; \\\n"
            "        if (mez_process_is_closed()) { \\\n"
            "            *destroyed = NULL; \\\n"
            "            return; \\\n"
            "        } \\\n"
            f"        MEZ_TRACE_NOTIFY_VOID({call.name}, where, body(where, destroyed), {name}); \\\n"
            "    }\n")


def traced_as(call, macro, notify):
    """A macro that defines the function, with what notifies."""
    arguments = call.arguments()
    values = [f"{name}.value" if parameter.startswith("mez_error ") else name
              for name, parameter in zip(arguments, call.parameters[1:])]
    return (f"#define {macro} \\\n"
            f"    MEZ_TRACE_COLD mez_error body##_traced({', '.join(call.parameters)}) \\\n"
            "    { \\\n"
            f"        {notify}{call.name}, where, body({', '.join(['where', *arguments])}), {', '.join(values)}); \\\n"
            "    }\n")


def traced(call):
    if call.destroys:
        return traced_destroy(call)
    return (traced_as(call, f"MEZ_TRACED_CALL_{call.name}(body)", "MEZ_TRACE_NOTIFY(") + "\n" +
            traced_as(call, f"MEZ_TRACED_SPAN_{call.name}(body, point, what)",
                      f"MEZ_TRACE_NOTIFY_SPAN(point, what, {call.arguments()[0]}, "))


def write_traced(headers, output):
    calls = [call for call in calls_of(headers) if call.placed and (call.destroys or call.result == "mez_error")]
    text = "\n".join([HEAD, *map(traced, calls), "#endif\n"])
    pathlib.Path(output).write_text(text, encoding="utf-8")


def main():
    if sys.argv[1:2] == ["exports"]:
        print(*(call.symbol for call in calls_of(sys.argv[2:])), sep="\n")
    elif sys.argv[1:2] == ["traced"] and "--" in sys.argv:
        split_at = sys.argv.index("--")
        write_traced(sys.argv[2:split_at], sys.argv[split_at + 1])
    else:
        raise SystemExit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main())
