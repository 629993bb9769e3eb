"""The package halo: values of all types and layouts, exceptions, threads, Ctrl-C, memory."""

import array
import copy
import os
import pathlib
import pickle
import re
import resource
import signal
import subprocess
import sys
import threading
import time

import halo
import numpy as np
import pytest

TYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
         "float32", "float64", "bool"]
NAMES = {"int": "i", "uint": "u", "float": "f"}


def name_of(dtype):
    kind, bits = re.fullmatch(r"([a-z]+)(\d*)", dtype).groups()
    return NAMES.get(kind, kind) + bits


@pytest.fixture(params=["cpu", "interp"])
def backend(request):
    return request.param


@pytest.mark.parametrize("dtype", TYPES)
def test_types_and_ranks(backend, dtype):
    name = name_of(dtype)
    entries = "".join(f"entry rank{r} (xs: {'[]' * r}{name}) = xs\n" for r in range(5))
    prog = halo.compile(entries, backend=backend)
    for rank in range(5):
        shape = (2, 3, 1, 4)[:rank]
        xs = (np.arange(int(np.prod(shape))).reshape(shape) % 2).astype(dtype)
        ys = prog[f"rank{rank}"](xs if rank else xs[()])
        assert ys.dtype == xs.dtype and ys.shape == xs.shape
        assert np.array_equal(np.asarray(ys), xs)


def layouts():
    base = np.arange(60, dtype=np.float32).reshape(5, 12)
    packed = np.frombuffer(b"x" + np.arange(12, dtype=np.float32).tobytes(), np.uint8)
    closed = base.copy()
    closed.flags.writeable = False
    return {"dense": base, "columns": np.asfortranarray(base), "reversed": base[::-1, ::-1],
            "every second": base[::2, 1::3], "none": base[:0], "none across": base[:, :0],
            "unaligned": packed[1:].view(np.float32).reshape(3, 4), "read-only": closed,
            "broadcast": np.broadcast_to(np.float32(3), (4, 5)),
            "subclass": np.asmatrix(base)}


@pytest.mark.parametrize("kind", layouts())
def test_layouts(backend, kind):
    prog = halo.compile("entry twice [n][m] (xs: [n][m]f32) = map (map (* 2)) xs", backend=backend)
    xs = layouts()[kind]
    assert np.array_equal(prog.twice(xs).numpy(), np.asarray(xs) * 2)


def test_nothing_is_copied():
    prog = halo.compile("entry sum (xs: []f64) = f64.sum xs", backend="cpu", threads=2)
    context = halo._context("cpu", "", "default", 2)
    xs = np.ones(5000)[8:-8]  # something lies behind
    before = context.copied_bytes()
    assert prog.sum(xs) == 4984
    assert context.copied_bytes() == before
    result = halo.compile("entry up (xs: []f64) = map (+ 1) xs", backend="cpu").up(xs)
    assert result.numpy().ctypes.data == result.numpy().ctypes.data
    assert not result.numpy().flags.writeable


def test_results_do_not_share_arguments():
    prog = halo.compile("entry same (xs: []i32) (y: i32) = (xs, y)", backend="interp")
    xs = np.arange(100, dtype=np.int32)
    ys, y = prog.same(xs, 7)
    xs[:] = 0
    assert ys.numpy()[99] == 99 and y == 7


def test_values_stay(backend):
    prog = halo.compile("entry step (xs: []f32) = map (* 0.5) xs", backend=backend)
    xs = np.full(1000, 8, np.float32)
    for _ in range(3):
        xs = prog.step(xs)
    assert len(xs) == 1000 and xs.ndim == 1 and xs[5] == 1
    assert "1.0" in repr(xs)


