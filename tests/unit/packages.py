#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/install-packages --print against an apt that has much to say: packages.py SCRIPT"""

import os
import subprocess
import sys
import tempfile

# As apt-cache policy does, with more behind it than a pipe holds: who stops reading ends it by a signal.
APT_CACHE = """#!/bin/sh
printf '%s:\\n  Installed: (none)\\n  Candidate: CANDIDATE\\n' "$2"
head -c 200000 /dev/zero | tr '\\0' 'x'
"""


def printed(script, candidate):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {"apt-cache": APT_CACHE.replace("CANDIDATE", candidate), "dpkg-query": "#!/bin/sh\nexit 1\n"}.items():
            path = os.path.join(folder, name)
            with open(path, "w") as file:
                file.write(text)
            os.chmod(path, 0o755)
        result = subprocess.run([script, "--print", "build", "test"], stdout=subprocess.PIPE, text=True, check=True,
                                env=dict(os.environ, PATH=folder + ":" + os.environ["PATH"]))
        return result.stdout.split()


def main():
    script = sys.argv[1]
    with open("/etc/os-release") as file:
        if "ID=fedora\n" in file.read():
            print("packages of Fedora are not chosen by what is offered")
            return 77
    assert "intel-opencl-icd" in printed(script, "26.27"), "what is offered is left out"
    assert "intel-opencl-icd" not in printed(script, "(none)"), "what is not offered is taken"
    return 0


if __name__ == "__main__":
    sys.exit(main())
