"""Random scalar expressions: what a program computes for one element."""

INTEGERS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
FLOATS = ["f16", "f32", "f64"]
SCALARS = INTEGERS + FLOATS

BITS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "u8": 8, "u16": 16, "u32": 32, "u64": 64}


class Scalars:
    """Expressions over named variables; `rng` decides everything."""

    def __init__(self, rng):
        self.rng = rng
        self.fresh = 0

    def name(self, stem):
        self.fresh += 1
        return f"{stem}{self.fresh}"

    def literal(self, of):
        if of == "bool":
            return self.rng.choice(["true", "false"])
        if of in FLOATS:
            return self.rng.choice(["0", "1", "0.5", "2", "3.25", "10", "0.1"]) + of
        small = self.rng.randrange(0, 8)
        highest = (1 << (BITS[of] - (1 if of[0] == "i" else 0))) - 1
        return f"{self.rng.choice([small, small, small, highest, highest // 3, 1 << (BITS[of] - 2)])}{of}"

    def variable(self, of, scope):
        """A variable of the type; else a conversion of one; else a literal."""
        own = [name for name, kind in scope if kind == of]
        if own and self.rng.random() < 0.8:
            return self.rng.choice(own)
        others = [(name, kind) for name, kind in scope if kind in SCALARS and kind != of]
        if of in SCALARS and others and self.rng.random() < 0.7:
            name, kind = self.rng.choice(others)
            if kind in FLOATS and of in INTEGERS:  # beyond the range engines may differ on
                return f"{of}.{kind} ({kind}.min 9 ({kind}.max (-9) {name}))" if of[0] == "i" else \
                       f"{of}.{kind} ({kind}.min 9 ({kind}.max 0 {name}))"
            return f"{of}.{kind} {name}"
        return self.rng.choice(own) if own and self.rng.random() < 0.7 else self.literal(of)

    def condition(self, scope, depth):
        kind = self.rng.choice([kind for _, kind in scope if kind in SCALARS] or ["i32"])
        left, right = self.make(kind, scope, depth - 1), self.make(kind, scope, depth - 1)
        compared = f"{left} {self.rng.choice(['==', '!=', '<', '<=', '>', '>='])} {right}"
        if depth > 1 and self.rng.random() < 0.3:
            joined = self.rng.choice(["&&", "||"])
            return f"({compared}) {joined} ({self.condition(scope, depth - 1)})"
        return compared

    def make(self, of, scope, depth):
        """An expression of type `of`, closed by brackets where needed."""
        if depth <= 0:
            return self.atom(of, scope)
        if of == "bool":
            return f"({self.condition(scope, depth)})"
        form = self.rng.random()

        def part():
            return self.make(of, scope, depth - 1)

        if form < 0.12:
            return f"(if {self.condition(scope, depth)} then {part()} else {part()})"
        if form < 0.2:
            name = self.name("t")
            return f"(let {name} = {part()} in {self.make(of, scope + [(name, of)], depth - 1)})"
        if form < 0.26:
            name, other = self.name("a"), self.name("b")
            body = self.make(of, scope + [(name, of), (other, of)], depth - 1)
            return f"((\\({name}: {of}) ({other}: {of}) -> {body}) {part()} {part()})"
        if form < 0.32:
            steps = self.rng.randrange(0, 5)
            name, counter = self.name("s"), self.name("step")
            inner = scope + [(name, of), (counter, "i32")]
            return f"(loop {name} = {part()} for {counter} < {steps}i32 do {self.make(of, inner, depth - 1)})"
        if form < 0.38:
            return f"(match {self.make('i32', scope, depth - 1)} case 0 -> {part()} case -1 -> {part()} " \
                   f"case _ -> {part()})"
        if form < 0.44:
            return f"({of}.{self.rng.choice(['min', 'max'])} {self.atom(of, scope)} {self.atom(of, scope)})"
        if form < 0.5:
            return f"({of}.{self.rng.choice(['abs', 'neg', 'sgn'])} {self.atom(of, scope)})"
        if of in FLOATS:
            return f"({part()} {self.rng.choice('+-*')} {part()})"
        if form < 0.62:
            return f"({part()} {self.rng.choice(['/', '%', '//', '%%'])} ({part()} | 1))"
        if form < 0.72:
            return f"({part()} {self.rng.choice(['<<', '>>'])} ({self.atom(of, scope)} & {BITS[of] - 1}))"
        if form < 0.78:
            counted = self.rng.choice(["popc", "clz", "ctz"])
            return f"({of}.i32 ({of}.{counted} {self.atom(of, scope)}))"
        return f"({part()} {self.rng.choice(['+', '-', '*', '&', '|', '^'])} {part()})"

    def atom(self, of, scope):
        text = self.variable(of, scope)
        return f"({text})" if " " in text else text
