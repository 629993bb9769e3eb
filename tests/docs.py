#!/usr/bin/env python3
"""Every code block of docs/*.md, README.md and CHANGELOG.md does as it says; links and citations
of files resolve; generated parts are current; tables of these pages and of all READMEs are short.

usage: docs.py HALO [--update] [PAGE...]

The first word behind ``` says how a block is tested; a block with another first word is a fault:

  futhark    a program: `halo check` accepts it, `halo test` runs its test blocks on the interpreter
             and the cpu engine. `file=NAME` keeps it under this name for the console blocks of the
             page; `rejected=H3001` says that the check ends with this code; `engines=all` adds the
             gpu engine
  session    lines behind `> ` and `| ` go to `halo repl`, the other lines are its answers
  console    lines behind `$ ` go to a shell in a folder with `halo` on the PATH, the programs of
             the page and the examples; the other lines are the command's output. No such lines:
             only the exit status counts. `status=N` for another one than 0; a line `...` stands for
             any lines, `...` within a line for any text
  sh         each line goes to such a shell; only the exit status counts
  core imp kernels glsl llvm text   within a generated part: the output of its command
  text ebnf                         shown, never run: pictures, formats, grammar
  LANGUAGE not-run                  shown, never run: other languages, commands that take long
  LANGUAGE tested-by=FILE           run by another test

A generated part begins with `<!-- generated: COMMAND -->` and ends with `<!-- end -->`. `--update`
writes the output of COMMAND between the two; `prelude` is no command: see prelude_page().
"""

import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/repl"))
from driver import environment  # noqa: E402

HALO = pathlib.Path(sys.argv[1]).resolve()
UPDATE = "--update" in sys.argv
PAGES = [ROOT / page for page in sys.argv[2:] if page != "--update"] or \
    [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
STAGES = {"core", "imp", "kernels", "glsl", "llvm"}
SHOWN = {"text", "ebnf"}
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.M | re.S)
GENERATED = re.compile(r"^<!-- generated: (.*?) -->\n(.*?)^<!-- end -->$", re.M | re.S)
TIMEOUT = 120  # seconds


def name_of(path):
    return path.relative_to(ROOT).as_posix()


class Block:
    def __init__(self, page, text, match):
        words = match[1].split()
        self.page = page
        self.line = text.count("\n", 0, match.start()) + 1
        self.kind = words[0] if words else ""
        self.options = dict(word.partition("=")[::2] for word in words[1:])
        self.text = match[2]
        self.is_generated = any(m.start() < match.start() < m.end()
                                for m in GENERATED.finditer(text))

    def place(self):
        return f"{name_of(self.page)}:{self.line}"