def test_records_and_sums(backend):
    prog = halo.compile("type s = #none | #some i32 f32\n"
                        "entry turn (p: {x: f32, y: f32}): {x: f32, y: f32} = {x = p.y, y = p.x}\n"
                        "entry pick (b: bool): s = if b then #some 3 4 else #none\n"
                        "entry first (s: s): i32 = match s case #some x _ -> x case #none -> -1\n"
                        "entry nested (t: #one s []i32 | #two []i32): i32 =\n"
                        "  match t case #one s xs -> first s + i32.sum xs case #two xs -> i32.sum xs\n"
                        "entry pair (p: (i32, []i32)): ([]i32, i32) = (p.1, p.0)\n",
                        backend=backend)
    turned = prog.turn({"x": 1.0, "y": 2.0})
    assert turned.x == 2 and prog.turn(turned).x == 1
    assert prog.pick(True) == ("some", 3, 4) and prog.pick(False) == ("none",)
    assert prog.first(*prog.first.read("#some 9 1")) == 9
    assert [prog.first(prog.pick(b)) for b in (True, False)] == [3, -1]  # a result is an argument
    assert pickle.loads(pickle.dumps(prog.pick(True))) == ("some", 3, 4)
    assert prog.first(("some", 3, 4)) == 3 and prog.first(("none",)) == -1
    assert prog.first(("some", np.int32(3), np.float32(4))) == 3
    for given, text in [(3, "not int: write .*first.read"), (("any",), "constructors are none, some"),
                        (("some", 3), "`some` takes 2 values"), (("some", 3.5, 4), "i32")]:
        with pytest.raises(TypeError, match=text):
            prog.first(given)
    assert prog.nested(("one", ("some", 5, 1.0), [1, 2])) == 8 and prog.nested(("two", [])) == 0
    with pytest.raises(TypeError, match="the dict has no `y`"):
        prog.turn({"x": 1.0})
    with pytest.raises(TypeError, match="which has no field 'z'"):
        prog.turn({"x": 1.0, "y": 2.0, "z": 3.0})
    copied = pickle.loads(pickle.dumps(turned))
    assert (copied.x, copied.y) == (2, 1)
    with pytest.raises(TypeError, match="not a tuple of 1"):
        prog.pair((5,))
    xs, x = prog.pair((5, [1, 2]))
    assert x == 5 and list(xs) == [1, 2]


def test_results_do_not_share_numpys_memory(backend):
    """A sum that holds an argument, read in place, is copied like other results."""
    prog = halo.compile("type~ s = #a ([]i32) | #b\n"
                        "entry wrap [n] (xs: [n]i32) (b: bool): s = if b then #a xs else #b\n"
                        "entry pair (xs: []i32) = (xs, 1i32)", backend=backend)
    xs = np.arange(3000, dtype=np.int32)
    wrapped, pair = prog.wrap(xs, True), prog.pair(xs)
    xs[0] = 99
    assert np.asarray(wrapped[1])[0] == 0 and np.asarray(pair[0])[0] == 0
    references = sys.getrefcount(xs)
    del wrapped, pair
    assert sys.getrefcount(xs) == references


def test_values_are_immutable():
    xs = halo.compile("entry f (n: i64) = iota n", backend="cpu").f(3)
    assert copy.copy(xs) is xs and copy.deepcopy([xs])[0] is xs
    with pytest.raises(TypeError, match="pickle its `numpy"):
        pickle.dumps(xs)
    assert list(pickle.loads(pickle.dumps(xs.numpy()))) == [0, 1, 2]


def test_calls_by_name_and_odd_texts():
    prog = halo.compile("entry f (a: i32) (b: i32) = a - b", backend="interp")
    with pytest.raises(TypeError, match=r"by their places: f\(a, b, /\)"):
        prog.f(a=2, b=1)
    with pytest.raises(TypeError, match="not a number of int64"):
        prog.f(np.int64(1), 2)
    with pytest.raises(UnicodeEncodeError):
        halo.compile("def main = \"\ud800\"")


def test_numbers():
    prog = halo.compile("entry f (a: u8) (b: f32) (c: bool) (d: i64) = (a, b, c, d)", backend="interp")
    assert prog.f(255, 1, True, -2) == (255, 1, True, -2)
    assert prog.f(np.uint8(3), np.float32(2), np.bool_(False), np.int64(4)) == (3, 2, False, 4)
    with pytest.raises(OverflowError, match="argument 1 of `f`"):
        prog.f(256, 1, True, 1)
    for wrong in [("1", 1, True, 1), (1, 1, 1, 1), (1, 1, True, 1.5), (np.int64(1), 1, True, 1)]:
        with pytest.raises(TypeError, match="of `f` is"):
            prog.f(*wrong)
    with pytest.raises(TypeError, match="takes 4 arguments"):
        prog.f(1)


