"""Comments and documents use the words of docs/glossary.md, with named subjects
(docs/style.md#comments-and-documents). Over all comments of C++ at most MOST_WHAT of 1,000 words are
`what`; NEVER stands nowhere. REPLACED are words that the glossary has replaced, with the folders whose
comments and READMEs are clean of them; words in backticks name code and are free.
"""

import re

from common import CODE_FOLDERS, ROOT, finish, name, read, sources

MOST_WHAT = 3
NEVER = r"nobody|somebody|anybody|everybody|whoever"
EVERYWHERE = [""]
REPLACED = {
    r"minds?|minded|minding": EVERYWHERE,            # handles the boundary
    r"slant\w*": EVERYWHERE,                         # unaligned rows, alignment offset
    r"march\w*": EVERYWHERE,                         # streams, streaming
    r"inside out": EVERYWHERE,                       # interchange, inner levels first
    r"in vain": EVERYWHERE,                          # predicated launch
    r"stop words?": EVERYWHERE,                      # exit flag
    r"(?:groups|workgroups|lanes) (?:may )?talk": EVERYWHERE,  # device-scope atomics, exchange
    r"take turns|takes turns": EVERYWHERE,           # ordered
    r"seldom": EVERYWHERE,                           # rarely, cold
    r"bury|buried": EVERYWHERE,                      # release
}
# The glossary shows the replaced words, the rules of style one of them; codes.md quotes programs.
EXEMPT = {"docs/glossary.md", "docs/style.md", "CHANGELOG.md", "tests/style/words.py"}

# In this order: raw strings, strings, numbers with separators, characters, comments.
TOKENS = re.compile(
    r'R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\b\d[\w\']*|\'(?:\\.|[^\'\\\n])+\''
    r"|//(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/", re.S)


def comments(text):
    """Pairs of a line's number and the text of its comment."""
    for match in TOKENS.finditer(text):
        comment = match["line"] if match["line"] is not None else match["block"]
        if comment is not None:
            first = text.count("\n", 0, match.start()) + 1
            yield from enumerate(comment.splitlines(), first)


def prose(text):
    """The same of a document, without its blocks of code."""
    is_code = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code:
            yield number, line


def spoken(line):
    """A line without code in backticks and without links' targets."""
    return re.sub(r"`[^`]*`|\]\([^)]*\)|\b[\w./]+\.(?:h|cpp|md|fut|py)\b", " ", line)


def texts():
    for file in sources(".cpp", ".h", ".def"):
        yield file, list(comments(read(file)))
    for file in sorted({*sources(".md"), *(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md")}):
        yield file, list(prose(read(file)))


def check_words(path, lines):
    if path in EXEMPT:
        return
    for number, line in lines:
        for match in re.finditer(rf"\b(?:{NEVER})\b", spoken(line), re.I):
            yield f"{path}:{number}: `{match[0]}`: name the subject"
        for pattern, folders in REPLACED.items():
            if not any(path.startswith(folder) for folder in folders):
                continue
            for match in re.finditer(rf"\b(?:{pattern})\b", spoken(line), re.I):
                yield f"{path}:{number}: `{match[0]}`: docs/glossary.md has another word"


def check():
    words = whats = 0
    for file, lines in texts():
        path = name(file)
        yield from check_words(path, lines)
        if file.suffix != ".md":
            found = re.findall(r"[A-Za-z']+", " ".join(line for _, line in lines))
            words += len(found)
            whats += sum(word.lower() == "what" for word in found)
    per_thousand = 1000 * whats / max(words, 1)
    print(f"note: {words} words of comments in {', '.join(CODE_FOLDERS)}, {per_thousand:.2f} of 1,000 `what`")
    if per_thousand > MOST_WHAT:
        yield f"comments: {per_thousand:.1f} of 1,000 words are `what`, more than {MOST_WHAT}"


finish([*check()])
