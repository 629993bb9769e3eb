"""Calls of halo with their expected results: for the tests of the command."""

import os
import pathlib
import subprocess
import sys

HALO = str(pathlib.Path(sys.argv[1]).resolve())
OK, RUN_TIME, REJECTED, CANNOT_RUN, USAGE = 0, 1, 2, 3, 64


class Runner:
    def __init__(self, folder):
        self.folder = folder
        self.passed = 0
        self.failed = 0

    def case(self, words, status, out=(), err=(), stdin="", environment=None):
        env = dict(os.environ, NO_COLOR="1", **(environment or {}))
        try:
            done = subprocess.run([HALO] + words, cwd=self.folder, env=env, timeout=120,
                                  input=stdin.encode() if isinstance(stdin, str) else stdin,
                                  capture_output=True)
        except subprocess.TimeoutExpired:
            return self.fail(words, "no end after 120 s")
        stdout = done.stdout.decode(errors="replace")
        stderr = done.stderr.decode(errors="replace")
        if done.returncode != status:
            return self.fail(words, f"status {done.returncode}, not {status}\n{stdout}{stderr}")
        for text in out:
            if text not in stdout:
                return self.fail(words, f"standard output lacks {text!r}:\n{stdout}{stderr}")
        for text in err:
            if text not in stderr:
                return self.fail(words, f"standard error lacks {text!r}:\n{stderr}")
        self.passed += 1
        return None

    def fail(self, words, why):
        self.failed += 1
        print("FAIL halo " + " ".join(words) + ": " + why)
