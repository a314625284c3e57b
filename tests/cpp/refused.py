#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tries what must not compile, and looks for the reason that the compiler gives: refused.py COMPILER [OPTION...]

What is wrong is compiled by itself, and must fail with the words. What would be right is compiled together, and must not.
"""

import os
import subprocess
import sys

HEAD = """
#include <mezzanine/mezzanine.hpp>
#include <vector>
struct big { float values[4]; };
void function();
void test(mez::queue &queue, mez::queue &other, mez::kernel &kernel, std::vector<float> &vector, std::error_code &code)
{
    float array[4] = {};
    big value = {};
    (void)queue, (void)other, (void)kernel, (void)vector, (void)code, (void)array, (void)value;
"""

# What is wrong, what would be right, words of the message.
CASES = [
    ("mez::args{vector};", "mez::args{vector.data()};", "an argument is copied as bytes"),
    ("mez::args{array};", "mez::args{value};", "can't reach an array of the host's"),
    ("mez::args{&function};", "mez::args{&value};", "a function of the host's can't be an argument"),
    ("mez::range(1, 2, 3, 4);", "mez::range(1, 2, 3);", "one to three dimensions"),
    ("mez::range();", "mez::range(1);", "one to three dimensions"),
    ("mez::range(1.5);", "mez::range(1);", "sizes are whole numbers"),
    ("mez::nd_range({8, 8}, {4});", "mez::nd_range({8, 8}, {4, 4});", "nd_range"),
    ("mez::alloc_shared<std::vector<int>>({}, 1);", "mez::alloc_shared<int>({}, 1);", "devices copy bytes"),
    ("queue = other;", "queue = std::move(other);", "deleted"),
    ("queue.host_task(function);", "auto f = [] {}; queue.host_task(f);", "an object that can be called"),
]
# The compiler sees this one when it generates code.
WITHOUT_EXCEPTIONS = ("queue.wait();", "queue.wait(code);", "exceptions are switched off")


def compile_code(command, statements):
    """(compiled, messages)"""
    body = "".join(f"    {{ {statement} }}\n" for statement in statements)
    result = subprocess.run([*command, "-x", "c++", "-"], input=HEAD + body + "}\n", capture_output=True, text=True, check=False)
    return result.returncode == 0, result.stderr


def problems(command, cases):
    for wrong, _, words in cases:
        compiled, messages = compile_code(command, [wrong])
        if compiled:
            yield f"{wrong} compiles"
        elif words not in messages:
            yield f"{wrong} is not refused with \"{words}\":\n{messages}"
    compiled, messages = compile_code(command, [case[1] for case in cases])
    if not compiled:
        yield f"what is right does not compile:\n{messages}"


def main():
    compiler = sys.argv[1:]
    found = list(problems([*compiler, "-fsyntax-only"], CASES))
    found += problems([*compiler, "-fno-exceptions", "-S", "-o", os.devnull], [WITHOUT_EXCEPTIONS])
    for problem in found:
        print(problem)
    count = len(CASES) + 1
    print(f"refused: {count - len(found)} passed, {len(found)} failed, 0 skipped")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
