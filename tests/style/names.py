"""Names have the case of docs/style.md#names: types `UpperCamel`, functions `lowerCamel`, variables
and fields `snake_case`, constants `kName`, limits `kMaxName` and `kMinName`. Names of other libraries' interfaces are theirs.
"""

import re

from common import finish, name, read, sources

THEIRS = ("api/", "bench/", "tests/api/", "python/")
TEXT = re.compile(
    r'R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.S)
WORDS = r"(?:static |const |inline |mutable |thread_local )*"
TYPE = r"[A-Za-z_][\w:]*(?:<[^;=(){}]*>)?(?: const)?[ *&]+"
# A lambda that stands for a function has a function's name.
VARIABLE = re.compile(rf"^\s+{WORDS}{TYPE}(?P<name>(?!k[A-Z])[a-z]\w*[A-Z]\w*)\s*(?:=(?!=)(?!\s*\[)|;|\{{)", re.M)
CONSTANT = re.compile(rf"^\s*{WORDS}constexpr {TYPE}(?P<name>(?!k[A-Z0-9])\w+)\s*(?:\[\w*\])?\s*=", re.M)
TYPES = re.compile(r"^\s*(?:enum class|enum|class|struct) (?P<name>(?!std::)[a-z]\w*)\s*[:{]", re.M)
LIMITS = re.compile(r"\b(?P<name>k(?:Most|Least)(?![a-z])\w*)")
NO_TYPE = re.compile(r"\s*(?:return|using|typedef|namespace|else|case|goto|new|delete|throw)\b")


def without_text(text):
    """Comments and strings as blanks, so that lines keep their numbers."""
    return TEXT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def check():
    for file in sources(".cpp", ".h"):
        if name(file).startswith(THEIRS):
            continue
        text = without_text(read(file))
        for pattern, what in ((VARIABLE, "a variable is `snake_case`"), (CONSTANT, "a constant is `kName`"),
                              (TYPES, "a type is `UpperCamel`"), (LIMITS, "a limit is `kMax..` or `kMin..`")):
            for match in pattern.finditer(text):
                if not NO_TYPE.match(match[0].lstrip("\n")):
                    line = text.count("\n", 0, match.start("name")) + 1
                    yield f"{name(file)}:{line}: `{match['name']}`: {what}"


finish([*check()])
