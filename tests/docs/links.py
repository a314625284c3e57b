#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the links of pages lead to files and sections that are there, and the citations of pages in code, too?

links.py SOURCE-FOLDER

Links to other sites are not looked at. Code cites a page as docs/internals/drivers.md, or a section of it as
docs/internals/drivers.md#waiting.
"""

import functools
import pathlib
import re
import sys
import urllib.parse

FOLDERS = ("cmake", "devicelib", "docs", "examples", "include", "lib", "scripts", "subprojects", "tests", "tools")
CODE = {".c", ".h", ".cl", ".cpp", ".hpp", ".def", ".py", ".build", ".txt", ".yaml"}
LINK = re.compile(r"\]\(([^()\s]+)\)")
CITATION = re.compile(r"\bdocs/[\w/-]+\.md(?:#[\w-]+)?")


def list_files(source):
    paths = [path for folder in FOLDERS for path in (source / folder).rglob("*") if path.is_file()]
    return sorted(paths + list(source.glob("*.md")))


def read(path):
    return path.read_text(encoding="utf-8", errors="replace")


def anchor_of(title):
    """As the usual hosts make it: small letters, no punctuation, and a hyphen for each blank."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


@functools.lru_cache(None)
def anchors_of(page):
    text = re.sub(r"^```.*?^```$", "", read(page), flags=re.DOTALL | re.MULTILINE)
    return {anchor_of(title) for title in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


def why_broken(target, section):
    """None: it is not."""
    if not target.exists():
        return "there is no such file"
    if section and section not in anchors_of(target):
        return "the page has no such section"
    return None


def broken_link(page, link):
    name, _, section = urllib.parse.unquote(link).partition("#")
    return why_broken((page.parent / name).resolve() if name else page, section)


def broken_citation(source, citation):
    name, _, section = citation.partition("#")
    return why_broken(source / name, section)


def find_broken(source, path):
    text = read(path)
    if path.suffix == ".md":
        links = [link for link in LINK.findall(text) if not re.match(r"\w+:", link)]
        found = [(link, broken_link(path, link)) for link in links]
    elif path.suffix in CODE:
        found = [(citation, broken_citation(source, citation)) for citation in CITATION.findall(text)]
    else:
        found = []
    return [f"{path.relative_to(source)}: {what}: {why}" for what, why in found if why]


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    files = list_files(source)
    broken = [line for path in files for line in find_broken(source, path)]
    print("\n".join(broken) if broken else f"{len(files)} files, and no link is broken")
    return 1 if broken or not files else 0


if __name__ == "__main__":
    sys.exit(main())