class Folder:
    """Where a page's programs lie and its commands run."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        programs = self.path / "bin"
        programs.mkdir()
        (programs / "halo").symlink_to(HALO)
        (self.path / "halo").symlink_to(HALO)
        os.symlink(ROOT / "examples", self.path / "examples")
        self.environment = environment(str(self.path), {
            "HALO_HISTORY": "off", "NO_COLOR": "1", "TERM": "dumb",
            "PATH": f"{programs}:{os.environ['PATH']}"})

    def run(self, words, text=None, together=False):
        return subprocess.run(
            words, input=text, cwd=self.path, env=self.environment, text=True, timeout=TIMEOUT,
            errors="replace", stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if together else subprocess.PIPE)

    def shell(self, command):
        return self.run(["bash", "-c", command], together=True)


# ---- blocks


def matches(found, wanted):
    """Lines against lines in which `...` stands for anything."""
    pattern = ""
    for line in wanted:
        if line.strip() == "...":
            pattern += r"(?:.*\n)*"
        else:
            pattern += re.escape(line.rstrip()).replace(r"\.\.\.", ".*") + r"[ ]*\n"
    text = "".join(line.rstrip() + "\n" for line in found)
    return re.fullmatch(pattern, text) is not None


def difference(found, wanted):
    return "    expected:\n" + "".join(f"      {line}\n" for line in wanted) + \
        "    found:\n" + "".join(f"      {line}\n" for line in found)


def check_session(block, folder):
    typed, wanted = [], []
    for line in block.text.splitlines():
        if line.startswith(("> ", "| ")):
            typed.append(line[2:])
        elif line.strip():
            wanted.append(line)
    run = folder.run([HALO, "repl"], "\n".join(typed) + "\n")
    errors = [line for line in wanted if line.startswith(("error:", "warning:"))]
    answers = [line for line in wanted if line not in errors]
    if not matches(run.stdout.splitlines(), answers):
        yield difference(run.stdout.splitlines(), answers)
    found = [line for line in run.stderr.splitlines() if line.startswith(("error:", "warning:"))]
    if not matches(found, errors):
        yield difference(found, errors)


def commands_of(block):
    """Each command with the lines that it is said to print."""
    result = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            result.append((line[2:].partition("   #")[0], []))
        elif not result:
            result.append((line, []))
        else:
            result[-1][1].append(line)
    return result


def check_console(block, folder):
    status = int(block.options.get("status", 0))
    commands = commands_of(block)
    for number, (command, wanted) in enumerate(commands, 1):
        run = folder.shell(command)
        needed = status if number == len(commands) else 0  # of the last one
        if run.returncode != needed:
            yield f"    `{command}`: status {run.returncode}, not {needed}:\n{run.stdout}"
        elif wanted and not matches(run.stdout.splitlines(), wanted):
            yield f"    `{command}`\n" + difference(run.stdout.splitlines(), wanted)


def check_shell(block, folder):
    for line in block.text.splitlines():
        run = folder.shell(line)
        if run.returncode != 0:
            yield f"    `{line}`: status {run.returncode}\n{run.stdout}"


def check_program(block, path, folder):
    """A program that must be rejected; others are checked all together."""
    code = block.options["rejected"]
    run = folder.run([HALO, "check", path], together=True)
    if run.returncode != 2 or f"[{code}]" not in run.stdout:
        yield f"    status {run.returncode}, expected {code}:\n{run.stdout}"


def check_blocks(page, text, folder):
    accepted, tested, on_all = [], [], []
    for block in (Block(page, text, m) for m in FENCE.finditer(text)):
        if "not-run" in block.options:
            continue
        if "tested-by" in block.options:
            if not (ROOT / block.options["tested-by"]).exists():
                yield block, ["    the test does not exist"]
        elif block.kind == "futhark":
            path = folder.path / block.options.get("file", f"line_{block.line}.fut")
            path.write_text(block.text)
            path.chmod(0o755)
            if "rejected" in block.options:
                yield block, check_program(block, path, folder)
                continue
            accepted.append(path)
            if re.search(r"^-- ==$", block.text, re.M):
                (on_all if "engines" in block.options else tested).append(path)
        elif block.kind == "session":
            yield block, check_session(block, folder)
        elif block.kind == "console":
            yield block, check_console(block, folder)
        elif block.kind == "sh":
            yield block, check_shell(block, folder)
        elif block.kind in STAGES and not block.is_generated:
            yield block, ["    a stage of the compiler must be in a generated part"]
        elif block.kind not in SHOWN | STAGES:
            yield block, [f"    a block of an unknown kind `{block.kind}`"]
    for words, programs in ((["check"], accepted),
                            (["test", "--backend=interp,cpu", "--jobs=2"], tested),
                            (["test", "--backend=all", "--jobs=2"], on_all)):
        if programs:
            run = folder.run([HALO, *words, *programs], together=True)
            problems = [run.stdout] if run.returncode != 0 else []
            yield Block(page, text, FENCE.search(text)), problems


# ---- generated parts


def documented(names, folder):
    """The text of `:doc` for each name."""
    # A line between answers, since a comment may have several.
    run = folder.run([HALO, "repl"], "".join(f":doc {name}\n:pwd\n" for name in names))
    if run.returncode != 0:
        raise SystemExit(f"the prelude's page: {run.stderr}")
    border = rf"^{re.escape(str(folder.path.resolve()))}$\n?"
    return [answer.strip("\n") for answer in re.split(border, run.stdout, flags=re.M)][:len(names)]


def item(name, answer):
    head, _, comment = answer.partition("\n")
    comment = re.sub(r"\s+", " ", comment).strip()
    return f"- **`{name}`** `{head.partition(' : ')[2]}`  \n  {comment}\n"


def digest(items):
    """Of the prelude's sources and of the page: while both stay, asking for all names is spared."""
    texts = b"".join(path.read_bytes() for path in sorted((ROOT / "stdlib").glob("*.fut")))
    hashed = hashlib.sha256(texts + items.strip().encode())
    return f"<!-- stdlib and page: {hashed.hexdigest()[:16]} -->"