def test_wrong_arrays():
    prog = halo.compile("entry f (xs: []f32) = f32.sum xs", backend="cpu")
    for wrong in [np.zeros(3), np.zeros((3, 3), np.float32), 3, "text", np.array(["a"])]:
        with pytest.raises(TypeError, match=r"argument 1 of `f` is \[.*\]f32"):
            prog.f(wrong)
    with pytest.raises(TypeError, match="long list"):
        prog.f([0.0] * 1001)
    assert prog.f([1, 2]) == 3
    masked = np.ma.array(np.ones(3, np.float32), mask=[False, True, False])
    with pytest.raises(TypeError, match="masked elements"):
        prog.f(masked)
    assert prog.f(masked.filled(0)) == 2 and prog.f(np.ma.array(np.ones(3, np.float32))) == 3


def test_programs_are_not_pickled():
    prog = halo.compile("entry f (x: i32) = x", backend="interp")
    for unpicklable in [prog, prog.f]:
        with pytest.raises(TypeError, match="not pickled: load "):
            pickle.dumps(unpicklable)
    with pytest.raises(TypeError, match="a program is text, not int"):
        halo.compile(3)


def test_exceptions(backend):
    with pytest.raises(halo.RejectedError) as caught:
        halo.compile("entry f (x: i32) =\n  x + y", name="a.fut")
    error = caught.value
    assert (error.code, error.file, error.line, error.column) == ("H3001", "a.fut", 2, 7)
    assert "2 |   x + y" in str(error) and error.notes == []
    with pytest.raises(halo.RejectedError) as caught:
        halo.compile("entry f (n: i32) = iota n")
    assert caught.value.notes == ["help: `i64.i32 x` converts an `i32` to `i64`"]
    prog = halo.compile("entry at (xs: []i32) (i: i64) = xs[i]\nentry div (x: i32) (y: i32) = x / y",
                        backend=backend)
    with pytest.raises(IndexError) as caught:
        prog.at([1, 2], 5)
    assert caught.value.code == "H7001" and isinstance(caught.value, halo.CallError)
    with pytest.raises(ZeroDivisionError):
        prog.div(1, 0)
    with pytest.raises(halo.UsageError):
        halo.load("none.fut")
    with pytest.raises(AttributeError, match="there are: at, div"):
        prog.none
    assert "without entries" in repr(halo.compile("def f (x: i32) = x"))
    with pytest.raises(AttributeError, match="there are: none, `entry f .."):
        halo.compile("def f (x: i32) = x").f
    with pytest.raises(TypeError, match=r"with 1 axis; `.astype\(np.int32\)` converts it"):
        prog.at(np.zeros(2), 1)
    with pytest.raises(TypeError, match="with 2 axes$"):
        prog.at(np.zeros((2, 2)), 1)


def test_documentation():
    prog = halo.compile("-- | Adds one.\nentry inc (number: i64): i64 = number + 1")
    assert "Adds one." in prog.inc.__doc__ and "i64 -> i64" in prog.inc.__doc__
    assert str(prog.inc.__signature__) == "(number, /)"
    assert dir(prog) == ["inc"]


def test_empty():
    xs = halo.empty((4, 5), np.float32)
    xs[:] = 3
    assert halo.compile("entry f (xs: [][]f32) = f32.sum (flatten xs)", backend="cpu").f(xs) == 60


class Foreign:
    """An array of a library that numpy knows by DLPack alone."""

    def __init__(self, array, device=1):
        self.array, self.device = array, device

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.device, 0


