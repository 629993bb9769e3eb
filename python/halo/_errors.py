"""Errors as exceptions, and records as named tuples; the native module calls `make` and
`record`."""

import collections
import functools
import json as _json


class Error(Exception):
    """A diagnostic. `str` is the text that the command prints, with the excerpt of the program."""

    def __init__(self, text, json=None, code=None, message=None, file=None, line=0, column=0):
        super().__init__(text)
        self.json, self.code, self.message = json, code, message
        self.file, self.line, self.column = file, line, column
        self.notes = _json.loads(json.splitlines()[0])["notes"] if json else []


class RejectedError(Error):
    """The program is wrong."""


class CallError(Error):
    """The call failed as the program can."""


class OutOfRangeError(CallError, IndexError):
    """An index or a slice is out of range."""


class DivisionError(CallError, ZeroDivisionError):
    """An integer was divided by zero."""


class UnsupportedError(Error):
    """This engine cannot run it, or there is no such device."""


class UsageError(Error, ValueError):
    """Arguments, files or options."""


class FileError(UsageError, FileNotFoundError):
    """There is no such file, or it cannot be read."""


KINDS = {1: CallError, 2: RejectedError, 3: UnsupportedError, 64: UsageError}
CODES = {"H7001": OutOfRangeError, "H7002": OutOfRangeError, "H7003": DivisionError,
         "H8001": FileError}


def make(status, text, json, code, message, file, line, column):
    kind = CODES.get(code) or KINDS.get(status, Error)
    return kind(text or "halo: failed", json, code, message, file, line, column)


class Sum(tuple):
    """`(name, payload...)`, and the value that it is of: an argument of other calls."""

    def __new__(cls, parts, value):
        made = super().__new__(cls, parts)
        made._value = value
        return made

    def __reduce__(self):
        return tuple, (tuple(self),)


@functools.lru_cache(maxsize=None)
def _record_type(names):
    made = collections.namedtuple("record", names, rename=True)
    made.__reduce__ = lambda self: (record, (names, tuple(self)))  # no module has these types
    return made


def record(names, fields):
    return _record_type(names)(*fields)
