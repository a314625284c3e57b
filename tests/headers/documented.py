#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is there a test for every error that a public function promises?

documented.py HEADER... -- TESTS-FOLDER

A function of a public header returns the conditions that its comment names, and those of another function where the comment
says "those of mez_x". A test provokes one of them with

    assert_story(mez_x(...), MEZ_ERRC_CONDITION, words)                 the call itself is the first argument
    assert_story_of(mez_x, error, MEZ_ERRC_CONDITION, words)            it came about in another way

which also checks that the story has the words. What is promised and not provoked is named, and so is what is provoked and not
promised, unless the comment says "the driver says": then it may be any condition of drivers.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import interface # pylint: disable=wrong-import-position

# What a driver's own codes mean: the conditions that need not be promised by name.
OF_DRIVERS = {"INVALID_OBJECT", "MEMORY_ALLOCATION", "OUT_OF_HOST_MEMORY", "FEATURE_NOT_SUPPORTED", "DEVICE_LOST", "NOT_READY",
              "PLATFORM", "UNKNOWN", "COMPILE_PROGRAM", "LINK_PROGRAM"}


class Promise:
    def __init__(self, comment):
        text = " ".join(comment)
        self.conditions = set(re.findall(r"MEZ_ERRC_(\w+)", text))
        self.others = [name for pair in re.findall(r"[Tt]hose of (mez_\w+)(?: and (mez_\w+))?", text) for name in pair if name]
        self.driver = "the driver says" in text or "the driver said" in text


def promises_of(headers):
    return {call.name: Promise(call.comment) for call in interface.calls_of(headers) if call.fails}


def resolve(promises, name, seen=()):
    """All conditions that a function promises, and whether a driver's own come on top."""
    promise = promises[name]
    conditions, driver = set(promise.conditions), promise.driver
    for other in promise.others:
        if other not in promises:
            raise SystemExit(f"{name}: \"those of {other}\", which is no function that returns errors")
        if other not in seen:
            more, also = resolve(promises, other, (*seen, name))
            conditions |= more
            driver |= also
    return conditions, driver


# --- Tests

def arguments_of(text, start):
    """The arguments of the call whose bracket opens before `start`; strings, characters and nested brackets are kept whole."""
    arguments, depth, begin, i = [], 1, start, start
    while depth > 0 and i < len(text):
        c = text[i]
        if c in "\"'":
            i = re.compile(r"(?:[^\\%s]|\\.)*" % c, re.DOTALL).match(text, i + 1).end()
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        if (c == "," and depth == 1) or depth == 0:
            arguments.append(text[begin:i].strip())
            begin = i + 1
        i += 1
    return arguments


def provoked_in(text):
    """(function, condition) of every assertion that names both and asks for words."""
    for call in re.finditer(r"\bassert_story(_of)?\(", text):
        arguments = arguments_of(text, call.end())
        if call[1]:
            function, condition, words = arguments[0], arguments[2], arguments[3]
        else:
            function, condition, words = arguments[0].split("(")[0].strip(), arguments[1], arguments[2]
        if condition.startswith("MEZ_ERRC_") and words != '""':
            yield interface.short(function), condition.removeprefix("MEZ_ERRC_")


def provoked_by(folder):
    provoked = {}
    for path in sorted(pathlib.Path(folder).rglob("*.c")):
        for pair in provoked_in(path.read_text(encoding="utf-8")):
            provoked.setdefault(pair, path.relative_to(folder))
    return provoked


def compare(promises, provoked):
    """Lines that say what is wrong, and the number of pairs that are right."""
    wrong, right = [], 0
    for name in sorted(promises):
        conditions, driver = resolve(promises, name)
        for condition in sorted(conditions):
            if (name, condition) in provoked:
                right += 1
            else:
                wrong.append(f"no test provokes MEZ_ERRC_{condition} of {name}")
        allowed = conditions | (OF_DRIVERS if driver else set())
        wrong += [f"{name} does not document MEZ_ERRC_{condition}, which {path} provokes"
                  for (function, condition), path in sorted(provoked.items()) if function == name and condition not in allowed]
    return wrong, right


def main():
    split = sys.argv.index("--")
    promises = promises_of(sys.argv[1:split])
    wrong, right = compare(promises, provoked_by(sys.argv[split + 1]))
    for line in wrong:
        print(line)
    print(f"documented errors: {right} passed, {len(wrong)} failed, 0 skipped")
    return 1 if wrong or not right else 0


if __name__ == "__main__":
    sys.exit(main())
