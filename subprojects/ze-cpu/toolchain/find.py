#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds one version of LLVM that is complete: clang, llvm-spirv, and llvm-config with its headers and library.

find.py [--wanted VERSION] [--compiler]

--wanted is a version to take instead of the tested ones; with --compiler, clang and llvm-spirv suffice where no version is
complete. A tool may carry its version in its name (Debian) or none (Fedora, Arch), and may lie in LLVM's own folder; what counts is
the version that it reports.

Writes one line for each: version, "tested" or "untested", clang, llvm-spirv, and of a complete one llvm-config, the folder of headers,
that of libraries, the library's name.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys

# Those with which the tests pass, the preferred one first; then the others that may do, the newest first.
TESTED = ["19", "22", "15"]
OTHERS = [str(version) for version in range(22, 14, -1) if str(version) not in TESTED]

FOLDERS = ["/usr/lib/llvm-{}/bin", "/usr/lib/llvm/{}/bin", "/usr/lib64/llvm{}/bin"]
LIBRARY = "LLVM's headers and shared library"
# The packages of each system: those of the compiler, and of the library.
PACKAGES = {
    "Debian, Ubuntu": ("clang-{0} llvm-spirv-{0}", "llvm-{0}-dev"),
    "Fedora": ("clang spirv-llvm-translator-tools", "llvm-devel"),
    "Arch": ("clang spirv-llvm-translator", "llvm"),
}


def output_of(*command):
    """What a program writes, or nothing where it fails."""
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    except OSError:
        return ""
    return result.stdout if result.returncode == 0 else ""


def reported_version(path):
    """The major version in "19.1.7", "Debian clang version 19.1.7 (3)", "LLVM version 19.1.7"."""
    found = re.search(r"(\d+)\.\d+\.\d+", output_of(path, "--version"))
    return found.group(1) if found else None


# Programs that stand under the names of compilers and look for these in PATH whenever they run.
WRAPPERS = {"ccache", "distcc", "icecc", "sccache"}


def is_wrapper(path):
    return os.path.basename(os.path.realpath(path)) in WRAPPERS


def programs(name, folders):
    """The programs of a name in these folders, or in PATH, in their order, without wrappers."""
    for folder in (folders or os.environ.get("PATH", os.defpath)).split(os.pathsep):
        path = shutil.which(name, path=folder)
        if path is not None and not is_wrapper(path):
            yield path


def find_tool(name, version):
    """The path of a tool of this version, or None."""
    places = [(f"{name}-{version}", None), (f"{name}-64-{version}", None), (name, None)]
    places += [(name, folder.format(version)) for folder in FOLDERS]
    for file, folder in places:
        for path in programs(file, folder):
            if reported_version(path) == version:
                return path
    return None


def find_library(config):
    """Folder of headers, folder of libraries and name of LLVM's shared library; None where the package is not whole."""
    headers, libraries = output_of(config, "--includedir").strip(), output_of(config, "--libdir").strip()
    names = output_of(config, "--link-shared", "--libs").split()
    if len(names) != 1 or not os.path.exists(os.path.join(headers, "llvm-c", "Core.h")):
        return None
    name = names[0].removeprefix("-l")
    if not os.path.exists(os.path.join(libraries, f"lib{name}.so")):
        return None
    return [headers, libraries, name]


def find_version(version):
    """All that belongs to a version, and the names of what is missing."""
    tools = [(name, find_tool(name, version)) for name in ("clang", "llvm-spirv", "llvm-config")]
    missing = [name for name, path in tools if path is None]
    library = find_library(tools[-1][1]) if "llvm-config" not in missing else None
    if "llvm-config" not in missing and library is None:
        missing.append(LIBRARY)
    return [path for _, path in tools] + (library or []), missing


def find_best(versions, compiler_suffices):
    """The first complete version, else the first with a compiler if that suffices: its lines, and what each version lacks."""
    lacks, compiler = {}, None
    for version in versions:
        found, missing = find_version(version)
        head = [version, "tested" if version in TESTED else "untested"]
        if not missing:
            return head + found, {}
        lacks[version] = missing
        if compiler is None and compiler_suffices and not {"clang", "llvm-spirv"} & set(missing):
            compiler = head + found[:2]
    return compiler, lacks


def complain(lacks, compiler_suffices):
    """What there is of each version, and what to install."""
    versions = f"version {list(lacks)[0]}" if len(lacks) == 1 else f"the versions {', '.join(lacks)}"
    if compiler_suffices:
        print(f"There is no clang together with llvm-spirv of {versions}:", file=sys.stderr)
    else:
        print(f"No LLVM is complete of {versions}:", file=sys.stderr)
    for version, missing in lacks.items():
        if len(missing) < 3:
            print(f"  LLVM {version} lacks {' and '.join(missing)}.", file=sys.stderr)
    if all(len(missing) == 3 for missing in lacks.values()):
        print("  there are neither clang nor llvm-spirv nor llvm-config.", file=sys.stderr)
    nearest = min(lacks, key=lambda version: len(lacks[version]))
    names = {system: compiler if compiler_suffices else f"{compiler} {library}"
             for system, (compiler, library) in PACKAGES.items()}
    print("Install " + ",\nor ".join(f"{names[system].format(nearest)} ({system})" for system in names) + ".", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wanted", default="", help="a version; empty: none in particular")
    parser.add_argument("--compiler", action="store_true", help="clang and llvm-spirv suffice")
    arguments = parser.parse_args()
    found, lacks = find_best([arguments.wanted] if arguments.wanted else TESTED + OTHERS, arguments.compiler)
    if found is None:
        complain(lacks, arguments.compiler)
        return 1
    print("\n".join(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
