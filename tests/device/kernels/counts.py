# SPDX-License-Identifier: MIT
"""Writes OpenCL C with any number of kernels:  counts.py COUNT FILE

Kernel i adds i + 1 to each number, by a function that other images may import, with memory of its work-group, and counts its
work-items in a variable of the program. Defining IMPORTS makes one kernel instead, which adds what all of the functions add.
"""

import sys

ITEM = """
global int seen_{i};

int add_{i}(int x)
{{
    return x + {i} + 1;
}}

kernel void kernel_{i}(global int *x)
{{
    local int shared[{room}];
    shared[0] = x[get_global_id(0)];
    seen_{i}++;
    x[get_global_id(0)] = add_{i}(shared[0]);
}}
"""


def main():
    count, path = int(sys.argv[1]), sys.argv[2]
    lines = ["// Written by counts.py.", "#ifdef IMPORTS"]
    lines += [f"int add_{i}(int x);" for i in range(count)]
    lines += ["kernel void all(global int *x)", "{"]
    lines += [f"    x[get_global_id(0)] = add_{i}(x[get_global_id(0)]);" for i in range(count)]
    lines += ["}", "#else"]
    lines += [ITEM.format(i=i, room=i % 7 + 1) for i in range(count)]
    lines += ["#endif"]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