def test_dlpack(backend):
    prog = halo.compile("entry up (xs: []f32) = map (+ 1) xs", backend=backend)
    ys = prog.up(Foreign(np.arange(5, dtype=np.float32)))
    assert list(ys) == [1, 2, 3, 4, 5] and ys.device == "cpu"
    taken = np.from_dlpack(ys)
    assert list(taken) == [1, 2, 3, 4, 5]
    assert taken.ctypes.data != ys.numpy().ctypes.data  # memory of its own, which may be written
    with pytest.raises(BufferError, match="immutable"):
        ys.__dlpack__(copy=False)
    with pytest.raises(TypeError, match="in a device's memory"):
        prog.up(Foreign(np.zeros(3, np.float32), device=2))
    with pytest.raises(TypeError, match=r"is \[.*\]f32"):
        prog.up(Foreign(np.zeros(3)))


def test_array_interface(backend):
    """An array of another library that has numpy's protocol alone."""
    xs = np.arange(6, dtype=np.float32)

    class Other:
        def __init__(self, array):
            self.array = array
            self.__array_interface__ = array.__array_interface__

    prog = halo.compile("entry up (xs: []f32) = map (+ 1) xs", backend=backend)
    assert list(prog.up(Other(xs))) == [1, 2, 3, 4, 5, 6]
    assert list(prog.up(Other(xs[::-2]))) == [6, 4, 2]
    with pytest.raises(TypeError, match=r"is \[.*\]f32"):
        prog.up(Other(np.zeros(3)))


@pytest.mark.parametrize("backend", ["interp", "cpu", "gpu"])
def test_device_put(backend):
    xs = np.arange(5000, dtype=np.float32)
    kept = halo.device_put(xs, backend=backend)
    assert kept.device == ("gpu" if backend == "gpu" else "cpu")
    xs[:] = 0
    prog = halo.compile("entry sum (xs: []f32) = f32.sum xs", backend=backend)
    context = halo._context(backend, "", "default", 1)
    before = context.copied_bytes()
    assert prog.sum(kept) == 12497500 and context.copied_bytes() == before
    placed, k = halo.compile("entry f (xs: []i64) (k: i64) = i64.sum xs + k", backend=backend).f.place(
        [1, 2], 3)
    assert list(placed) == [1, 2]
    with pytest.raises(TypeError, match="no type for arrays of complex128"):
        halo.device_put(np.zeros(3, complex))


