"""A Jupyter kernel: a cell is input of `halo repl`, commands included.

    python3 -m halo.kernel install [--user | --prefix P]     then choose `Halo` in a notebook

`:img e` shows a picture, `?name` explains, an interrupt ends an evaluation and keeps the session.
"""

import base64
import json
import os
import pathlib
import re
import sys
import tempfile

from ipykernel.kernelbase import Kernel

from . import __version__, _native


class HaloKernel(Kernel):
    implementation = "halo"
    implementation_version = __version__
    banner = f"Halo {__version__}. :help lists the commands."
    language_info = {"name": "futhark", "mimetype": "text/x-futhark", "file_extension": ".fut",
                     "codemirror_mode": "haskell", "pygments_lexer": "futhark"}

    def __init__(self, **options):
        super().__init__(**options)
        self.halo = _native.Session(os.environ.get("HALO_KERNEL_BACKEND", "auto"))

    def do_execute(self, code, silent, store_history=True, user_expressions=None, allow_stdin=False,
                   **more):
        done = True
        try:
            for part in self.parts(code):
                done = (self.picture(part, silent) if part.startswith(":img") else
                        self.enter(part, silent)) and done
        except KeyboardInterrupt:
            self.say("stderr", "interrupted\n", silent)
            done = False
        if not done:
            return {"status": "error", "execution_count": self.execution_count, "ename": "Halo",
                    "evalue": "this cell failed", "traceback": []}
        return {"status": "ok", "execution_count": self.execution_count, "payload": [],
                "user_expressions": {}}

    @staticmethod
    def parts(code):
        """Pictures apart from the rest, which the session takes as a whole."""
        return [part for part in re.split(r"^(:img\b.*)$", code, flags=re.M) if part.strip()]

    def say(self, name, text, silent):
        if text and not silent:
            self.send_response(self.iopub_socket, "stream", {"name": name, "text": text})

    def enter(self, text, silent):
        ok, answer, errors = self.halo.enter(text)
        self.say("stderr", errors, silent)
        if answer and not silent:
            self.send_response(self.iopub_socket, "execute_result", {
                "execution_count": self.execution_count, "metadata": {},
                "data": {"text/plain": answer.rstrip("\n")}})
        return ok

    def picture(self, command, silent):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "picture.png"
            ok, _, errors = self.halo.enter(f":save {path} {command[4:].strip() or 'it'}")
            self.say("stderr", errors, silent)
            if ok and not silent:
                data = base64.b64encode(path.read_bytes()).decode()
                self.send_response(self.iopub_socket, "display_data",
                                   {"data": {"image/png": data}, "metadata": {}})
        return ok

    def do_is_complete(self, code):
        if self.halo.is_incomplete(code):
            return {"status": "incomplete", "indent": "  "}
        return {"status": "complete"}

    def do_inspect(self, code, cursor_pos, detail_level=0, omit_sections=()):
        words = [w for w in re.finditer(r"[A-Za-z_][\w.']*", code) if w.start() <= cursor_pos <= w.end()]
        answer = self.halo.enter("?" + words[0][0])[1] if words else ""
        return {"status": "ok", "found": bool(answer), "data": {"text/plain": answer} if answer else {},
                "metadata": {}}


def install(words):
    from jupyter_client.kernelspec import KernelSpecManager
    prefix = words[words.index("--prefix") + 1] if "--prefix" in words else None
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "kernel.json"
        path.write_text(json.dumps({
            "argv": [sys.executable, "-m", "halo.kernel", "-f", "{connection_file}"],
            "display_name": "Halo", "language": "futhark", "interrupt_mode": "signal"}))
        place = KernelSpecManager().install_kernel_spec(folder, "halo", user="--user" in words,
                                                        prefix=prefix)
    print("installed", place)


if __name__ == "__main__":
    if sys.argv[1:2] == ["install"]:
        install(sys.argv[2:])
    else:
        from ipykernel.kernelapp import IPKernelApp
        IPKernelApp.launch_instance(kernel_class=HaloKernel)
