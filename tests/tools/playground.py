#!/usr/bin/env python3
"""The playground: the interpreter as WebAssembly, under node and in a page of headless Chromium that
was opened as a file. What the page shows is what `halo run --backend=interp` says, bit for bit.

usage: playground.py HALO

Builds `build/playground` by emscripten, which takes minutes once: HALO_SLOW=1 asks for it.
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zlib

from checks import expect, needs, slow, verdict

HALO = str(pathlib.Path(sys.argv[1]).resolve())
ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "build/playground/page"
MOST_BYTES = 3 << 20  # of the page, compressed


def run(*words, timeout=500, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          timeout=timeout, **options)


def interpreter(program, words, folder):
    """What the command's interpreter says: values as text, a picture as its pixels' sum."""
    arguments = [word for word in words if not word.startswith("--save")]
    done = run(HALO, "run", "--backend=interp", program, *arguments, cwd=folder)
    return done.stdout, done.stderr


def examples():
    text = (PAGE / "examples.js").read_text()
    return json.loads(text[text.index("{"):text.rindex(";")])


def words_of(line):
    """As a `-- run:` line is split: at spaces outside of brackets."""
    words, depth, word = [], 0, ""
    for c in line:
        depth += (c in "[(") - (c in "])")
        if c == " " and depth == 0:
            words += [word] if word else []
            word = ""
        else:
            word += c
    words += [word] if word else []
    return words


def png_sum(path):
    """The sum of a PNG's pixels in the form of node.js; 8 bits of red, green, blue and opacity."""
    data, at, packed, size = path.read_bytes(), 8, b"", None
    while at < len(data):
        length, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        chunk = data[at + 8:at + 8 + length]
        at += 12 + length
        if kind == b"IHDR":
            size = int.from_bytes(chunk[:4], "big"), int.from_bytes(chunk[4:8], "big")
        packed += chunk if kind == b"IDAT" else b""
    (width, height), rows, lines = size, zlib.decompress(packed), []
    above = bytes(4 * width)
    for y in range(height):
        kind, line = rows[y * (4 * width + 1)], bytearray(rows[y * (4 * width + 1) + 1:][:4 * width])
        for x in range(4 * width):
            left, up = line[x - 4] if x >= 4 else 0, above[x]
            corner = above[x - 4] if x >= 4 else 0
            near = min((left, up, corner), key=lambda v: abs(left + up - corner - v))
            line[x] = (line[x] + (0, left, up, (left + up) // 2, near)[kind]) & 255
        above = bytes(line)
        lines.append(above)
    return f"picture {width}x{height} 1 {hashlib.sha256(b''.join(lines)).hexdigest()}\n"


def wanted(name, example, folder):
    """What the page must show of an example."""
    program = folder / f"{name}.fut"
    program.write_text(example["program"])
    words = words_of(example["arguments"])
    if "--save" not in words:
        return interpreter(program, words, folder)[0]
    picture = folder / f"{name}.png"
    words[words.index("--save") + 1] = picture
    done = run(HALO, "run", "--backend=interp", *(w for w in words if str(w).startswith("--")),
               picture, program, *(w for w in words if not str(w).startswith("--") and w != picture),
               cwd=folder)
    expect(done.returncode == 0, f"{name}: {done.stderr}")
    return png_sum(picture)


def under_node(folder):
    def node(*words):
        return run("node", "--stack-size=900", ROOT / "playground/node.js", PAGE, *words)

    for name, example in examples().items():
        if not example["arguments"]:
            continue
        want = wanted(name, example, folder)
        found = node("run", folder / f"{name}.fut", example["arguments"])
        expect(found.stdout == want, f"{name}: {found.stdout[:300]} {found.stderr[:300]}, not {want[:300]}")
    found = node("enter", "[1.5f16, 65504, 6e-8, 1e-3]\n(0.1f32 + 0.2, 1e22f64, 1e-7f64, 123456789f32)\n"
                          "[f64.pi, 1e300, 5e-324, 1.7976931348623157e308]")
    want = run(HALO, "repl", "--backend=interp", input="[1.5f16, 65504, 6e-8, 1e-3]\n"
               "(0.1f32 + 0.2, 1e22f64, 1e-7f64, 123456789f32)\n"
               "[f64.pi, 1e300, 5e-324, 1.7976931348623157e308]\n")
    expect(found.stdout == want.stdout, f"digits: {found.stdout}, not {want.stdout}")
    deep = folder / "deep.fut"
    deep.write_text("def f (n: i64): i64 = if n == 0 then 0 else 1 + f (n - 1)\ndef main = f\n")
    expect(node("run", deep, "100").stdout == "100i64\n", "a recursive function")
    expect("[H70" in node("run", deep, "100000000").stderr, "an endless recursion is reported")
    programs = sorted((ROOT / "tests/exec").rglob("*.fut"))
    done = node("test", *programs)
    passed = sum(int(n) for n in re.findall(r": (\d+) passed", done.stdout))
    want = run(HALO, "test", "--wording", "--backend=interp", ROOT / "tests/exec")
    print(f"tests/exec: {passed} passed under node; the command: {want.stdout.splitlines()[-1]}")
    failed = [line for line in done.stdout.splitlines() if " 0 failed" not in line]
    expect(not failed and done.returncode == 0, f"tests/exec: {failed[:5]} {done.stderr[:2000]}")
    expect(want.stdout.splitlines()[-1].startswith(f"{passed} passed"), "not as many as the command")


class Browser:
    """Chromium by the DevTools protocol on two pipes: no port, no other package."""

    def __init__(self, folder):
        to_browser, self.to = os.pipe()
        self.source, from_browser = os.pipe()

        def pipes():
            os.dup2(to_browser, 3)
            os.dup2(from_browser, 4)

        os.set_inheritable(3, True)
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--remote-debugging-pipe", f"--user-data-dir={folder / 'profile'}", "about:blank"],
            preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.session = b"", 0, None

    def ask(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.buffer:
                part = os.read(self.source, 1 << 16)
                if not part:
                    raise EOFError("chromium ended")
                self.buffer += part
            text, self.buffer = self.buffer.split(b"\0", 1)
            answer = json.loads(text)
            if answer.get("id") == self.number:
                expect("error" not in answer, f"{method}: {answer.get('error')}")
                return answer.get("result", {})

    def open(self, address):
        target = self.ask("Target.createTarget", url=address)["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        end = time.monotonic() + 120  # the target begins as an empty page
        while self.value("typeof isReady") == "undefined" and time.monotonic() < end:
            time.sleep(0.1)
        self.value("isReady")

    def value(self, expression):
        found = self.ask("Runtime.evaluate", expression=expression, awaitPromise=True,
                         returnByValue=True)
        expect("exceptionDetails" not in found, f"{expression[:100]}: {found.get('exceptionDetails')}")
        return found.get("result", {}).get("value")

    def end(self):
        self.session = None
        self.ask("Browser.close")
        self.process.wait(timeout=60)


SUM_OF_PICTURE = """(async () => {
  const found = await run();
  const sums = await Promise.all(found.pictures.map(async (p) => {
    const sum = await crypto.subtle.digest("SHA-256", p.bytes);
    const hex = [...new Uint8Array(sum)].map((b) => b.toString(16).padStart(2, "0")).join("");
    return `picture ${p.width}x${p.height} ${p.frames} ${hex}\\n`;
  }));
  return found.text + sums.join("") + found.errors;
})()"""


def in_page(folder):
    browser = Browser(folder)
    browser.open((PAGE / "index.html").as_uri())
    output = "at('output').textContent"
    for name, example in examples().items():
        browser.value(f"at('examples').value = {json.dumps(name)}; choose({json.dumps(name)})")
        found = browser.value(SUM_OF_PICTURE)
        if example["arguments"]:
            want = wanted(name, example, folder)
            expect(found == want, f"page, {name}: {str(found)[:300]}, not {want[:300]}")
        else:
            canvases = browser.value("document.querySelectorAll('canvas').length")
            expect(canvases == 3, f"page, {name}: {canvases} pictures; {browser.value(output)}")
    # An error with its place; a line of the session; an endless loop that is stopped; a link.
    browser.value("at('program').value = 'def main (i: i64) = [1, 2, 3][i]'; at('arguments').value = '7'")
    browser.value("run()")
    expect("[H7001]" in browser.value(output) and "^^^" in browser.value(output), browser.value(output))
    browser.value("at('program').value = 'def twice (x: i64) = 2 * x'; at('line').value = 'twice 21'")
    browser.value("enterLine()")
    expect("i64 = 42" in browser.value(output), browser.value(output))
    browser.value("at('line').value = 'loop x = 1 while x > 0 do (x + 1) % 7 + 1'; enterLine(); 1")
    browser.value("new Promise((done) => setTimeout(done, 500))")
    browser.value("at('stop').click()")
    browser.value("interpreter.ready")
    browser.value("at('line').value = 'twice 4'; enterLine()")
    expect("stopped" in browser.value(output) and "i64 = 8" in browser.value(output),
           f"after a stop: {browser.value(output)}")
    browser.value("at('program').value = 'def f(x:i32)=x'; format()")
    expect(browser.value("at('program').value") == "def f (x: i32) = x\n", "format")
    address = browser.value("linkOf('def main = \"caf\\u00e9\"', '1 2')")
    browser.session = None
    browser.open(address)
    expect(browser.value("[at('program').value, at('arguments').value].join('|')") ==
           'def main = "caf\u00e9"|1 2', f"a link: {address}")
    browser.end()


def main():
    build = run(ROOT / "playground/build", timeout=2400)
    if not expect(build.returncode == 0, f"build: {build.stdout}{build.stderr}"[-3000:]):
        return verdict()
    print(build.stdout.strip())
    expect(int(build.stdout.split()[-2]) < MOST_BYTES, "the page is too large")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        under_node(folder)
        if shutil.which("chromium"):
            in_page(folder)
        else:
            print("skipped: package chromium is not installed")
    return verdict()


needs("emcmake", "emscripten")
needs("node", "nodejs")
slow()
sys.exit(main())
