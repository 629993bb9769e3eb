#!/usr/bin/env python3
"""The language server in Emacs, without a window, by eglot and editors/emacs/halo.el: an error comes and
goes, a type is shown, the text is laid out.

usage: emacs.py HALO
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from checks import expect, needs, skip, verdict

HALO = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = """
(setq debug-on-error nil eglot-sync-connect 30)
(load (getenv "HALO_EL"))
(defun told (name value) (princ (format "%s=%s\\n" name value)))
(defun soon (test) (let ((n 0)) (while (and (not (funcall test)) (< (setq n (1+ n)) 600)) (accept-process-output nil 0.05)) (funcall test)))
(defun problems () (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))
(find-file "program.fut")
(told 'mode major-mode)
(unless (eglot-current-server) (apply #'eglot--connect (eglot--guess-contact)))
(flymake-mode 1)
(told 'server (and (soon #'eglot-current-server) t))
(goto-char (point-max))
(insert "def wrong = tru\\n")
(eglot--signal-textDocument/didChange)
(told 'problem (car (soon #'problems)))
(forward-line -1) (delete-region (point) (point-max))
(eglot--signal-textDocument/didChange)
(told 'mended (and (soon (lambda () (null (problems)))) t))
(goto-char (point-min)) (search-forward "(x") (backward-char)
(told 'hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams)))
(eglot-format-buffer)
(told 'text (prin1-to-string (buffer-string)))
(set-buffer-modified-p nil)
"""


def main(folder):
    (folder / "program.fut").write_text("def  twice (x: i64) = x * 2\ndef four (x: i64) = twice (twice x)\n")
    (folder / "script.el").write_text(SCRIPT)
    (folder / "bin").mkdir()
    (folder / "bin/halo").symlink_to(HALO)
    environment = dict(os.environ, HOME=str(folder), XDG_CACHE_HOME=str(folder / "cache"),
                       PATH=f"{folder / 'bin'}:{os.environ['PATH']}", HALO_EL=str(ROOT / "editors/emacs/halo.el"))
    done = subprocess.run(["emacs", "--batch", "-l", "script.el"], cwd=folder, env=environment, text=True,
                          capture_output=True, timeout=300)
    if "eglot" in done.stderr and "Cannot open load file" in done.stderr:
        skip("package elpa-eglot is not installed")
    for wanted in ("mode=futhark-mode", "server=t", "unknown name `tru`", "mended=t", "x : i64",
                   'text="def twice (x: i64) = x * 2'):
        expect(wanted in done.stdout, f"`{wanted}`: {done.stdout}{done.stderr[-1500:]}")
    return verdict()


needs("emacs", "emacs-nox")
with tempfile.TemporaryDirectory() as name:
    sys.exit(main(pathlib.Path(name)))