def prelude_page(folder):
    """Every name of the prelude with its type and comment."""
    def items(names):
        return map(item, names, documented(names, folder))

    plain = []
    for path in sorted((ROOT / "stdlib").glob("*.fut")):
        source = path.read_text()
        names = re.findall(r"^(?:def|val) (?:\((\S+)\)|([\w']+))", source, re.M)
        if re.match(r"math_|fmod|partials_|sort|intrinsics", path.name):
            names = []
        if path.name == "sort.fut":  # all others are parts of sorts
            names = [("", name) for name in ("merge_order", "merge_sort", "merge_sort_by_key")]
        plain += [(path.name, symbol or name) for symbol, name in names]
    out = []
    groups = {"basis.fut": "Arrays", "basis_array.fut": "Arrays", "basis_soac.fut": "Arrays",
              "functional.fut": "Functions", "ad.fut": "Derivatives",
              "unique.fut": "Groups and orders", "sort.fut": "Groups and orders"}
    for title in ("Arrays", "Groups and orders", "Functions", "Derivatives", "Others"):
        names = sorted({name for file, name in plain if groups.get(file, "Others") == title},
                       key=lambda name: (not name[0].isalpha(), name.lower()))
        out += [f"## {title}\n\n", *items(names), "\n"] if names else []
    for module in ("stencil", "f32", "i32", "bool"):
        has = documented([module], folder)[0].partition("it has")[2]
        has = re.sub(r"^  type .*$", "", has, flags=re.M)
        has = re.findall(r"^  (\S+) :", has, re.M) or has.split()
        names = sorted((name for name in has if not name.endswith("_meaning")),
                       key=lambda name: (not name[0].isalpha(), name.lower()))
        out += [f"## Module `{module}`\n\n", *items([f"{module}.{n}" for n in names]), "\n"]
    text = "".join(out).rstrip() + "\n"
    return digest(text) + "\n\n" + text


def generate(command, text, folder):
    mark, _, items = text.strip().partition("\n")
    if command == "prelude" and not UPDATE and mark == digest(items):
        some = re.findall(r"^- \*\*`(.*)`\*\*", text, re.M)[::EVERY]
        return text if all(item(name, answer) in text for name, answer in zip(
            some, documented(some, folder))) else ""
    if command == "prelude":
        return "\n" + prelude_page(folder) + "\n"
    run = folder.shell(command)
    if run.returncode != 0:
        raise SystemExit(f"`{command}` ends with {run.returncode}:\n{run.stdout}")
    fence = FENCE.search(text)
    kind = fence[1] if fence else "text"
    return f"```{kind}\n{run.stdout.rstrip()}\n```\n"


def refresh(page, text, folder):
    """Programs with a name come first: commands use them."""
    for block in (Block(page, text, m) for m in FENCE.finditer(text)):
        if block.kind == "futhark" and "file" in block.options:
            (folder.path / block.options["file"]).write_text(block.text)
    return GENERATED.sub(
        lambda m: f"<!-- generated: {m[1]} -->\n{generate(m[1], m[2], folder)}<!-- end -->", text)


# ---- links and citations


def slugs(text):
    """The anchors that headings have on the usual hosts."""
    text = FENCE.sub("", text)
    result = set()
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        plain = re.sub(r"[^\w\- ]", "", heading.lower())
        result.add(plain.strip().replace(" ", "-"))
    return result


def check_links(page, text):
    plain = FENCE.sub("", text)
    for target in re.findall(r"\]\(([^)\s]+)\)", plain):
        if re.match(r"https?:", target):
            continue
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        if not file.exists():
            yield f"{name_of(page)}: a link to `{target}`, which does not exist"
        elif anchor and anchor not in slugs(file.read_text()):
            yield f"{name_of(page)}: `{target}` has no such heading"
    tops = "|".join(sorted(p.name for p in ROOT.iterdir() if p.is_dir() and p.name[0] != "."))
    for path in re.findall(rf"`((?:{tops})/[\w./@-]*)`", plain):
        if not (ROOT / path).exists() and not list(ROOT.glob(path + ".*")) \
                and not re.search(r"NAME|PASS|build/", path):
            yield f"{name_of(page)}: cites `{path}`, which does not exist"
    for path, function in re.findall(rf"`((?:{tops})/[\w./]*\.(?:cpp|h))`, `(\w+)`", plain):
        if (ROOT / path).exists() and not re.search(rf"\b{function}\b", (ROOT / path).read_text()):
            yield f"{name_of(page)}: cites `{function}` of `{path}`, which lacks it"


