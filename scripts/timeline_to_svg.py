#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws a timeline as a viewer shows it, for the documentation: rows of slices for each thread and queue, and the arrows.

timeline_to_svg.py TRACE.json OUT.svg [FIRST]    from the first slice named FIRST on
"""

import html
import json
import sys

WIDTH, ROW, GAP = 960, 22, 14
LETTER = 6.2  # a wide guess of what a letter of the font takes
COLOURS = {"mezzanine": "#9ec5e8", "tasks": "#cfe8cf", "level_zero": "#dddddd", "memory": "#f8e3b5", "device": "#f0b8a0",
           "device,unmeasured": "#c8c8c8"}


def read(path, first):
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    start = min((e["ts"] for e in events if e["ph"] == "B" and e["name"] == first), default=0)
    names, slices, arrows, open_ = {}, [], {}, {}
    for event in events:
        track = (event["pid"], event["tid"])
        if event["ph"] == "M":
            names[track] = event["args"]["name"]
        elif event["ph"] == "B":
            open_.setdefault(track, []).append(event)
        elif event["ph"] == "E":
            begin = open_[track].pop()
            slices.append((track, len(open_[track]), begin["ts"], event["ts"], begin))
        elif event["ph"] == "X":
            slices.append((track, 0, event["ts"], event["ts"] + event["dur"], event))
        elif event["ph"] in "sf":
            arrows.setdefault(event["id"], {})[event["ph"]] = (track, event["ts"])
    return names, [s for s in slices if s[2] >= start], arrows, start


def rows_of(slices):
    """Where each track begins, in rows; tracks of threads come before those of queues."""
    depths = {}
    for track, depth, *_ in slices:
        depths[track] = max(depths.get(track, 0), depth + 1)
    tops, top = {}, GAP
    for track in sorted(depths, key=lambda t: t[1]):
        tops[track] = top
        top += depths[track] * ROW + GAP
    return tops, top


def draw(names, slices, arrows, start):
    tops, height = rows_of(slices)
    left = 12 + LETTER * max(len(names.get(track, str(track[1]))) for track in tops)
    end = max(s[3] for s in slices)
    scale = (WIDTH - left - 10) / (end - start)

    def x(time):
        return left + (time - start) * scale

    yield (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height + 16}" font-family="Helvetica, sans-serif" '
           'font-size="11">')
    yield '<rect width="100%" height="100%" fill="#ffffff"/>'
    for track, top in tops.items():
        yield f'<text x="6" y="{top + 15}">{html.escape(names.get(track, str(track[1])))}</text>'
    labels = []  # above all else
    for track, depth, begin, stop, event in sorted(slices, key=lambda s: s[1]):
        width = max((stop - begin) * scale, 0.8)
        y = tops[track] + depth * ROW
        title = html.escape(f"{event['name']}: {stop - begin:.3f} us {event['args'].get('source', '')}")
        yield (f'<g><title>{title}</title><rect x="{x(begin):.1f}" y="{y}" width="{width:.1f}" height="{ROW - 3}" '
               f'fill="{COLOURS.get(event["cat"], "#eeeeee")}" stroke="#707070" stroke-width="0.4"/></g>')
        if len(event["name"]) * LETTER < width:
            labels.append(f'<text x="{x(begin) + 3:.1f}" y="{y + 14}">{html.escape(event["name"])}</text>')
    for ends in arrows.values():
        if "s" in ends and "f" in ends and ends["s"][1] >= start:
            (from_, at), (to, then) = ends["s"], ends["f"]
            yield (f'<path d="M{x(at):.1f},{tops[from_] + 1.5 * ROW} L{x(then):.1f},{tops[to]}" fill="none" stroke="#c04020" '
                   'stroke-width="1"/>')
    yield from labels
    yield f'<text x="{left:.1f}" y="{height + 8}">0 us</text>'
    yield f'<text x="{WIDTH - 10}" y="{height + 8}" text-anchor="end">{end - start:.0f} us</text>'
    yield "</svg>"


with open(sys.argv[2], "w", encoding="utf-8") as output:
    output.write("\n".join(draw(*read(sys.argv[1], sys.argv[3] if len(sys.argv) > 3 else None))) + "\n")