def test_threads():
    prog = halo.compile("entry sum (xs: []i64) = i64.sum xs", backend="cpu")
    found = []

    def work(n):
        for _ in range(50):
            found.append(prog.sum(np.arange(n)) == n * (n - 1) // 2)
    threads = [threading.Thread(target=work, args=(1000 + i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 400 and all(found)


def test_small_calls_are_quick():
    """Beside the engine: microseconds; the limit allows for a busy machine."""
    scalar = halo.compile("entry f (x: i64) = x + 1", backend="cpu").f
    array = halo.compile("entry f (xs: []f64) = length xs", backend="cpu").f
    xs = np.ones(8)
    for call, argument in ((scalar, 1), (array, xs)):
        call(argument)
        times = []
        for _ in range(20):
            begin = time.perf_counter()
            for _ in range(500):
                call(argument)
            times.append((time.perf_counter() - begin) / 500)
        print(f"{call}: {1e6 * min(times):.2f} us")
        assert min(times) < 100e-6


def test_types_are_described():
    """The stub has each public name."""
    stub = (pathlib.Path(halo.__file__).parent / "__init__.pyi").read_text()
    for name in halo.__all__:
        assert re.search(rf"^(class|def) {name}\b", stub, re.M), name
    for name in dir(halo.Array):
        if not name.startswith("_"):
            assert f"def {name}(self" in stub, name


def test_memory_stays_level():
    prog = halo.compile("entry up (xs: []f64) = map (+ 1) xs", backend="cpu")
    xs = np.ones(10000)
    count = sys.getrefcount(xs)
    for i in range(3000):
        prog.up(xs)
        if i == 500:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert sys.getrefcount(xs) == count
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20000


def test_fork_is_refused():
    prog = halo.compile("entry f (x: i64) = x", backend="cpu")
    child = os.fork()
    if child == 0:
        try:
            prog.f(1)
        except halo.UsageError:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_interrupt(backend):
    prog = halo.compile("entry f (n: i64): i64 = loop x = n while x >= 0 do (x + 1) % 1000",
                        backend=backend)
    prog.f(-1)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        prog.f(1)
    assert time.monotonic() - begin < 2  # 0.1 s after the signal on an idle machine
    assert prog.f(-1) == -1


def test_notebook_cells():
    class Shell:
        user_ns = {}

        def register_magic_function(self, function, magic_kind, magic_name):
            self.magic = function
    shell = Shell()
    halo.load_ipython_extension(shell)
    shell.magic("cpu", "entry twice (x: i64) = x * 2")
    assert shell.user_ns["twice"](4) == 8


@pytest.mark.parametrize("backend", ["interp", "cpu", "gpu"])
def test_same_bits_as_the_command(backend, tmp_path):
    text = "def main (xs: []f32) = (f32.sum (map f32.sin xs), map f32.exp xs)\n"
    (tmp_path / "p.fut").write_text(text)
    xs = np.linspace(0, 3, 50, dtype=np.float32)
    np.save(tmp_path / "xs.npy", xs)
    out = subprocess.run([os.environ["HALO"], "run", f"--backend={backend}", tmp_path / "p.fut", "-b",
                          "@" + str(tmp_path / "xs.npy")], capture_output=True, check=True).stdout
    total, ys = halo.load(tmp_path / "p.fut", backend=backend).main(xs)
    assert total.tobytes() in out and ys.numpy().tobytes() in out


def test_operators_are_numpys(backend):
    prog = halo.compile("entry double (xs: []f64) = map (* 2) xs", backend=backend)
    xs, same = prog.double([1, 2, 3]), prog.double([1, 2, 3])
    assert (xs == same).all() and (xs != [2, 4, 7]).tolist() == [False, False, True]
    assert (xs + 1).tolist() == [3, 5, 7] and (1 - xs).tolist() == [-1, -3, -5]
    assert (xs * same).tolist() == [4, 16, 36] and xs @ same == 56 and (-xs).tolist() == [-2, -4, -6]
    assert (np.ones(3) + xs).tolist() == [3, 5, 7] and (xs > 3).tolist() == [False, True, True]
    assert xs.tolist() == [2, 4, 6] and (xs ** 2)[2] == 36
    with pytest.raises(ValueError, match="ambiguous"):
        bool(xs)
    with pytest.raises(TypeError, match="unhashable"):
        hash(xs)


def test_bytes_are_arrays(backend):
    prog = halo.compile("entry size (xs: []u8) = length xs entry last (xs: []i32) = xs[length xs - 1]",
                        backend=backend)
    for text in (b"abc", bytearray(b"abc"), memoryview(b"abc"), np.frombuffer(b"abc", np.uint8)):
        assert prog.size(text) == 3
    assert prog.size(b"") == 0
    import array
    assert prog.last(array.array("i", [4, 5])) == 5
    with pytest.raises(TypeError, match=r"not str; `\.encode\(\)` makes bytes of it"):
        prog.size("abc")
    with pytest.raises(TypeError, match="is \\[d0\\]i32, not an array of uint8"):
        prog.last(b"abc")


def test_arrays_of_records(backend):
    prog = halo.compile("entry sum (xs: []{k: i64, v: f32}) = f32.sum (map (.v) xs)", backend=backend)
    structured = np.array([(1, 2.5), (2, 3)], dtype=[("k", np.int64), ("v", np.float32)])
    assert prog.sum(structured) == 5.5 and prog.sum(structured[::-1]) == 5.5
    assert prog.sum({"k": structured["k"], "v": structured["v"]}) == 5.5
    with pytest.raises(TypeError, match="not list: write a dict of arrays"):
        prog.sum([{"k": 1, "v": 2.0}])
    with pytest.raises(TypeError, match="not tuple: write a dict"):
        prog.sum(([1], [2.0]))
    with pytest.raises(TypeError, match="has no `v`"):
        prog.sum(structured[["k"]])


def test_numbers_beyond_a_float_type(backend):
    prog = halo.compile("entry a (x: f32) = x entry b (x: f16) = x entry c (x: f64) = x",
                        backend=backend)
    for call, number in ((prog.a, 1e39), (prog.a, -10**39), (prog.b, 65520.0), (prog.b, 70000),
                         (prog.c, 10**400)):
        with pytest.raises(OverflowError):
            call(number)
    assert prog.a(float("inf")) == np.inf and np.isnan(prog.b(float("nan")))
    assert prog.a(2**60 + 2**36 + 1) == np.float32(2**60 + 2**37)  # rounded once
    assert prog.a(3.4028235e38) == np.finfo(np.float32).max and prog.b(65504) == 65504


def test_lists_of_bools(backend):
    prog = halo.compile("entry f [n] (xs: [n]bool) = map (!) xs entry g [n][m] (xs: [n][m]bool) = map and xs "
                        "entry i [n] (xs: [n]i32) = xs entry x [n] (xs: [n]f32) = xs", backend=backend)
    assert prog.f([True, False, np.bool_(True)]).tolist() == [False, True, False] and prog.f([]).tolist() == []
    assert prog.g([[True, False], np.array([True, True])]).tolist() == [False, True]
    for call, mixed in ((prog.f, [1, 0]), (prog.f, [True, 7]), (prog.g, [[True], [0]]), (prog.f, [np.int8(1)]),
                        (prog.i, [1, True]), (prog.x, [True]), (prog.i, [np.bool_(True)])):
        with pytest.raises(TypeError, match="argument 1 of"):  # as for single values
            call(mixed)
    with pytest.raises(ValueError, match="argument 1 of `g` is a list with rows of different lengths"):
        prog.g([[True], [True, False]])
    with pytest.raises(TypeError, match="`i` takes 1 argument, not 2"):
        prog.i([1], 2)


def test_numbers_of_lists_fit_the_type(backend):
    prog = halo.compile("entry f [n] (xs: [n]f32) = xs entry h [n] (xs: [n]f16) = xs entry i [n] (xs: [n]i8) = xs "
                        "entry u [n] (xs: [n]u64) = xs entry m [n][k] (xs: [n][k]f32) = xs", backend=backend)
    for call, numbers in ((prog.f, [1.0, 1e39]), (prog.f, [-10**39]), (prog.h, [70000]), (prog.i, [127, 128]),
                          (prog.i, [-129]), (prog.u, [2**64]), (prog.u, [-1]), (prog.m, [[1, 2], (3, 1e39)]),
                          (prog.f, [np.float64(1e39)]), (prog.m, [np.array([1, 1e39])])):
        with pytest.raises(OverflowError, match="does not fit"):
            call(numbers)
    narrow = halo.compile("entry main [n] (xs: [n]i32) = xs", backend=backend)
    for number in (2**63 - 1, 2**63 - 2**31, 2**31):
        with pytest.raises(OverflowError, match="does not fit"):
            narrow.main([number])
    for call, numbers in ((prog.i, [1.5]), (prog.f, [None]), (prog.f, ["1"]), (prog.u, [2.0]),
                          (prog.f, [np.longdouble(1)]), (prog.m, [b"12"])):
        with pytest.raises(TypeError):
            call(numbers)
    assert prog.i([-128, 127]).tolist() == [-128, 127]
    assert prog.u([2**64 - 1, 0]).tolist() == [2**64 - 1, 0] and prog.f([]).tolist() == []
    assert prog.f([float("inf"), 1, np.float32(2)]).tolist() == [np.inf, 1, 2]
    assert prog.m([np.array([1, 2]), [3, 4.5]]).tolist() == [[1, 2], [3, 4.5]]
    assert prog.m([range(2), array.array("i", [3, 4])]).tolist() == [[0, 1], [3, 4]]
    endless = []
    endless.append(endless)
    with pytest.raises((ValueError, TypeError)):
        prog.f(endless)


def test_files_and_names_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="no readable file"):
        halo.load(tmp_path / "none.fut")
    with pytest.raises(TypeError, match="PathLike"):
        halo.load(3)
    prog = halo.compile("entry main (x: i32) = x", backend="cpu")
    with pytest.raises(AttributeError) as caught:
        prog.mian
    assert caught.value.name == "mian" and caught.value.obj is prog  # Python proposes `main`