CITATION = re.compile(r"\b(?:docs/)?([a-z]+\.md)#([\w-]+)|\bdocs/(\w+\.md)")
MOST_WORDS = 30
EVERY = 30  # one of so many names of the prelude is asked for in any case
ABSENT = re.compile(r"\b[A-Z]{2,}\.md\b")  # pages that the repository does not have


def check_citations():
    """Of pages in sources and programs."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    suffixes = {".h", ".cpp", ".def", ".fut", ".py", ".md", ".core", ".exp", ".txt", ".cmake", ""}
    headings = {}
    for line in listed.stdout.splitlines():
        file = ROOT / line
        if file.suffix not in suffixes or not file.is_file() or file == pathlib.Path(__file__):
            continue
        text = file.read_text(errors="replace")
        for cited, anchor, alone in CITATION.findall(text):
            page = "docs/" + (cited or alone)
            target = ROOT / page
            if page not in headings:
                headings[page] = slugs(target.read_text()) if target.exists() else None
            if headings[page] is None:
                yield f"{line}: cites {page}, which does not exist"
            elif anchor and anchor not in headings[page]:
                yield f"{line}: cites {page}#{anchor}, which has no such heading"
        for page in ABSENT.findall(text):
            if page not in ("README.md", "CHANGELOG.md"):
                yield f"{line}: cites {page}, which is not part of the repository"


def check_complete():
    """Every command has its options on a page; every stage and schedule is described."""
    def told(*words):
        run = subprocess.run([HALO, *words], capture_output=True, text=True)
        return run.stdout + run.stderr

    def page(*names):
        return "".join((ROOT / "docs" / name).read_text() for name in names)

    options, commands = page("options.md"), page("command.md")
    schedules = page("gpu.md", "cpu.md")
    for command in re.findall(r"^  ([a-z]+) ", told("help").partition("Subcommands:")[2], re.M):
        if f"generated: halo {command} --help" not in options:
            yield f"docs/options.md: lacks `{command}`"
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "one.fut"
        program.write_text("def main = 1\n")
        stages = told("dump", "--stage=?", program).partition("the stages are ")[2].split()
    for stage in stages:
        if not re.search(rf"^\|.*`{stage}`.*\|", commands, re.M):
            yield f"docs/command.md: lacks stage `{stage}`"
    for schedule in re.findall(r"^  ([a-z_]+) ", told("help", "schedules"), re.M):
        if f"`{schedule}`" not in schedules and f"--variant={schedule}`" not in schedules:
            yield f"docs/gpu.md, docs/cpu.md: lack schedule `{schedule}`"


def check_wording():
    """Cells of tables are short, and sentences have named subjects."""
    for page in [*PAGES, *(file for file in ROOT.rglob("README.md") if "build" not in file.parts)]:
        text = FENCE.sub("", GENERATED.sub("", page.read_text()))
        for cell in re.findall(r"(?<=\|)[^|\n]+(?=\|)", text):
            if len(cell.split()) > MOST_WORDS:
                yield f"{name_of(page)}: {len(cell.split())} words in a cell:{cell[:60]}.."
        for word in re.findall(r"\b(?:some|no|any)body\b", text):
            yield f"{name_of(page)}: `{word}`: name the thing instead"


def main():
    problems = []
    for page in PAGES:
        text = page.read_text()
        with tempfile.TemporaryDirectory() as name:
            folder = Folder(name)
            current = refresh(page, text, folder)
            if UPDATE:
                page.write_text(current)
                continue
            if current != text:
                problems.append(f"{name_of(page)}: a generated part is not current: "
                                "tests/docs.py HALO --update")
            for block, found in check_blocks(page, text, folder):
                problems += [f"{block.place()}: {block.kind}\n{problem}" for problem in found]
        problems += check_links(page, text)
    if not UPDATE:
        problems += [*check_citations(), *check_complete(), *check_wording()]
    print("\n".join(problems) or f"{len(PAGES)} pages")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
