"""The keywords stand in lang/syntax/lex/keyword.def: the reference and the editors' grammars, which cannot
include it, have the same words, and no other C++ source lists them."""

import re

from common import ROOT, finish, name, read, sources

WORDS = set(re.findall(r"^KEYWORD\((\w+),", read(ROOT / "lang/syntax/lex/keyword.def"), re.M))
LITERALS = {"true", "false"}
PLACES = {  # file, a pattern around its words, whether the literals are elsewhere
    "docs/language.md": (r"^Reserved words: `([^`]*)`", False),
    "editors/vscode/halo.tmLanguage.json": (r"\(\?:(assert\|[^)]*)\)", True),
    "editors/emacs/halo.el": (r"\\\\\((assert\\\\\|.*?)\\\\\)", True),
    "editors/vim/syntax/futhark.vim": (r"^syntax keyword futhark(?:Keyword|Boolean) (.*)", False),
}
MOST = 8  # keywords of one list in C++: a list of those that matter to its reader


def words_of(file, pattern):
    found = re.findall(pattern, read(ROOT / file), re.M)
    return {word for part in found for word in re.findall(r"[a-z]+", part)}


def check():
    for file, (pattern, has_literals_elsewhere) in PLACES.items():
        expected = WORDS - LITERALS if has_literals_elsewhere else WORDS
        for word in sorted(words_of(file, pattern) ^ expected):
            yield f"{file}: `{word}` is there or in lang/syntax/lex/keyword.def, not in both"
    for file in sources(".cpp", ".h"):
        makes_programs = name(file).startswith("cli/fuzz/") or name(file).endswith("_test.cpp")
        if makes_programs:
            continue
        for match in re.finditer(r'(?:"\w+",\s*){4,}"\w+"', read(file)):
            listed = set(re.findall(r'"(\w+)"', match[0])) & WORDS
            if len(listed) > MOST:
                yield f"{name(file)}: a list of keywords; lang/syntax/lex/keywords.h has them"


finish([*check()])
