#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reports words and phrases that the glossary (docs/internals/glossary.md) replaces by plainer ones.

words.py [FILE...]      all files of the covered folders, or these

In pages everything counts but blocks of code and names in backquotes; in C, comments and texts; in scripts, comments and texts of
Python, comments of others. A phrase may go on in the next line of a paragraph, a comment or a text. Each finding is a line FILE:LINE: with
the words to use instead. The last line says how many files there were; the exit code is 1 where any had a finding. words_test.py tests
the readers.
"""

import bisect
import io
import pathlib
import re
import subprocess
import sys
import tokenize

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Folders and files whose words are checked. A folder is added when it has been cleaned.
COVERED = ("README.md", "CONTRIBUTING.md", "NEWS.md", "docs", "examples", "include", "lib", "scripts", "subprojects", "tests",
           "tools")

# What a page may show as it is: the glossary, which lists these words.
EXCEPT = ("docs/internals/glossary.md", "tests/format/words.py", "tests/format/words_test.py")

# A pattern, and what to write in its place.
WORDS = (
    (r"tell(?:s|ing)?|(?:un)?told", "report, show, return, say; notify a function or tool; distinguish one thing from another"),
    (r"hears?|heard", "is notified of, receives"),
    (r"(?<!there )(?<!which )(?:is|are|was|were) no (?!longer\b|more\b|less\b|other\b)\w+", "is not a ..., does not ..."),
    (r"(?:come|comes|came) true", "holds, has happened, is fulfilled"),
    (r"as it pays|(?<!if )it pays|pays off", "as many as the measured time allows; saves time"),
    (r"(?:has|have|had|with|without|all have) (?:a |any |no )?meaning", "is valid, is invalid, has no effect"),
    (r"good for (?:nothing|anything)|is worth nothing", "can only be ..."),
    (r"(?:the|this|our) house", "the project, the library"),
    (r"(?:is|stays|are|stay) silent|without a word|not a word", "reports nothing, gives no message"),
    (r"as ever", "as usual"),
    (r"is whole", "is complete"),
    (r"goes down|goes up", "decreases, increases; is passed down or up"),
    (r"manners|habits?", "behaviour"),
    (r"a matter of|its own matter|'s matter", "depends on, is decided by"),
    (r"by (?:the )?look of it", "as it appears in"),
    (r"no news|is news", "is already known"),
    (r"but for", "except for"),
    (r"anew", "again"),
    (r"pass(?:es|ed|ing)? over(?! LLVM)", "ignores"),
    (r"for want of", "for lack of"),
    (r"in vain", "without success"),
    (r"be had", "is available, is known"),
)
PATTERNS = [(re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), instead) for pattern, instead in WORDS]

C_PIECES = re.compile(r'(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<text>"(?:\\.|[^"\\\n])*")|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
PYTHON_TEXT = re.compile(r"[a-zA-Z]*(\"\"\"|'''|\"|')(.*)\1", re.DOTALL)

# Stands where no phrase goes on: for code, names, and the end of a paragraph.
END = "\0"


def blank(text):
    """As many lines, without words. A line that is empty ends a paragraph."""
    return (END if re.search(r"\S|\n[ \t]*\n", text) else " ") + re.sub(r"[^\n]", "", text)


def end_paragraphs(text):
    return re.sub(r"^[ \t]*$", END, text, flags=re.MULTILINE)


def words_of_page(text):
    text = re.sub(r"^```.*?^```", lambda match: blank(match[0]), text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"(?:^|(?<=\n\n))(?: {4}[^\n]*\n+)+", lambda match: blank(match[0]), text)
    text = re.sub(r"`[^`\n]*`|\]\([^)\n]*\)", lambda match: blank(match[0]), text)
    return end_paragraphs(text)


def words_of_comment(comment):
    """Without what each of its lines begins with."""
    comment = re.sub(r"\*/$", "", comment)
    return end_paragraphs(re.sub(r"^[ \t]*(?:/[/*]+|\*+|#+)[!<]?", "", comment, flags=re.MULTILINE))


def words_of_text(text):
    """Of a text without its quotation marks: the end of a line is a blank between words."""
    return re.sub(r"\\[nrt]", " ", text)


def words_of_c(text):
    text = re.sub(r"^[ \t]*#[ \t]*include[^\n]*", lambda match: blank(match[0]), text, flags=re.MULTILINE)
    kept, end = [], 0
    for piece in C_PIECES.finditer(text):
        kept.append(blank(text[end:piece.start()]))
        if piece["comment"]:
            kept.append(words_of_comment(piece[0]))
        else:
            kept.append(words_of_text(piece[0][1:-1]) if piece["text"] else END)
        end = piece.end()
    kept.append(blank(text[end:]))
    return "".join(kept)


def words_of_python_text(text):
    quote, words = PYTHON_TEXT.fullmatch(text).groups()
    words = words_of_text(words)
    return END + end_paragraphs(words) + END if len(quote) == 3 else words


def words_of_python(text):
    lines = [""] * (text.count("\n") + 2)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            words = words_of_comment(token.string)
        elif token.type == tokenize.STRING:
            words = words_of_python_text(token.string)
        else:
            words = END if token.string.strip() else ""
        for offset, line in enumerate(words.split("\n")):
            lines[token.start[0] - 1 + offset] += " " + line
    return "\n".join(lines)


def words_of_script(text):
    lines = []
    for line in text.split("\n"):
        found = re.search(r"(?:^|\s)#", line)
        code = line[:found.start()] if found else line
        comment = words_of_comment(line[found.start():].lstrip()) if found else ""
        lines.append((END if code.strip() else "") + comment)
    return "\n".join(lines)


READERS = {
    ".md": words_of_page,
    ".c": words_of_c, ".h": words_of_c, ".cpp": words_of_c, ".hpp": words_of_c, ".cl": words_of_c, ".def": words_of_c,
    ".py": words_of_python,
    ".sh": words_of_script, ".build": words_of_script, "": words_of_script,
}


def files():
    """Those of the commit; in a folder without its history, all that there are."""
    listed = subprocess.run(["git", "ls-files", "-z", *COVERED], cwd=ROOT, text=True, capture_output=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return [pathlib.Path(name) for name in listed.stdout.split("\0") if name]
    found = [path for name in COVERED for path in ((ROOT / name).rglob("*") if (ROOT / name).is_dir() else [ROOT / name])]
    return [path.relative_to(ROOT) for path in found if path.is_file()]


def findings(text):
    """Line, words, and what to write instead, of each phrase in what a reader has returned."""
    words = list(re.finditer(r"[^\s\0]+|\0", text))
    starts, joined = [], ""
    for word in words:
        starts.append(len(joined))
        joined += word[0] + " "
    for pattern, instead in PATTERNS:
        for match in pattern.finditer(joined):
            first = words[bisect.bisect_right(starts, match.start()) - 1]
            yield text.count("\n", 0, first.start()) + 1, match[0], instead


def main():
    wanted = [pathlib.Path(name) for name in sys.argv[1:]] or files()
    read = failed = 0
    for path in wanted:
        if str(path) in EXCEPT or path.suffix not in READERS or not (ROOT / path).is_file():
            continue
        read += 1
        found = sorted(findings(READERS[path.suffix]((ROOT / path).read_text(encoding="utf-8"))))
        failed += bool(found)
        for line, words, instead in found:
            print(f'{path}:{line}: "{words}": {instead}')
    print(f"{read} files, {failed} with words to replace")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
