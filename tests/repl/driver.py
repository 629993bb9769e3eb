"""Drives `halo repl` as a person does: on a pseudo-terminal, with keys, and through pipes.

A Terminal holds one session. Its output is kept as plain text: escape sequences are taken out,
except by `raw`. `expect` waits for a text in the output since the last `expect`.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time

ESCAPES = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|_[^\x1b]*\x1b\\|[@-Z\\-_])")
PROMPT = re.compile(r"(?:^|[\r\n])> \r*$")  # nothing typed yet: `\x -> ` ends like it, too
PATIENCE = int(os.environ.get("HALO_PATIENCE", "60"))  # seconds; the machine may be busy


class Failed(Exception):
    pass


def environment(home, extra=None):
    kept = {k: v for k, v in os.environ.items()
            if k in ("PATH", "LD_LIBRARY_PATH", "VK_ICD_FILENAMES", "ASAN_OPTIONS",
                     "UBSAN_OPTIONS", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME")}
    kept.update(HOME=home, XDG_STATE_HOME=os.path.join(home, "state"), LANG="C.UTF-8",
                TERM="xterm-256color")
    kept.update(extra or {})
    return kept


class Terminal:
    def __init__(self, halo, words=(), home=None, extra=None, rows=40, columns=100, cwd=None):
        self.home = home or tempfile.mkdtemp()
        self.raw = ""
        self.seen = 0
        self.fd, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

        def own_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen([halo, "repl", *words], stdin=inner, stdout=inner,
                                        stderr=inner, cwd=cwd or self.home, close_fds=True,
                                        env=environment(self.home, extra),
                                        preexec_fn=own_terminal)
        os.close(inner)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.fd)

    @property
    def text(self):
        return ESCAPES.sub("", self.raw)

    def pump(self, seconds):
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.raw += data.decode(errors="replace")
        return bool(data)

    def send(self, text):
        data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
        while data:
            written = os.write(self.fd, data[:512])
            data = data[written:]
            self.pump(0)

    def line(self, text):
        self.send(text + "\r")

    def expect(self, wanted, seconds=PATIENCE):
        end = time.time() + seconds
        while True:
            at = self.text.find(wanted, self.seen)
            if at >= 0:
                self.seen = at + len(wanted)
                return
            if time.time() > end or (not self.pump(0.2) and self.process.poll() is not None):
                raise Failed(f"expected {wanted!r}, found {self.text[self.seen:]!r}")

    def expect_raw(self, wanted):
        """Waits for bytes that no text shows: an escape sequence."""
        end = time.time() + PATIENCE
        while wanted not in self.raw:
            if time.time() > end or (not self.pump(0.2) and self.process.poll() is not None):
                raise Failed(f"expected {wanted!r} in {self.raw[-300:]!r}")

    def ask(self, line, *answers):
        """Enters a line and waits for each text of the answer, then for the prompt."""
        self.expect_prompt()
        self.line(line)
        for answer in answers:
            self.expect(answer)

    def expect_prompt(self):
        end = time.time() + PATIENCE
        while not PROMPT.search(self.text[self.seen:]):
            if time.time() > end or self.process.poll() is not None:
                raise Failed(f"no prompt after {self.text[self.seen:]!r}")
            self.pump(0.2)
        self.seen = len(self.text)

    def interrupt(self):
        os.killpg(os.getpgid(self.process.pid), signal.SIGINT)

    def leave(self, status=0):
        end = time.time() + PATIENCE
        while self.process.poll() is None and time.time() < end:
            self.pump(0.1)
        if self.process.poll() != status:
            raise Failed(f"ended with {self.process.poll()}, not {status}: {self.text[-300:]!r}")


def pipe(halo, text, words=(), extra=None, cwd=None, timeout=120):
    """A session on pipes: standard output, standard error, exit status."""
    home = tempfile.mkdtemp()
    data = text if isinstance(text, bytes) else text.encode()
    done = subprocess.run([halo, "repl", *words], input=data, capture_output=True,
                          cwd=cwd or home, timeout=timeout, env=environment(home, extra))
    return done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), \
        done.returncode
