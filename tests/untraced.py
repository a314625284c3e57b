# SPDX-License-Identifier: MIT
"""The environment of programs whose traces are a test's own business, whatever traces the tests themselves."""

import os


def environment(**more):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XPTI_", "MEZ_TRACE"))}
    return {**kept, **more}
