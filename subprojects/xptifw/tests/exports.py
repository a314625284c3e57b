#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The dispatcher has the soname that subscribers ask for, and exports what XPTI 1.1 has and nothing else:
exports.py NM READELF LIBRARY"""

import subprocess
import sys

EXPECTED = """
xptiAddMetadata xptiCheckTraceEnabled xptiCheckTracepointScopeNotification xptiCreateTracepoint xptiDeleteTracepoint
xptiEnableTracepointScopeNotification xptiFinalize xptiFindEvent xptiForceSetTraceEnabled xptiFrameworkFinalize
xptiFrameworkInitialize xptiGetDefaultEventType xptiGetDefaultStreamID xptiGetDefaultTraceType
xptiGetEffectiveStreamDetailLevel xptiGetStashedTuple xptiGetTracepointScopeData xptiGetUniqueId xptiGetUniversalId
xptiInitialize xptiLookupEvent xptiLookupObject xptiLookupPayload xptiLookupString xptiMakeEvent xptiNotifySubscribers
xptiQueryMetadata xptiQueryPayload xptiQueryPayloadByUID xptiRegisterCallback xptiRegisterObject xptiRegisterPayload
xptiRegisterStream xptiRegisterString xptiRegisterTracepointScope xptiRegisterUserDefinedEventType
xptiRegisterUserDefinedTracePoint xptiReleaseEvent xptiReset xptiSetDefaultEventType xptiSetDefaultStreamID
xptiSetDefaultTraceType xptiSetTracepointScopeData xptiSetUniversalId xptiStashTuple xptiTraceEnabled
xptiUnregisterCallback xptiUnregisterStream xptiUnsetTracepointScopeData xptiUnstashTuple
""".split()


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    nm, readelf, library = sys.argv[1:]
    exported = {line.split()[-1] for line in output(nm, "-D", "--defined-only", library).splitlines()}
    problems = [f"is not exported: {name}" for name in sorted(set(EXPECTED) - exported)]
    problems += [f"must not be exported: {name}" for name in sorted(exported - set(EXPECTED))]
    if "[libxptifw.so]" not in output(readelf, "-d", library):
        problems.append("the soname is not libxptifw.so")
    print("\n".join(problems))
    print(f"exports: {2 - bool(problems)} passed, {int(bool(problems))} failed, 0 skipped")
    return 1 if problems or len(EXPECTED) != 50 else 0


if __name__ == "__main__":
    sys.exit(main())
