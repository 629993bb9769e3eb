"""A Jupyter kernel: a cell is input of `halo repl`, commands included.

    python3 -m halo.kernel install [--user | --prefix P]     then choose `Halo` in a notebook

`:img e` shows a picture, `?name` explains, an interrupt ends an evaluation and keeps the session.
HALO_KERNEL_BACKEND names another engine than `auto`; with HALO_KERNEL_PLOTS=png plots are no SVG.
"""

import argparse
import base64
import json
import os
import pathlib
import re
import sys
import tempfile
import threading

from ipykernel.kernelbase import Kernel

from . import __version__, _native


RED, BLUE, PLAIN = "\x1b[1;31m", "\x1b[1;34m", "\x1b[0m"  # front ends make HTML of these


def coloured(lines):
    """Lines of a diagnostic: the headline and the caret in red, the margin in blue."""
    shown = [RED + lines[0] + PLAIN]
    for line in lines[1:]:
        margin = re.match(r" *(-->|\d* *\|)", line)
        at = margin.end() if margin else 0
        rest = re.sub(r"\^+", lambda carets: RED + carets[0] + PLAIN, line[at:])
        shown.append((BLUE + line[:at] + PLAIN if at else "") + rest)
    return shown


class Progress:
    """A line below a cell that runs for more than a second: how far its loop is."""

    def __init__(self, kernel, silent):
        self.kernel, self.is_over = kernel, threading.Event()
        self.watcher = None if silent else threading.Thread(target=self.watch, daemon=True)
        self.header = kernel.get_parent()

    def __enter__(self):
        if self.watcher:
            self.watcher.start()

    def __exit__(self, *failure):
        self.is_over.set()
        if self.watcher:
            self.watcher.join()

    def send(self, kind, text):
        self.kernel.session.send(self.kernel.iopub_socket, kind, {
            "data": {"text/plain": text} if text else {"text/plain": ""}, "metadata": {},
            "transient": {"display_id": f"progress-{id(self)}"}}, parent=self.header)

    def watch(self):
        kind = "display_data"
        while not self.is_over.wait(1 if kind == "display_data" else 0.2):
            share = _native.progress()
            self.send(kind, f"[{'#' * int(share * 30):30}] {share:4.0%}" if share >= 0 else "..")
            kind = "update_display_data"
        if kind == "update_display_data":
            self.send(kind, "")


class HaloKernel(Kernel):
    implementation = "halo"
    implementation_version = __version__
    banner = f"Halo {__version__}. :help lists the commands."
    language_info = {"name": "futhark", "mimetype": "text/x-futhark", "file_extension": ".fut",
                     "codemirror_mode": "haskell", "pygments_lexer": "futhark"}

    def __init__(self, **options):
        super().__init__(**options)
        self.halo = _native.Session(os.environ.get("HALO_KERNEL_BACKEND", "auto"),
                                    os.environ.get("HALO_KERNEL_PLOTS", "svg"))

    def do_execute(self, code, silent, store_history=True, user_expressions=None, allow_stdin=False,
                   **more):
        if not isinstance(code, str):  # a damaged message
            return {"status": "error", "execution_count": self.execution_count, "ename": "Halo",
                    "evalue": "the cell is no text", "traceback": []}
        try:
            with Progress(self, silent):
                ok, answers = self.halo.enter(code)
        except KeyboardInterrupt:
            ok, answers = False, [("error", b"error: interrupted [H7011]\n")]
        problem = None
        for kind, data in answers:
            shown = self.show(kind, data, silent)
            problem = shown or problem
        if ok:
            return {"status": "ok", "execution_count": self.execution_count, "payload": [],
                    "user_expressions": {}}
        return {"status": "error", "execution_count": self.execution_count,
                **(problem or {"ename": "Halo", "evalue": "", "traceback": []})}

    def show(self, kind, data, silent):
        """One part of the answer; of an error, what Jupyter knows about it."""
        send = (lambda *message: None) if silent else self.send_response
        if kind == "text":
            send(self.iopub_socket, "execute_result", {
                "execution_count": self.execution_count, "metadata": {},
                "data": {"text/plain": data.decode().rstrip("\n")}})
            return None
        if kind != "error":
            shown = data.decode() if kind == "image/svg+xml" else base64.b64encode(data).decode()
            send(self.iopub_socket, "display_data", {"data": {kind: shown}, "metadata": {}})
            return None
        text = data.decode()
        if not re.match(r"error\b", text):  # a warning
            send(self.iopub_socket, "stream", {"name": "stderr", "text": text})
            return None
        lines = text.rstrip("\n").split("\n")
        code = re.search(r"\[(H\d{4})\]", lines[0])
        problem = {"ename": code[1] if code else "error",
                   "evalue": lines[0].removeprefix("error: "), "traceback": coloured(lines)}
        send(self.iopub_socket, "error", problem)
        return problem

    def do_complete(self, code, cursor_pos):
        start, found = self.halo.complete(code, len(code[:cursor_pos].encode()))
        return {"status": "ok", "matches": found, "metadata": {}, "cursor_end": cursor_pos,
                "cursor_start": len(code.encode()[:start].decode(errors="ignore"))}

    def do_is_complete(self, code):
        if self.halo.is_incomplete(code):
            return {"status": "incomplete", "indent": "  "}
        return {"status": "complete"}

    def do_inspect(self, code, cursor_pos, detail_level=0, omit_sections=()):
        words = [w for w in re.finditer(r"[A-Za-z_][\w.']*", code) if w.start() <= cursor_pos <= w.end()]
        ok, answers = self.halo.enter("?" + words[0][0]) if words else (False, [])
        answer = "".join(data.decode() for kind, data in answers if kind == "text" and ok)
        return {"status": "ok", "found": bool(answer), "data": {"text/plain": answer} if answer else {},
                "metadata": {}}


def install(words):
    from jupyter_client.kernelspec import KernelSpecManager
    options = argparse.ArgumentParser(prog="halo kernel install")
    place = options.add_mutually_exclusive_group()
    place.add_argument("--user", action="store_true")
    place.add_argument("--prefix")
    chosen = options.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "kernel.json"
        path.write_text(json.dumps({
            "argv": [sys.executable, "-m", "halo.kernel", "-f", "{connection_file}"],
            "display_name": "Halo", "language": "futhark", "interrupt_mode": "signal"}))
        try:
            place = KernelSpecManager().install_kernel_spec(folder, "halo", user=chosen.user,
                                                            prefix=chosen.prefix)
        except OSError as error:
            sys.exit(f"error: the kernel cannot be installed: {error}; `--user` is your own folder")
    print("installed", place)


if __name__ == "__main__":
    if sys.argv[1:2] == ["install"]:
        install(sys.argv[2:])
    else:
        from ipykernel.kernelapp import IPKernelApp
        IPKernelApp.launch_instance(kernel_class=HaloKernel)
