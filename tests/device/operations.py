"""Every operation of every type as programs of one line, for `run`.

A Program is a name, the text of its definitions behind the name, and which arguments it takes:
`pairs` (two arrays of its type, every value with every other), `values`, `triples`, `many` (thousands).
"""

import dataclasses
import struct

SIGNED = ["i8", "i16", "i32", "i64"]
UNSIGNED = ["u8", "u16", "u32", "u64"]
INTEGERS = SIGNED + UNSIGNED
FLOATS = ["f16", "f32", "f64"]
SCALARS = INTEGERS + FLOATS + ["bool"]


@dataclasses.dataclass
class Program:
    name: str
    type: str
    input: str
    text: str


# ---- arguments


def width(kind):
    return 1 if kind == "bool" else int(kind[1:])


def integers(kind):
    """Around every power of two, both ends, and some in between."""
    bits = width(kind)
    values = {0, 1, 2, 3, 5, 7, 10, 100, 0x55, 0x5555555555555555, 0x3A7F01C4B52D96E8, 0x9E3779B97F4A7C15}
    for k in (bits // 4, bits // 2, bits - 2, bits - 1):
        values |= {1 << k, (1 << k) - 1}
    values |= {-v for v in values}
    low = -(1 << (bits - 1)) if kind in SIGNED else 0

    def wrapped(v):
        v &= (1 << bits) - 1
        return v - (1 << bits) if v >= 1 << (bits - 1) and low < 0 else v

    return [f"{v}{kind}" for v in sorted({wrapped(v) for v in values})]


FORMATS = {"f16": ("<e", "<H"), "f32": ("<f", "<I"), "f64": ("<d", "<Q")}


def spell(kind, value):
    """A float by Python's shortest text, which reads back as the same number."""
    if value != value:
        return f"{kind}.nan"
    if value in (float("inf"), -float("inf")):
        return f"{'-' if value < 0 else ''}{kind}.inf"
    return f"{value!r}{kind}"


def rounded(kind, value):
    as_float = FORMATS[kind][0]
    try:
        return struct.unpack(as_float, struct.pack(as_float, value))[0]
    except OverflowError:
        return float("inf") if value > 0 else -float("inf")


def floats(kind):
    """Zeros, ends of every range, halves, neighbours of one, and numbers that use every bit."""
    as_float, as_bits = FORMATS[kind]
    fraction = {"f16": 10, "f32": 23, "f64": 52}[kind]
    one = struct.unpack(as_bits, struct.pack(as_float, 1.0))[0]
    infinity = struct.unpack(as_bits, struct.pack(as_float, float("inf")))[0]
    patterns = [1, 1 << fraction, (1 << fraction) - 1, infinity - 1, one - 1, one + 1]
    values = [struct.unpack(as_float, struct.pack(as_bits, p))[0] for p in patterns]
    values += [rounded(kind, v) for v in
               (0.0, 0.1, 0.5, 1.0, 1 / 3, 1.5, 2.0, 2.5, 3.0, 3.25, 7.7, 100.3, 255.0, 2049.0, 65519.0,
                1e-7, 6e-5, 3.14159265358979, 2147483647.0, 9.3e18, 1e-39, 1e-300, float("inf"))]
    values += [-v for v in values] + [float("nan")]
    texts = []
    for text in (spell(kind, v) for v in values):
        if text not in texts:
            texts.append(text)
    return texts


def values(kind):
    if kind == "bool":
        return ["true", "false"]
    return floats(kind) if kind in FLOATS else integers(kind)


def array(kind, elements):
    return "[" + ", ".join(elements) + "]" if elements else f"empty([0]{kind})"


def arguments(kind, shape):
    all_values = values(kind)
    if shape == "values":
        return array(kind, all_values)
    if shape == "many":
        step = max(len(all_values) // 2 - 1, 1) | 1
        return array(kind, [all_values[(i * step + i // 97) % len(all_values)] for i in range(3000)])
    pairs = [(a, b) for a in all_values for b in all_values]
    columns = list(zip(*pairs))
    if shape == "triples":
        columns.append([all_values[(5 * i + 3) % len(all_values)] for i in range(len(pairs))])
    return " ".join(array(kind, column) for column in columns)


# ---- operations


def unary(kind, name, body):
    return Program(f"{name}_{kind}", kind, "values", f"[n] (xs: [n]{kind}) = map (\\x -> {body}) xs")


def binary(kind, name, body):
    return Program(f"{name}_{kind}", kind, "pairs",
                   f"[n] (xs: [n]{kind}) (ys: [n]{kind}) = map2 (\\x y -> {body}) xs ys")


def ternary(kind, name, body):
    return Program(f"{name}_{kind}", kind, "triples",
                   f"[n] (xs: [n]{kind}) (ys: [n]{kind}) (zs: [n]{kind}) = map3 (\\x y z -> {body}) xs ys zs")


def whole(kind, name, body):
    return Program(f"{name}_{kind}", kind, "many", f"[n] (xs: [n]{kind}) = {body}")


COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def of_integers(t):
    for name, op in {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^", "shl": "<<", "shr": ">>",
                     "lshr": f"{t}.>>>", **COMPARISONS}.items():
        yield binary(t, name, f"x {op} y")
    for name, op in {"div": "/", "mod": "%", "quot": "//", "rem": "%%"}.items():
        yield binary(t, name, f"if y == 0 then x else x {op} y")
        yield binary(t, name + "_odd", f"x {op} (y | 1)")
        for constant in (0, 1, 7, 100) + ((-1, -7) if t in SIGNED else ()):
            yield unary(t, f"{name}_of_{constant}".replace("-", "m"), f"({constant}) {op} (x | 1)")
        for constant in (1, 3, 8, 10, 127) + ((-1, -3, -8) if t in SIGNED else ()):
            yield unary(t, f"{name}_by_{constant}".replace("-", "m"), f"x {op} ({constant})")
    yield binary(t, "pow", "x ** (y & 7)")
    for name in ("min", "max", "mul_hi"):
        yield binary(t, name, f"{t}.{name} x y")
    for name in ("neg", "abs", "sgn", "not", "popc", "clz", "ctz"):
        yield unary(t, name, f"{t}.{name} x")
    for name in ("popc", "clz", "ctz"):
        yield binary(t, name + "_sum", f"{t}.{name} (x + y)")
        yield binary(t, name + "_not", f"{t}.{name} (!(x & y))")
    for count in (0, 1, width(t) - 1, width(t)):
        for name, op in {"shl": "<<", "shr": ">>", "lshr": f"{t}.>>>"}.items():
            yield unary(t, f"{name}_by_{count}", f"x {op} {count}")
    yield binary(t, "chain", f"((x * y + x) >> 1) ^ ((x - y) {t}.>>> 2)")
    yield binary(t, "wrapped_compare", "x + y < x")
    yield unary(t, "loop", "loop a = x for i < 9i32 do a * 3 + (a >> 1)")
    yield binary(t, "bit", f"{t}.get_bit (i32.{t} (y & 7)) x")


LIBRARY = ["exp", "log", "log2", "log10", "log1p", "cbrt", "rsqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinpi",
           "cospi", "tanpi", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "gamma", "lgamma", "erf", "erfc"]
LIBRARY_OF_TWO = ["atan2", "hypot", "copysign", "nextafter", "min", "max"]


def of_floats(t):
    for name, op in {"add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%", "pow": "**", **COMPARISONS}.items():
        yield binary(t, name, f"x {op} y")
    for name in LIBRARY_OF_TWO:
        yield binary(t, name, f"{t}.{name} x y")
    for name in ["neg", "abs", "sgn", "sqrt", "floor", "ceil", "trunc", "round", "isnan", "isinf", "to_bits"] + LIBRARY:
        yield unary(t, name, f"{t}.{name} x")
    for constant in ("0", "-0.0", "1", "2", "3", "0.1", "3.25"):
        name = constant.replace(".", "_").replace("-", "m")
        yield unary(t, f"add_{name}", f"x + ({constant})")
        yield unary(t, f"mul_{name}", f"x * ({constant})")
        yield unary(t, f"div_of_{name}", f"({constant}) / x")
        yield unary(t, f"div_by_{name}", f"x / ({constant})")
        yield unary(t, f"pow_{name}", f"x ** ({constant})")
    yield ternary(t, "mul_add", "x * y + z")
    yield ternary(t, "fma", f"{t}.fma x y z")
    yield ternary(t, "quotients", "x / y + y / z + z / x")
    yield binary(t, "add_sub", "(x + y) - x")
    yield binary(t, "mul_div", "(x * y) / y")
    yield binary(t, "sqrt_less", f"{t}.sqrt x < y")
    yield binary(t, "sqrt_at_least", f"{t}.sqrt x >= y")
    yield unary(t, "sqrt_less_2", f"{t}.sqrt x <= 2")
    yield unary(t, "root_of_square", f"{t}.sqrt (x * x)")
    yield unary(t, "sum_of_inverses", f"{t}.sum (map (\\k -> 1 / (x + {t}.i64 k)) (iota 9))")
    yield unary(t, "loop_quotient", "loop a = x for i < 7i32 do 3.25 / a")
    yield unary(t, "loop_root", f"loop a = x for i < 7i32 do {t}.sqrt ({t}.abs a) + 0.1")
    yield unary(t, "loop_mul_add", "loop a = x for i < 7i32 do a * 0.75 + 0.1")
    for other in FLOATS:
        if other == t:
            continue
        yield unary(t, f"through_{other}", f"{t}.{other} ({other}.{t} x)")
        yield binary(t, f"sum_through_{other}", f"{t}.{other} ({other}.{t} (x + y)) * y")
        yield binary(t, f"product_in_{other}", f"{t}.{other} ({other}.{t} x * {other}.{t} y)")
        yield binary(t, f"product_seen_by_{other}", f"{other}.{t} (x * y)")
        yield binary(t, f"quotient_seen_by_{other}", f"{other}.{t} (x / y) + 1")
        yield unary(t, f"root_seen_by_{other}", f"{other}.{t} ({t}.sqrt x) * 3")
        yield unary(t, f"loop_through_{other}", f"loop a = x for i < 5i32 do {t}.{other} ({other}.{t} (a * 1.1) + 0.1)")


def conversions(t):
    for other in SCALARS:
        yield unary(t, f"to_{other}", f"{other}.{t} x")
        if t in INTEGERS and other in INTEGERS and t != other:
            yield unary(t, f"popc_as_{other}", f"{other}.popc ({other}.{t} x)")
            yield binary(t, f"sum_to_{other}", f"{other}.{t} (x + y)")
        if t in INTEGERS and other in FLOATS:
            yield unary(t, f"back_from_{other}", f"{t}.{other} ({other}.{t} x)")


def of_bools():
    for name, op in {"and": "&&", "or": "||", "eq": "==", "ne": "!="}.items():
        yield binary("bool", name, f"x {op} y")
    yield unary("bool", "not", "!x")


def sums(t, of_extrema=False):
    """Reductions, scans and histograms: of whole arrays, of segments, in bins, within a cell. Extrema of floats are
    the same in any order."""
    operators = [("+", "0"), ("*", "1")]
    extrema = [(f"{t}.min", f"{t}.highest"), (f"{t}.max", f"{t}.lowest")]
    if t in INTEGERS:
        operators += [*extrema, ("&", f"({t}.not 0)"), ("|", "0"), ("^", "0")]
    for op, neutral in extrema if of_extrema else operators:
        name = {"+": "add", "*": "mul", "&": "and", "|": "or", "^": "xor"}.get(op, op[-3:])
        fun = f"({op})"
        yield whole(t, f"reduce_{name}", f"reduce {fun} {neutral} xs")
        yield whole(t, f"scan_{name}", f"scan {fun} {neutral} xs")
        yield whole(t, f"segments_{name}", f"map (\\i -> reduce {fun} {neutral} (map (\\j -> xs[(7 * i + j) % n]) "
                                           "(iota 100))) (iota 40)")
        yield whole(t, f"scans_{name}", f"map (\\i -> scan {fun} {neutral} (map (\\j -> xs[(7 * i + j) % n]) "
                                        "(iota 100))) (iota 40)")
        yield whole(t, f"bins_{name}", f"reduce_by_index (replicate 17 ({neutral})) {fun} {neutral} "
                                       "(map (% 19) (iota n)) xs")
        yield whole(t, f"own_bins_{name}", f"map (\\i -> reduce_by_index (replicate 5 ({neutral})) {fun} {neutral} "
                                           "(map (% 7) (iota 30)) (map (\\j -> xs[(i + j) % n]) (iota 30))) (iota 50)")


def moves(t):
    yield whole(t, "filter", "let ys = filter (> 2) xs in (length ys, ys)")
    yield whole(t, "scatter", "scatter (replicate 500 (xs[0])) (map (\\i -> 3 * i) (iota n)) xs")
    yield whole(t, "transposed", f"transpose (unflatten (xs[:600] :> [20 * 30]{t}))")
    yield whole(t, "three", f"({t}.sum (map (\\i -> xs[3 * i]) (iota 3)), map (\\i -> xs[i] * xs[n - 1 - i]) (iota n))")


FOUND = [  # on NVIDIA's driver, where lavapipe was right
    Program("filter_and_bins", "i32", "many",
            "[n] (xs: [n]i32) = map (\\x -> let ys = filter (> x) (map (\\j -> x ^ i32.i64 j) (iota 12)) "
            "let bins = reduce_by_index (replicate 4 (-1)) (&) (-1) (map (% 5) (iota 12)) "
            "(map (\\j -> x + i32.i64 j) (iota 12)) in (i32.i64 (length ys), i32.sum ys, bins)) xs"),
    Program("filter_and_bins_u8", "u8", "many",
            "[n] (xs: [n]u8) = map (\\x -> let ys = filter (> x) (map (\\j -> x ^ u8.i64 j) (iota 12)) "
            "let bins = reduce_by_index (replicate 4 255) (&) 255 (map (% 5) (iota 12)) "
            "(map (\\j -> x + u8.i64 j) (iota 12)) in (length ys, u8.sum ys, bins)) xs"),
    Program("sgn_of_zero_divided", "i32", "values", "[n] (xs: [n]i32) = map (\\p -> i64.sgn (0 / (i64.i32 p | 1))) xs"),
    Program("zero_by_float", "f32", "values", "[n] (xs: [n]f32) = map (\\r -> 0 / (i64.f32 r | 1)) xs"),
    *[Program(f"negated_{t}", t, "many",
              f"[n] (xs: [n]{t}) = map (\\i -> loop (a, b) = ({t}.lowest, {t}.highest) for _j < n do "
              f"({t}.max a (-xs[(1 + i) % n]), {t}.min b (-xs[(1 + i) % n]))) (iota 5)")
      for t in SIGNED + FLOATS],
]


TENTHS = Program("tenths", "i64", "values",
                 "(_xs: []i64) = scan (+) 0f32 (map (\\i -> 0.1 * f32.i64 i) (iota 100))")


def files():
    """Programs by the name of their file. Those of `ordered` are compared under --fp=strict alone."""
    made = {}
    for t in INTEGERS:
        made["integers_" + t] = list(of_integers(t))
    for t in FLOATS:
        made["floats_" + t] = list(of_floats(t))
    for t in INTEGERS + FLOATS:
        made["conversions_" + t] = list(conversions(t))
        made[("ordered_" if t in FLOATS else "sums_") + t] = list(sums(t))
        made["moves_" + t] = list(moves(t)) + (list(sums(t, True)) if t in FLOATS else [])
    made["bools"] = list(of_bools()) + list(conversions("bool"))
    made["found"] = list(FOUND)
    made["ordered_tenths"] = [TENTHS]
    return made


def text_of(programs, write_argument):
    """A file with a test block for all entries that take the same arguments."""
    inputs = sorted({(p.type, p.input) for p in programs})
    text = ""
    for kind, shape in inputs:
        names = " ".join(p.name for p in programs if (p.type, p.input) == (kind, shape))
        text += f"-- ==\n-- entry: {names}\n-- input @ {write_argument(kind, shape)}\n"
    for p in programs:
        text += f"entry {p.name} {p.text}\n"
    return text
