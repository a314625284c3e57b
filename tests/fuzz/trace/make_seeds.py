#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes seeds for trace_fuzz: memories as a recorder leaves them, one file for each name.

make_seeds.py FILE...
"""

import struct
import sys

STRINGS = b"\0saxpy\0saxpy.c\0command_group_node\0queue_id\0a\"\\\n\xff<b>\0list, kernel\0arg0\0arg1\0enqueue_kernel_data\0" \
    b"sym_caller_name\0"


def string(text):
    return STRINGS.index(b"\0" + text + b"\0") + 2


def value(key, sort, data):
    padded = data + b"\0" * (-len(data) % 8)
    return struct.pack("<IHH", string(key), sort, len(data)) + padded


def record(time, sort, stream=0, object_=0, parent=0, instance=0, number=0, name=b"saxpy", text=b"", values=()):
    tail = b"".join(values)
    head = struct.pack("<QHHBBHQQQQIIII", time, 8 + len(tail) // 8, sort, stream, len(values), 0, object_, parent, instance, number,
                       string(name), string(b"saxpy.c"), 7, string(text) if text else 0)
    return head + tail


def argument(sort, pointer, size, index):
    return struct.pack("<ixxxxQii", sort, pointer, size, index)


LAUNCH = [
    value(b"arg1", 0, argument(1, 0, 4, 1)),
    value(b"arg0", 0, argument(3, 0x1000, 8, 0)),
    value(b"enqueue_kernel_data", 0, struct.pack("<10Q", 64, 2, 1, 8, 1, 1, 0, 0, 0, 2)),
    value(b"sym_caller_name", 1, struct.pack("<I", string(b"saxpy"))),
]
NODE, EDGE, TASK_BEGIN, TASK_END, CALL_BEGIN, CALL_END, MESSAGE = 4, 6, 10, 11, 28, 29, 126
ALL = [
    record(5, NODE, object_=16, text=b"command_group_node", values=[value(b"queue_id", 3, struct.pack("<Q", 1))]),
    record(6, NODE, object_=32, name=b"a\"\\\n\xff<b>", text=b"command_group_node", values=LAUNCH),
    record(7, EDGE, parent=16, instance=32),
    record(8, CALL_BEGIN, stream=3, instance=3, text=b"saxpy", values=[value(b"list, kernel", 0, struct.pack("<QQ", 1, 1 << 60))]),
    record(9, TASK_BEGIN, object_=16, instance=1),
    record(10, TASK_END, object_=16, instance=1),
    record(11, CALL_END, stream=3, instance=3, text=b"saxpy"),
    record(12, TASK_BEGIN, object_=32, instance=1),
    record(30, TASK_END, stream=2, object_=16, instance=29, number=10),
    record(31, MESSAGE, text=b"a\"\\\n\xff<b>"),
]

for index, path in enumerate(sys.argv[1:]):
    records = b"".join(ALL[: len(ALL) - 2 * index])
    # The first byte says how many 256ths of the file are strings, and is the first of them.
    for share in range(1, 256, 2):
        strings = bytes([share]) + STRINGS[1:]
        padding = b"\0" * 4096
        for extra in range(2048):
            total = len(strings) + extra + len(records)
            if total * share // 256 == len(strings) + extra:
                break
        else:
            continue
        break
    with open(path, "wb") as file:
        file.write(strings + padding[:extra] + records)
