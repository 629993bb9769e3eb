"""Programs of Halo and Futhark from Python, with numpy arrays in and out.

    import halo, numpy as np
    prog = halo.compile("entry blur [n] (xs: [n]f32): [n]f32 = "
                        "stencil_1d [-1, 0, 1] (\\\\() v -> (v[0] + v[1] + v[2]) / 3) (rep ()) xs")
    ys = prog.blur(np.arange(10, dtype=np.float32))   # an Array: it stays where it was made
    prog.blur(ys)                                     # no transfer
    np.asarray(ys)                                    # fetches

Arrays are read in place. Their type must be the parameter's: Halo converts no arrays. Numbers take
the parameter's type if they fit. Records come as named tuples and go in as dicts or objects with
these attributes, sums come as `(name, payload...)`.
"""

import functools
import inspect
import operator
import os

from . import _native
from ._errors import (CallError, DivisionError, Error, FileError, OutOfRangeError, RejectedError,
                      UnsupportedError, UsageError)

__version__ = _native.version()
Array = _native.Array
__all__ = ["Array", "CallError", "DivisionError", "Error", "FileError", "OutOfRangeError",
           "Program", "RejectedError", "UnsupportedError", "UsageError", "compile", "device_put", "empty", "load"]


def _behave_as_numpy(array):
    """Operators of numpy on the fetched elements. Without them `xs == ys` would compare places in
    memory."""
    def add(name, function):
        setattr(array, f"__{name}__", lambda self, *other: function(self.numpy(), *other))

    for name in ("eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "abs", "invert"):
        add(name, getattr(operator, name))
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_",
                 "xor", "lshift", "rshift"):
        function, plain = getattr(operator, name), name.rstrip("_")
        add(plain, function)
        add("r" + plain, lambda own, other, function=function: function(other, own))
    add("bool", bool)
    array.__hash__ = None
    array.tolist = lambda self: self.numpy().tolist()


_behave_as_numpy(Array)


@functools.lru_cache(maxsize=None)
def _context(backend, device, fp, threads):
    return _native.Context(backend, device, fp, threads)


class Entry(functools.partial):
    """An entry of a program; call it. A call has no frame of Python's, which would take a quarter of
    the time of a small one."""

    def __new__(cls, native, number, *described):
        return super().__new__(cls, native.caller(number))

    def __init__(self, native, number, name, type, doc, parameters):
        self._read, self._place = native.read, native.place
        self._number = number
        self.__name__, self.type = name, type
        self.__doc__ = f"{name} : {type}" + (f"\n\n{doc}" if doc else "")
        kind = inspect.Parameter.POSITIONAL_ONLY
        names = [f"arg{i}" if not p.isidentifier() else p for i, p in enumerate(parameters)]
        self.__signature__ = inspect.Signature([inspect.Parameter(p, kind) for p in names])

    def place(self, *arguments):
        """The arguments in the memory that calls read, a GPU's too: a call with them copies nothing."""
        return self._place(self._number, *arguments)

    def read(self, text):
        """Arguments from text, as `halo run` reads them: `prog.f(*prog.f.read("#circle 5"))`."""
        return self._read(self._number, text)

    def __reduce__(self):
        raise TypeError("an entry of a halo program is not pickled: load the program where it is called")

    def __repr__(self):
        return f"<halo entry {self.__name__} : {self.type}>"


class Program:
    """A loaded program: its entries are its attributes."""

    def __init__(self, native):
        self._entries = {}
        for number, (name, type, doc, parameters) in enumerate(native.entries()):
            self._entries[name] = Entry(native, number, name, type, doc, parameters)

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._entries:
            known = ", ".join(self._entries) or f"none, `entry {name} ..` defines one"
            raise AttributeError(f"the program has no entry `{name}`; there are: {known}",
                                 name=name, obj=self)
        entry = self._entries[name]
        self.__dict__[name] = entry
        return entry

    def __getitem__(self, name):
        return self._entries[name]

    def __dir__(self):
        return list(self._entries)

    def __reduce__(self):
        raise TypeError("a halo program is not pickled: load it in each process")

    def __repr__(self):
        if not self._entries:
            return "<halo program without entries: `entry f ..` defines one>"
        return "<halo program: " + ", ".join(self._entries) + ">"


def load(path, backend="auto", device="", fp="default", threads=1):
    """The program in a file."""
    return Program(_native.Program(_context(backend, device, fp, threads), os.fspath(path), None))


def compile(text, name="program", backend="auto", device="", fp="default", threads=1):
    """A program from text; `name` is shown in errors, imports are relative to its folder."""
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"a program is text, not {type(text).__name__}")
    text = text if isinstance(text, bytes) else text.encode()
    return Program(_native.Program(_context(backend, device, fp, threads), name, text))


def device_put(array, backend="auto", device="", fp="default", threads=1):
    """A numpy array in the memory of an engine: calls of its programs read it without a copy."""
    import numpy
    if numpy.ma.is_masked(array):
        raise TypeError("an array with masked elements; `.filled(x)` puts x there")
    array = numpy.asarray(array)
    return _identity(array.dtype.name, array.ndim, backend, device, fp, threads).place(array)[0]


@functools.lru_cache(maxsize=None)
def _identity(dtype, rank, backend, device, fp, threads):
    names = {"int": "i", "uint": "u", "float": "f"}
    kind = dtype.rstrip("0123456789")
    scalar = names.get(kind, kind) + dtype[len(kind):]
    if scalar != "bool" and kind not in names:
        raise TypeError(f"halo has no type for arrays of {dtype}")
    text = f"entry array (xs: {'[]' * rank}{scalar}) = xs"
    return compile(text, "device_put", backend, device, fp, threads).array


def empty(shape, dtype):
    """An uninitialised numpy array whose memory every engine reads in place."""
    import numpy
    shape = [shape] if isinstance(shape, int) else list(shape)
    return _context("auto", "", "default", 1).empty(shape, numpy.dtype(dtype))


def load_ipython_extension(shell):
    """`%load_ext halo` gives `%%halo [BACKEND]`: a cell of definitions, whose entries become
    functions of the notebook."""
    def cell_magic(line, cell):
        program = compile(cell, name="cell", backend=line.strip() or "auto")
        for name in dir(program):
            shell.user_ns[name] = program[name]
        return program
    shell.register_magic_function(cell_magic, magic_kind="cell", magic_name="halo")
