#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ten million events through `mez trace` into a timeline: how fast, how much memory, and whether any was lost.

trace_benchmark.py MEZ TRACED [EVENTS [PER_SECOND...]]
"""

import os
import re
import subprocess
import sys
import tempfile
import time

MEZ, TRACED = (os.path.abspath(path) for path in sys.argv[1:3])
EVENTS = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000_000
RATES = [int(rate) for rate in sys.argv[4:]] or [100_000, 200_000]


def resident(process):
    """KiB of its own, without what is shared with the program."""
    with open(f"/proc/{process}/status", encoding="ascii") as file:
        return int(re.search(r"RssAnon:\s+(\d+) kB", file.read()).group(1))


def seconds_used(process):
    """Of processors, by mez itself."""
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ended(path):
    with open(path, "rb") as file:
        file.seek(-400, os.SEEK_END)
        return re.search(rb'"events":(\d+),"events_lost":(\d+)', file.read()).groups()


def run(rate, folder):
    path = os.path.join(folder, "t.json")
    start = time.monotonic()
    mez = subprocess.Popen([MEZ, "trace", "-o", path, "--", TRACED, "many", str(EVENTS), str(rate)])
    sizes, used = [], 0.0
    while mez.poll() is None:
        try:
            sizes.append(resident(mez.pid))
            used = seconds_used(mez.pid)
        except (OSError, AttributeError, IndexError):
            pass  # it has just ended
        time.sleep(0.5)
    seconds = time.monotonic() - start
    events, lost = (int(number) for number in ended(path))
    quarter = max(1, len(sizes) // 4)
    print(f"{rate:>9} asked for: {events} events in {seconds:.1f} s ({events / seconds:.0f}/s), {lost} lost; "
          f"mez used {used:.1f} s of a processor ({used / events * 1e9:.0f} ns for each); "
          f"memory {max(sizes[:quarter])} KiB at first, {max(sizes[-quarter:])} KiB at last; "
          f"{os.path.getsize(path) / 1e6:.0f} MB written", flush=True)


with tempfile.TemporaryDirectory() as folder:
    for rate in RATES:
        run(rate, folder)
