"""Comments and documents use the words of docs/glossary.md, with named subjects and short sentences
(docs/style.md#comments-and-documents). Over all comments of C++ at most MOST_WHAT of 1,000 words are
`what`, and at most MOST_LONG of 1,000 sentences have more than LONG words; NEVER stands nowhere.
REPLACED are words that the glossary has replaced, with the folders whose comments and READMEs are
clean of them (`""`: all). Words in backticks name code and are free. A comment ends at 100 columns,
for clang-format leaves comments alone: it would break their pictures. A citation such as `[Merrill, Garland
2016]` has a row under References of the glossary; of three authors or more the row names the first one.
"""

import re

from common import ROOT, finish, name, read, sources

MOST_WHAT = 3
LONG, MOST_LONG = 25, 6
COLUMNS = 100
NEVER = r"nobody|somebody|anybody|everybody|whoever|somewhere|things?"
REPLACED = [  # pattern, the glossary's word, folders
    (r"minds|minded", "handles the boundary", [""]),
    (r"slant\w*", "unaligned rows, alignment offset", [""]),
    (r"march\w*", "streaming", [""]),
    (r"inside out", "interchange, inner levels first", [""]),
    (r"in vain", "predicated launch", [""]),
    (r"stop words?", "exit flag", [""]),
    (r"(?:groups|lanes) (?:may )?talk", "device-scope atomics", [""]),
    (r"seldom", "rarely, cold", [""]),
    (r"bury|buried", "release", [""]),
    (r"apart", "disjoint, separate, peeled, at a stride of", [""]),
    (r"side by side", "concurrently, adjacent, in lanes", [""]),
    (r"(?:by|in) turns?", "alternately, round-robin, in order", [""]),
    (r"hand(?:s|ed)? (?:on|over|back)|(?:give|gives|given) back", "return unchanged, exchange", [""]),
    (r"puts? away|taken over", "store, reuse, lower", [""]),
]
# The glossary lists the replaced words, the rules of style quote one; headers of earlier versions stay.
EXEMPT = ("docs/glossary.md", "docs/style.md", "CHANGELOG.md", "tests/api/previous/")

# In this order: raw strings, strings, numbers with separators, characters, comments.
TOKENS = re.compile(
    r'R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\b\d[\w\']*|\'(?:\\.|[^\'\\\n])+\''
    r"|//(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/", re.S)


def comments(text):
    """Of each line with a comment: its number, the comment, and whether code stands before it."""
    for match in TOKENS.finditer(text):
        comment = match["line"] if match["line"] is not None else match["block"]
        if comment is not None:
            first = text.count("\n", 0, match.start()) + 1
            follows = bool(text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip())
            for number, line in enumerate(comment.splitlines(), first):
                yield number, line, follows and number == first


def prose(text):
    """The same of a document, without its blocks of code."""
    is_code = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code:
            yield number, line, False


def texts():
    for file in sources(".cpp", ".h", ".def"):
        yield file, list(comments(read(file)))
    for file in sorted({*sources(".md"), *(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md")}):
        yield file, list(prose(read(file)))


def spoken(line):
    """A line without code in backticks, names of files and targets of links."""
    return re.sub(r"`[^`]*`|\]\([^)]*\)|\b[\w./]+\.(?:h|cpp|md|fut|py)\b", " ", line)


def words_of(text):
    return re.findall(r"[A-Za-z']+", text)


def sentences(lines):
    """Sentences of the comments on consecutive lines. Pictures, which are indented, are none; a
    comment behind code says something new, and goes on in the lines below."""
    paragraph, last = [], None
    for number, line, follows_code in [*lines, (None, "", False)]:
        is_picture = not line.strip() or line.startswith("   ")
        if paragraph and (is_picture or follows_code or number != last + 1):
            yield from re.split(r"(?<=[a-z0-9)`\]\"][.!?])\s+", " ".join(paragraph))
            paragraph = []
        if not is_picture:
            paragraph.append(line.strip())
        last = number


def check_words(path, lines):
    for number, line, _ in lines:
        for match in re.finditer(rf"\b(?:{NEVER})\b", spoken(line), re.I):
            yield f"{path}:{number}: `{match[0]}`: name the subject"
        for pattern, word, folders in REPLACED:
            if any(path.startswith(folder) for folder in folders):
                for match in re.finditer(rf"\b(?:{pattern})\b", spoken(line), re.I):
                    yield f"{path}:{number}: `{match[0]}`: {word} (docs/glossary.md)"


def check_columns(file, lines):
    text = read(file).splitlines()
    for number, *_ in lines:
        if len(text[number - 1]) > COLUMNS and "//" in text[number - 1]:
            yield f"{name(file)}:{number}: a comment beyond {COLUMNS} columns"


CITATION = re.compile(r"\[([^\W\d_][^\[\]:]* \d{4})\](?!\()")
REFERENCES = set(re.findall(r"^\| ([^|]+ \d{4}) \|", read(ROOT / "docs/glossary.md"), re.M))


def check_citations(path, lines):
    text = " ".join(line.strip() for _, line, _ in lines)
    for one in (one.strip() for match in CITATION.finditer(text) for one in match[1].split(";")):
        authors, _, year = one.rpartition(" ")
        names = authors.replace(" et al.", ", others, others").split(", ")
        short = f"{names[0] if len(names) > 2 else authors} {year}"
        if year.isdigit() and authors[0].isupper() and authors != "RFC" and short not in REFERENCES:
            yield f"{path}: [{one}] has no row under References of docs/glossary.md"


def check():
    words, said = [], []
    for file, lines in texts():
        if not name(file).startswith(EXEMPT):
            yield from check_words(name(file), lines)
            yield from check_citations(name(file), lines)
        if file.suffix in (".cpp", ".h"):
            yield from check_columns(file, lines)
            words += words_of(" ".join(line for _, line, _ in lines))
            said += sentences(lines)
    whats = 1000 * sum(word.lower() == "what" for word in words) / max(len(words), 1)
    long = 1000 * sum(len(words_of(spoken(text))) > LONG for text in said) / max(len(said), 1)
    print(f"note: {len(words)} words of comments, {whats:.2f} of 1,000 are `what`; "
          f"{len(said)} sentences, {long:.1f} of 1,000 above {LONG} words")
    if whats > MOST_WHAT:
        yield f"comments: {whats:.1f} of 1,000 words are `what`, more than {MOST_WHAT}"
    if long > MOST_LONG:
        yield f"comments: {long:.1f} of 1,000 sentences have more than {LONG} words, limit {MOST_LONG}"


finish([*check()])
