"""Gradient checks (cli/session/testing/gradients.h) of generated programs: nests of maps, loops, reductions,
scans, histograms, scatters, gathers, slices, stencils, sums, records and operators in operators, each
over f64, so that differences tell whether a derivative is right. Each entry is one program; a seed
gives the same file every time.
Run as: derivatives.py HALO [--backend=interp,cpu] [--seed S] [--files K] [--entries N] [--keep FOLDER]"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

SIZES = {"n": 4, "m": 3}
PARAMETERS = "[n] [m] (k: f64) (xs: [n]f64) (ys: [m]f64) (a: [n][m]f64) (is: [n]i64)"
BOUNDARIES = ["#clamp", "#wrap", "#mirror", "(#constant $F)", "(#constant 0.5)"]
OPERATORS = [  # type, operator, neutral element, to pairs, from pairs
    ("f64", "(+)", "0", "$x", "$r"),
    ("f64", "(*)", "1", "$x", "$r"),
    ("f64", "f64.max", "(-1e9)", "$x", "$r"),
    ("f64", "f64.min", "1e9", "$x", "$r"),
    ("f64", "(\\p q -> p + q + p * q)", "0", "$x", "$r"),
    ("f64", "(\\p q -> f64.sqrt (p * p + q * q))", "0", "(1.5 + f64.sin $x)", "$r"),
    ("(f64, f64)", "(\\(p, q) (r, s) -> (p * r, q * r + s))", "(1, 0)", "($x, $y)", "$r.1"),
    ("(f64, f64)", "(\\(p, q) (r, s) -> (p + r, q * s))", "(0, 1)", "($x, $y)", "($r.0 * $r.1)"),
    ("(f64, i64)", "(\\(p, q) (r, s) -> if p < r || (p == r && q < s) then (p, q) else (r, s))",
     "(1e9, i64.highest)", "($x, 3)", "$r.0"),
    ("(i64, f64)", "(\\(p, q) (r, s) -> (p | r, if r == 1 then s else q + s))", "(0, 0)",
     "(i64.bool ($y > 0.5), $x)", "$r.1"),
    ("(f64, f64, f64, f64)",
     "(\\(p, q, r, s) (t, u, v, w) -> (p*t + q*v, p*u + q*w, r*t + s*v, r*u + s*w))",
     "(1, 0, 0, 1)", "($x, 0.5, $y, 1)", "($r.0 + $r.1 * $r.2)"),
    ("(f64, f64, f64, f64, f64)",
     "(\\(p, q, r, s, o) (t, u, v, w, z) -> "
     "(p*t + q*v, p*u + q*w, r*t + s*v, r*u + s*w, o + z))",
     "(1, 0, 0, 1, 0)", "($x, 0.5, $y, 1, $x)", "($r.0 + $r.3 * $r.4)"),
    ("[2]f64", "(map2 (+))", "[0, 0]", "[$x, $y]", "($r[0] * $r[1])"),
    ("[2]f64", "(map2 (*))", "[1, 1]", "[$x, $y]", "($r[0] + $r[1])"),
    ("[2]f64", "(map2 f64.max)", "[(-1e9), (-1e9)]", "[$x, $y]", "($r[0] + $r[1])"),
    ("[2]f64", "(\\p q -> [p[0] * q[0], p[1] * q[0] + q[1]])", "[1, 0]", "[$x, $y]", "$r[1]"),
    ("([2]f64, f64)", "(\\(p, q) (r, s) -> (map2 (+) p r, q * s))", "([0, 0], 1)",
     "([$x, $y], $y)", "($r.0[0] * $r.1)"),
    ("bool", "(||)", "false", "($x > $y)", "(f64.bool $r)"),
]


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0

    def name(self):
        self.names += 1
        return f"v{self.names}"

    def pick(self, options):
        return self.random.choice(options)

    # ---- numbers: a scope is a dict from names to types (f64, i64, or a tuple of sizes)

    def of(self, scope, type_):
        return [name for name, known in scope.items() if known == type_]

    def leaf(self, scope):
        options = self.of(scope, "f64") * 3
        for name, known in scope.items():
            if isinstance(known, tuple) and known:
                options.append(f"{name}[{', '.join(self.index(scope, size) for size in known)}]")
        return self.pick(options + [self.pick(["0.5", "1.25", "2", "(-0.75)"])])

    def index(self, scope, size):
        options = ["0", f"({size} - 1)"]
        for name in self.of(scope, "i64"):
            options += [f"({name} % {size})", f"(({name} + 1) % {size})",
                        f"({size} - 1 - {name} % {size})", f"(is[{name} % n] % {size})"]
        return self.pick(options)

    def number(self, scope, depth):
        if depth <= 0:
            return self.leaf(scope)
        x = lambda: self.number(scope, depth - self.random.randint(1, 2))
        options = [
            lambda: f"({x()} {self.pick(['+', '-', '*'])} {x()})",
            lambda: f"({x()} {self.pick(['+', '*'])} {x()})",
            lambda: f"({x()} / (2 + f64.sin {x()}))",
            lambda: f"f64.{self.pick(['sin', 'cos', 'tanh', 'atan', 'abs', 'erf'])} ({x()})",
            lambda: f"f64.exp (f64.sin ({x()}))",
            lambda: f"f64.{self.pick(['sqrt', 'log', 'cbrt', 'rsqrt'])} (1.5 + f64.cos ({x()}))",
            lambda: f"((1.5 + f64.sin ({x()})) ** {x()})" if depth < 3 else f"({x()} ** 2)",
            lambda: f"f64.{self.pick(['max', 'min', 'hypot', 'atan2'])} ({x()}) (1 + {x()})",
            lambda: f"(if {x()} > {x()} then {x()} else {x()})",
            lambda: self.let(scope, depth),
            lambda: self.reduce(scope, depth),
            lambda: self.reduce(scope, depth),
            lambda: f"f64.sum ({self.array(scope, (self.size(),), depth - 1)})",
            lambda: f"({self.array(scope, ('n',), depth - 1)})[{self.index(scope, 'n')}]",
            lambda: self.loop(scope, depth),
            lambda: self.until(scope, depth),
            lambda: self.sum_type(scope, depth),
            lambda: self.operator(scope, depth),
            lambda: self.filtered(scope, depth),
            lambda: f"{{p = {x()}, q = {x()}}}.{self.pick('pq')}",
        ]
        return "(" + self.pick(options)() + ")"

    def size(self):
        return self.pick(["n", "m"])

    def let(self, scope, depth):
        name, type_ = self.name(), self.pick(["f64", ("n",), ("n", "m"), ("m",)])
        value = self.value(scope, type_, depth - 1)
        return f"let {name} = {value} in {self.number({**scope, name: type_}, depth - 1)}"

    def value(self, scope, type_, depth):
        if type_ == "f64":
            return self.number(scope, depth)
        return self.array(scope, type_, depth)

    def text_of(self, type_):
        return type_ if isinstance(type_, str) else "".join(f"[{s}]" for s in type_) + "f64"

    def paired(self, scope, depth, size):
        """An operator and an array for it."""
        operator = self.pick(OPERATORS)
        x, y, = self.name(), self.name()
        element = operator[3].replace("$x", x).replace("$y", y)
        if "1.5" not in element and self.random.random() < 0.4:
            inner = {**scope, x: "f64", y: "f64"}
            part = self.number(inner, depth - 2)
            element = operator[3].replace("$x", f"({part})").replace("$y", y)
        first, second = (self.array(scope, (size,), depth - 1) for _ in range(2))
        return operator, f"(map2 (\\{x} {y} -> {element}) ({first}) ({second}))"

    def reduce(self, scope, depth):
        operator, elements = self.paired(scope, depth, self.size())
        name = self.name()
        neutral = operator[2]
        return (f"let {name} = reduce {operator[1]} {neutral} {elements} in "
                + operator[4].replace("$r", name))

    def loop(self, scope, depth):
        x, i = self.name(), self.name()
        steps = self.pick(["3", "2", "n", f"({self.index(scope, 'n')} + 1)", "0"])
        inner = {**scope, x: "f64", i: "i64"}
        body = self.number(inner, depth - 1)
        if self.random.random() < 0.4:
            y = self.name()
            inner[y] = ("m",)
            rows = self.array(inner, ("m",), depth - 1)
            return (f"let ({x}, {y}) = loop ({x}, {y}) = ({self.number(scope, depth - 2)}, "
                    f"{self.array(scope, ('m',), depth - 2)}) for {i} < {steps} do "
                    f"(f64.tanh ({body}), {rows}) in {x} + {y}[0]")
        return (f"loop {x} = {self.number(scope, depth - 2)} for {i} < {steps} do "
                f"f64.sin ({body})")

    def until(self, scope, depth):
        x, i = self.name(), self.name()
        body = self.number({**scope, x: "f64", i: "i64"}, depth - 1)
        bound = self.pick(["", "#[bound(8)] "])
        return (f"({bound}loop ({x}, {i}) = ({self.number(scope, depth - 2)}, 0i64) while {i} < 4 && "
                f"{x} < 3 do (1 + f64.abs ({x} + f64.sin ({body})), {i} + 1)).0")

    def sum_type(self, scope, depth):
        x, y = self.name(), self.name()
        make = (f"(if {self.number(scope, depth - 2)} > 0.2 then #one ({self.number(scope, depth - 1)})"
                f" else #two ({self.array(scope, ('m',), depth - 1)})) : (#one f64 | #two ([m]f64))")
        return (f"match ({make}) case #one {x} -> {self.number({**scope, x: 'f64'}, depth - 1)} "
                f"case #two {y} -> {self.number({**scope, y: ('m',)}, depth - 1)}")

    def operator(self, scope, depth):
        """A derivative in the program."""
        type_ = self.pick(["f64", "f64", ("n",), ("m",)])
        x = self.name()
        body = self.number({**scope, x: type_}, depth - 1)
        at = self.value(scope, type_, depth - 2)
        if self.random.random() < 0.5:
            call = f"jvp (\\{x} -> {body}) ({at}) ({self.value(scope, type_, 0)})"
            return f"0.1 * ({call})"
        call = f"vjp (\\{x} -> {body}) ({at}) ({self.leaf(scope)})"
        return f"0.1 * ({call})" if type_ == "f64" else f"0.1 * f64.sum ({call})"

    def filtered(self, scope, depth):
        x = self.name()
        kept = f"filter (\\{x} -> {x} > 0.3) ({self.array(scope, (self.size(),), depth - 1)})"
        inner = self.number({**scope, x: "f64"}, depth - 2)
        return f"f64.sum (map (\\{x} -> {inner}) ({kept}))"

    # ---- arrays

    def array(self, scope, shape, depth):
        known = [name for name, type_ in scope.items() if type_ == shape]
        if depth <= 0 and known:
            return self.pick(known)
        if depth <= -2 or (depth <= 0 and not known):
            return self.tabulated(scope, shape, -3)
        return "(" + (self.vector if len(shape) == 1 else self.matrix)(scope, shape, depth) + ")"

    def tabulated(self, scope, shape, depth):
        indices = [self.name() for _ in shape]
        inner = {**scope, **{i: "i64" for i in indices}}
        sizes = " ".join(shape)
        kind = "" if len(shape) == 1 else f"_{len(shape)}d"
        return (f"(tabulate{kind} {sizes} (\\{' '.join(indices)} -> "
                f"{self.number(inner, depth) if depth > -3 else self.leaf(inner)}))")

    def vector(self, scope, shape, depth):
        size = shape[0]
        xs = lambda shape=shape: self.array(scope, shape, depth - 1)
        x, y, i = self.name(), self.name(), self.name()
        cell = lambda names: self.number({**scope, **names}, depth - 1)
        other = "m" if size == "n" else "n"
        options = [
            lambda: f"map (\\{x} -> {cell({x: 'f64'})}) ({xs()})",
            lambda: f"map2 (\\{x} {y} -> {cell({x: 'f64', y: 'f64'})}) ({xs()}) ({xs()})",
            lambda: self.tabulated(scope, shape, depth - 1),
            lambda: f"map (\\{x} -> {cell({x: (other,)})}) ({xs((size, other))})",
            lambda: f"map f64.{self.pick(['sum', 'product', 'maximum'])} ({xs((size, other))})",
            lambda: self.scan(scope, shape, depth),
            lambda: self.scan(scope, shape, depth),
            lambda: self.hist(scope, shape, depth),
            lambda: self.hist(scope, shape, depth),
            lambda: self.scatter(scope, shape, depth),
            lambda: f"reverse ({xs()})",
            lambda: f"rotate 1 ({xs()})",
            lambda: f"({xs()} ++ {xs((other,))})[1:][:{size}] :> [{size}]f64",
            lambda: f"({xs()} ++ {xs()})[::2] :> [{size}]f64",
            lambda: f"({xs()} ++ {xs()})[{size}:] :> [{size}]f64",
            lambda: f"(flatten ({xs((size, other))}))[::{other}] :> [{size}]f64",
            lambda: f"({xs((size, other))})[:, {self.index(scope, other)}]",
            lambda: f"(transpose ({xs((size, other))}))[{self.index(scope, other)}]",
            lambda: f"let {x} = {xs()} in map (\\{i} -> {x}[{i} % {size}]) "
                    + ("is" if size == "n" else "(iota m)"),
            lambda: self.in_place(scope, shape, depth),
            lambda: self.in_place(scope, shape, depth),
            lambda: self.steps(scope, shape, depth),
            lambda: self.stencil(scope, shape, depth),
            lambda: f"if {self.number(scope, depth - 2)} > 0.4 then {xs()} else {xs()}",
            lambda: f"reduce (map2 (+)) (replicate {size} 0) ({xs((other, size))})",
            lambda: f"vjp (\\{x} -> {cell({x: shape})}) ({xs()}) {self.leaf(scope)}",
            lambda: f"jvp (\\{x} -> {self.array({**scope, x: shape}, shape, depth - 1)}) ({xs()}) ({xs()})",
            lambda: f"merge_sort (<=) ({xs()})",
            lambda: f"(unzip (map (\\{x} -> ({cell({x: 'f64'})}, {x})) ({xs()}))).{self.pick('01')}",
            lambda: f"let {x} = pad_1d 1 2 ({self.boundary(scope)}) ({xs()}) in "
                    f"{x}[{self.pick(['0', '1', '2', '3'])}:][:{size}] :> [{size}]f64",
            lambda: f"map f64.sum (slide_1d 2 1 ({xs()} ++ [{self.leaf(scope)}]) :> [{size}][2]f64)",
        ]
        return self.pick(options)()

    def matrix(self, scope, shape, depth):
        rows, columns = shape
        x, y, i = self.name(), self.name(), self.name()
        row = lambda names: self.array({**scope, **names}, (columns,), depth - 1)
        xs = lambda shape=shape: self.array(scope, shape, depth - 1)
        options = [
            lambda: f"map (\\{x} -> {row({x: (columns,)})}) ({xs()})",
            lambda: f"map (\\{x} -> {row({x: 'f64'})}) ({xs((rows,))})",
            lambda: self.tabulated(scope, shape, depth - 1),
            lambda: f"transpose ({xs((columns, rows))})",
            lambda: f"map2 (map2 (\\{x} {y} -> "
                    f"{self.number({**scope, x: 'f64', y: 'f64'}, depth - 1)})) ({xs()}) ({xs()})",
            lambda: f"map (\\{i} -> {row({i: 'i64'})}) (iota {rows})",
            lambda: f"scan (map2 (+)) (replicate {columns} 0) ({xs()})",
            lambda: f"scan (map2 (*)) (replicate {columns} 1) ({xs()})",
            lambda: f"reverse ({xs()})",
            lambda: f"map reverse ({xs()})",
            lambda: f"unflatten (flatten ({xs((columns, rows))}) :> [{rows} * {columns}]f64)",
            lambda: f"scatter (copy ({xs()})) {self.places(rows)} ({xs()})",
            lambda: f"(copy ({xs()})) with [{self.index(scope, rows)}] = {self.array(scope, (columns,), depth - 1)}",
            lambda: f"(copy ({xs()})) with [:, {self.index(scope, columns)}] = {self.array(scope, (rows,), depth - 1)}",
            lambda: self.steps(scope, shape, depth),
            lambda: self.stencil(scope, shape, depth),
            lambda: f"let {x} = {xs()} let {y} = {xs((columns, rows))} in map (\\{x} -> "
                    f"map (\\{y} -> f64.sum (map2 (*) {x} {y})) (transpose (map (\\{i} -> "
                    f"{self.array({**scope, i: (rows,)}, (columns,), 0)}) {y}))) {x}",
            lambda: f"if {self.number(scope, depth - 2)} > 0.4 then {xs()} else {xs()}",
        ]
        return self.pick(options)()

    def places(self, size):
        options = [f"(map (\\p -> (p * 2) % {size}) (iota {size}))", f"(iota {size})",
                   f"(map (\\p -> {size} - p) (iota {size}))", f"(map (+ 1) (iota {size}))"]
        return self.pick(options + (["is", "is"] if size == "n" else []))

    def boundary(self, scope):
        return self.pick(BOUNDARIES).replace("$F", self.leaf(scope))

    def scan(self, scope, shape, depth):
        operator, elements = self.paired(scope, depth, shape[0])
        name = self.name()
        kind = self.pick(["scan", "scan", "exscan"])
        return (f"map (\\{name} -> {operator[4].replace('$r', name)}) "
                f"({kind} {operator[1]} {operator[2]} {elements})")

    def hist(self, scope, shape, depth):
        many = self.size()
        operator, elements = self.paired(scope, depth, many)
        name = self.name()
        start = f"replicate {shape[0]} {operator[2]}"
        if self.random.random() < 0.5:
            own, start = self.paired(scope, depth, shape[0])
            while own is not operator:
                own, start = self.paired(scope, depth, shape[0])
        return (f"map (\\{name} -> {operator[4].replace('$r', name)}) (reduce_by_index ({start}) "
                f"{operator[1]} {operator[2]} {self.places(many)} {elements})")

    def scatter(self, scope, shape, depth):
        many = self.size()
        return (f"scatter (copy ({self.array(scope, shape, depth - 1)})) {self.places(many)} "
                f"({self.array(scope, (many,), depth - 1)})")

    def in_place(self, scope, shape, depth):
        x, i = self.name(), self.name()
        inner = {**scope, x: shape, i: "i64"}
        at = self.pick([i, i, f"(({i} + 1) % {shape[0]})", "0", f"({shape[0]} - 1 - {i})"])
        step = f"{x} with [{at}] = f64.sin ({self.number(inner, depth - 1)})"
        if self.random.random() < 0.3:
            step = f"if {self.number(inner, 1)} > 0.3 then {step} else {x}"
        if self.random.random() < 0.3:
            step = f"let {x} = {step} in {x} with [0] = {x}[{at}] * {self.leaf({**scope, i: 'i64'})}"
        hint = self.pick(["", "", "#[stripmine(2)] ", "#[checkpoint(2)] "])
        return (f"{hint}loop {x}: *{self.text_of(shape)} = copy ({self.array(scope, shape, depth - 1)}) "
                f"for {i} < {shape[0]} do {step}")

    def steps(self, scope, shape, depth):
        x, i = self.name(), self.name()
        inner = {**scope, x: shape, i: "i64"}
        hint = self.pick(["", "", "#[stripmine(2)] ", "#[checkpoint(2)] "])
        cell = self.name()
        damped = f"f64.sin {cell}" if self.random.random() < 0.5 else f"0.5 * {cell}"
        body = f"(\\{cell} -> {damped})"
        whole = f"map {body}" if len(shape) == 1 else f"map (map {body})"
        return (f"{hint}loop {x}: {self.text_of(shape)} = {self.array(scope, shape, depth - 1)} for {i} < "
                f"{self.pick(['3', '2', '5', 'n'])} do {whole} ({self.array(inner, shape, depth - 1)})")

    def stencil(self, scope, shape, depth):
        c, v, rank = self.name(), self.name(), len(shape)
        reach = lambda: self.random.randint(-2, 2)
        offset = lambda: str(reach()) if rank == 1 else f"({reach()}, {reach()})"
        offsets = ", ".join(offset() for _ in range(3))
        if self.random.random() < 0.3:
            offsets = "-1, 0, 1" if rank == 1 else "(-1, 0), (0, 0), (1, 0)"
        boundary = self.boundary(scope) if rank == 1 else \
            f"({self.boundary(scope)}, {self.boundary(scope)})"
        cell = self.pick([f"{v}[0] + 2 * {v}[1] - 0.5 * {v}[2]", f"{v}[0] * {v}[1] + {v}[2]",
                          f"{c} * ({v}[0] + {v}[2]) + {v}[1]", f"f64.sin {v}[0] * {c} + {v}[1] * {v}[2]"])
        return (f"stencil_{rank}d_with {boundary} [{offsets}] (\\{c} {v} -> {cell}) "
                f"({self.array(scope, shape, depth - 1)}) ({self.array(scope, shape, depth - 1)})")

    # ---- programs

    def numbers(self, count):
        special = self.random.random() < 0.15
        pool = ["0.0", "1.0", "-1.0", "0.5", "2.0"]
        return [self.pick(pool) if special else f"{self.random.uniform(-1.5, 1.5):.4f}"
                for _ in range(count)]

    def input(self):
        n, m = SIZES["n"], SIZES["m"]
        row = lambda count: "[" + ", ".join(self.numbers(count)) + "]"
        places = ", ".join(f"{self.random.randint(-1, n)}i64" for _ in range(n))
        if self.random.random() < 0.7:
            places = ", ".join(f"{self.random.randint(0, n - 1)}i64" for _ in range(n))
        rows = ", ".join(row(m) for _ in range(n))
        return f"{{ {self.numbers(1)[0]} {row(n)} {row(m)} [{rows}] [{places}] }}"

    def entry(self, name, depth):
        scope = {"k": "f64", "xs": ("n",), "ys": ("m",), "a": ("n", "m")}
        type_ = self.pick(["f64", ("n",), ("n",), ("m",), ("n", "m")])
        body = self.value(scope, type_, depth)
        return (f"-- ==\n-- entry: {name}\n-- input {self.input()}\n"
                f"entry {name} {PARAMETERS}: {self.text_of(type_)} =\n  {body}\n")


def file_text(seed, entries, depth):
    generator = Generator(seed)
    return "\n".join(generator.entry(f"e{i}", depth) for i in range(entries))


def check(halo, backends, path, limit):
    command = [halo, "test", "--derivatives", f"--backend={backends}", str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return ["took too long"]
    out = done.stdout + done.stderr
    wrong = [one for one in re.split(r"^(?=FAIL )", out, flags=re.M) if one.startswith("FAIL ")]
    if done.returncode not in (0, 1) or " passed" not in out:
        wrong.append(out)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("halo")
    parser.add_argument("--backend", default="interp,cpu")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=1)
    parser.add_argument("--entries", type=int, default=20)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        place = arguments.keep or pathlib.Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        for seed in range(arguments.seed, arguments.seed + arguments.files):
            path = place / f"d{seed}.fut"
            path.write_text(file_text(seed, arguments.entries, arguments.depth))
            for one in check(arguments.halo, arguments.backend, path, 600):
                bad += 1
                print(f"seed {seed}: {one[:3000]}", flush=True)
    print(f"{arguments.files * arguments.entries} programs, {bad} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
