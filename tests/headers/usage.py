#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles what C programs write, with all warnings as errors: usage.py COMPILER [OPTION...]

What is wrong is compiled by itself, and must fail with the words. What is right is compiled together, and must not.
"""

import subprocess
import sys

HEAD = """
#include <mezzanine/mezzanine.h>
struct big { float values[64]; };
struct big make_big(void);
void test(mez_queue *queue, mez_kernel *kernel, const int constant, short small, const struct big *big);
void test(mez_queue *queue, mez_kernel *kernel, const int constant, short small, const struct big *big)
{
    float array[4] = {1};
    const float constants[2] = {1, 2};
    (void)queue, (void)kernel, (void)constant, (void)small, (void)big, (void)array, (void)constants;
"""


def submit(argument):
    return f"mez_error_ignore(mez_submit(queue, kernel, MEZ_RANGE(1), MEZ_ARGS({argument}), NULL));"


RIGHT = [
    "mez_error_ignore(mez_queue_wait(queue));",
    "if (mez_failed(mez_queue_wait(queue))) return;",
    submit("MEZ_VAL(2.0f)"),
    submit("MEZ_VAL(constant), MEZ_VAL(constant + 1), MEZ_VAL((short)(small + 1)), MEZ_VAL(array[0])"),
    submit("MEZ_VAL(array), MEZ_VAL(constants), MEZ_VAL(*big), MEZ_VAL(make_big())"),
    submit("MEZ_PTR(array), MEZ_LOCAL(16)"),
    "mez_arg later = MEZ_VAL(3u); (void)later;",
]

# And words of the message.
WRONG = [
    ("mez_queue_wait(queue);", "unused"),
    ("mez_submit(queue, kernel, MEZ_RANGE(1), NULL, NULL);", "unused"),
    (submit("MEZ_VAL()"), "expected expression"),
]


def compile_code(command, statements):
    """(compiled, messages)"""
    body = "".join(f"    {{ {statement} }}\n" for statement in statements)
    result = subprocess.run([*command, "-x", "c", "-o", "/dev/null", "-S", "-"], input=HEAD + body + "}\n", capture_output=True,
                            text=True, check=False)
    return result.returncode == 0, result.stderr


def problems(command):
    for statement, words in WRONG:
        compiled, messages = compile_code(command, [statement])
        if compiled:
            yield f"{statement} compiles"
        elif words not in messages:
            yield f"{statement} is not refused with \"{words}\":\n{messages}"
    compiled, messages = compile_code(command, RIGHT)
    if not compiled:
        yield f"what is right does not compile:\n{messages}"


def main():
    found = list(problems(sys.argv[1:]))
    for problem in found:
        print("not ok -", problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
