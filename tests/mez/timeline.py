# SPDX-License-Identifier: MIT
"""A strict reader of timelines: read(path) returns the events, or raises ValueError that says what is wrong."""

import json


def no_doubles(pairs):
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError(f"a key is there twice: {pairs}")
    return dict(pairs)


def no_constants(name):
    raise ValueError(f"{name} is not JSON")


class Thread:
    def __init__(self):
        self.time = 0.0
        self.open = []


def check_slice(event, thread):
    if event["ts"] < thread.time:
        raise ValueError(f"back in time from {thread.time}: {event}")
    thread.time = event["ts"]
    if event["ph"] == "B":
        thread.open.append(event["name"])
    elif event["ph"] == "E" and (not thread.open or thread.open.pop() != event["name"]):
        raise ValueError(f"an end without its begin: {event}")


def check_lane(event, thread):
    if event["ts"] < thread.time or event["dur"] < 0:
        raise ValueError(f"begins before the one before ended at {thread.time}: {event}")
    thread.time = round(event["ts"] + event["dur"], 3)


def check_arrows(events):
    starts = {event["id"]: event for event in events if event["ph"] == "s"}
    ends = [event for event in events if event["ph"] == "f"]
    if len(ends) != len(starts):
        raise ValueError(f"{len(starts)} arrows begin and {len(ends)} end")
    for end in ends:
        if end["id"] not in starts or starts[end["id"]]["ts"] > end["ts"]:
            raise ValueError(f"an arrow from nowhere, or back in time: {end}")


def read(path):
    with open(path, encoding="utf-8", errors="strict") as file:
        trace = json.load(file, object_pairs_hook=no_doubles, parse_constant=no_constants)
    events = trace["traceEvents"]
    threads = {}
    for event in events:
        thread = threads.setdefault((event["pid"], event["tid"]), Thread())
        if event["ph"] in "BEi":
            check_slice(event, thread)
        elif event["ph"] == "X":
            check_lane(event, thread)
        elif event["ph"] not in "Msf":
            raise ValueError(f"an unknown phase: {event}")
    unended = [thread.open for thread in threads.values() if thread.open]
    if unended:
        raise ValueError(f"begun and never ended: {unended}")
    check_arrows(events)
    return trace
