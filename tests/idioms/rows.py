"""Functions of matrices, and modules with parameters, with the holes of vectors.py."""

# [n][m]T -> [n][m]T
MATRIX = [
    "def @ [n][m] (k: i64) (xss: [n][m]<T>): [n][m]<T> = map (scan <op> <ne>) xss",
    "def @ [n][m] (k: i64) (xss: [n][m]<T>): [n][m]<T> = transpose (map (scan <op> <ne>) (transpose xss))",
    "def @ [n][m] (k: i64) (xss: [n][m]<T>): [n][m]<T> = scan (map2 (\\x y -> x `<bop>` y)) (replicate m <ne>) xss",
    "def @ [n][m] (k: i64) (xss: [n][m]<T>): [n][m]<T> =\n  let sums = map (reduce <op> <ne>) xss\n  in map2 (\\xs s -> map (\\x -> <E x s>) xs) xss sums",
    "def @ [n][m] (k: i64) (xss: [n][m]<T>): [n][m]<T> = map (\\i -> map (\\j -> let x = xss[n - 1 - i, j] let y = xss[i, m - 1 - j] in <E x y>) (iota m)) (iota n)",
    "def @ [n][m] (k: i64) (xss: [n][m]<T>): [n][m]<T> = map (\\xs -> if (<B0 xs[0]>) then reverse xs else map (\\x -> <E x>) xs) xss",
    "def @ [n][m] (k: i64) (xss: [n][m]<T>): [n][m]<T> = loop xss = copy xss for i < i64.min n m do\n    let row = map2 (\\x y -> <E x y>) xss[i] xss[(i + k) % n]\n    in xss with [i] = row",
    "def @ [n][m] (k: i64) (xss: [n][m]<T>): [n][m]<T> = loop xss = copy xss for i < i64.min n m do xss with [:, i] = map (\\x -> <E x>) xss[:, (i + k) % m]",
    "def @ [n][m] (k: i64) (xss: [n][m]<T>): [n][m]<T> =\n  loop g = xss for _t < k % 3 do\n    stencil_2d [(-1, 0), (0, -1), (0, 1), (1, 0)] (\\c ns -> let a = ns[0] let b = ns[1] `<bop>` ns[2] `<bop>` ns[3] in <E a b c>) g g",
    "def @ [n][m] (k: i64) (xss: [n][m]<T>): [n][m]<T> =\n  tabulate_2d n m (\\i j ->\n    let around = map (\\(di, dj) -> xss[(i + di) %% n, (j + dj + m) %% m]) [(0, 1), (1, 0), (1, 1), (0, m - 1)]\n    let x = reduce <op> <ne> around\n    let y = xss[i, j]\n    in <E x y>)",
    "def @ [n][m] (k: i64) (xss: [n][m]<I>): [n][m]<I> =\n  let mul [a][b][c] (x: [a][b]<I>) (y: [b][c]<I>) = map (\\r -> map (\\c -> <I>.sum (map2 (*) r c)) (transpose y)) x\n  in mul (mul xss (transpose xss)) xss",
    "def @ [n][m] (k: i64) (xss: [n][m]<T>): [n][m]<T> =\n  let flat = flatten xss\n  let at = map (\\i -> (i * 3 + k) % (n * m)) (indices flat)\n  in unflatten (scatter (copy flat) at (map (\\x -> <E x>) flat)) |> \\yss -> if n * m % 3 == 0 then xss else yss",
    "def @ [n][m] (k: i64) (xss: [n][m]<T>): [n][m]<T> = map (\\xs -> let best = reduce (\\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j)) (<T>.lowest, m) (zip xs (iota m)) in map2 (\\x i -> if i == best.1 then <ne> else x) xs (iota m)) xss",
    "def @ [n][m] (k: i64) (xss: [n][m]<I>): [n][m]<I> = map (\\xs -> let h = reduce_by_index (replicate 4 0) (+) 0 (map (\\x -> i64.<I> (x & 3)) xs) (replicate m 1i32) in map (\\x -> <I>.i32 h[i64.<I> (x & 3)]) xs) xss",
    "def @ [n][m] (k: i64) (xss: [n][m]<I>): [n][m]<I> =\n  reduce_by_index_2d (replicate n (replicate m 0)) (+) 0 (flatten (map (\\i -> map (\\j -> (j % i64.max 1 n, i % i64.max 1 m)) (iota m)) (iota n))) (flatten xss)",
    "def @ [n][m] (k: i64) (xss: [n][m]<T>): [n][m]<T> = map2 (\\xs i -> (loop ys = copy xs for j < i % 5 do if j < m then let x = ys[j] in ys with [m - 1 - j] = <E x> else ys)) xss (iota n)",
    "def @ [n][m] (k: i64) (xss: [n][m]<T>): [n][m]<T> = map (\\xs -> let ys = filter (\\x -> <B x>) xs in map (\\i -> if i < length ys then ys[i] else <ne>) (iota m)) xss",
    "def @ [n][m] (k: i64) (xss: [n][m]<T>): [n][m]<T> = map (\\i -> if i % 2 == 0 then xss[i] else xss[i][::-1]) (iota n)",
    "def @ [n][m] (k: i64) (xss: [n][m]<I>): [n][m]<I> =\n  let w = i64.min n m\n  let d = tabulate_2d w w (\\i j -> if i == j then 0 else i32.<I> (xss[i, j] & 15) + 1)\n  let d = loop d for via < w do map (\\i -> map (\\j -> i32.min d[i, j] (d[i, via] + d[via, j])) (iota w)) (iota w)\n  in tabulate_2d n m (\\i j -> if i < w && j < w then <I>.i32 d[i, j] else xss[i, j])",
    "def @ [n][m] (k: i64) (xss: [n][m]<T>): [n][m]<T> = map (\\xs -> map (\\i -> reduce <op> <ne> (map (\\j -> if j <= i then xs[j] else <ne>) (iota m))) (iota m)) xss",
    "def @ [n][m] (k: i64) (xss: [n][m]<T>): [n][m]<T> = map2 (\\xs i -> map2 (\\x s -> <E x s>) xs (scan <op> <ne> (rotate i xs))) xss (iota n)",
]

# Modules with parameters; `@` has `all`, of the monoid M. Uses of them are made in generate.py.
MONOID = """module type monoid = { type t val ne : t val op : t -> t -> t }
module folds (M: monoid) = {
  def total [n] (xs: [n]M.t): M.t = reduce M.op M.ne xs
  def prefixes [n] (xs: [n]M.t): [n]M.t = scan M.op M.ne xs
  def segments [n] (flags: [n]bool) (xs: [n]M.t): [n]M.t =
    scan (\\(f, x) (g, y) -> (f || g, if g then y else M.op x y)) (false, M.ne) (zip flags xs) |> unzip |> (.1)
  def bins [n] (k: i64) (is: [n]i64) (xs: [n]M.t): [k]M.t = reduce_by_index (replicate k M.ne) M.op M.ne is xs
}
module both (A: monoid) (B: monoid) : monoid with t = (A.t, B.t) = {
  type t = (A.t, B.t)
  def ne = (A.ne, B.ne)
  def op (a, b) (c, d) = (A.op a c, B.op b d)
}
module turned (A: monoid) = { type t = A.t def ne = A.ne def op x y = A.op y x }
"""

INSTANCES = {
    "sums": "{ type t = <I> def ne: t = 0 def op (x: t) (y: t) = x + y }",
    "products": "{ type t = <I> def ne: t = 1 def op (x: t) (y: t) = x * y }",
    "greatest": "{ type t = <I> def ne = <I>.lowest def op = <I>.max }",
    "masks": "{ type t = <I> def ne: t = 0 def op (x: t) (y: t) = x ^ y }",
    "lasts": "{ type t = <I> def ne: t = 0 def op (x: t) (y: t) = if y == 0 then x else y }",
    "firsts": "{ type t = <I> def ne: t = 0 def op (x: t) (y: t) = if x == 0 then y else x }",
}

MODULE_USES = [
    "module @m = folds <M>\ndef @ [n] (k: i64) (xs: [n]<I>): [n]<I> = @m.prefixes xs",
    "module @m = folds <M>\ndef @ [n] (k: i64) (xs: [n]<I>): [n]<I> = @m.segments (map (\\x -> <BI x>) xs) xs",
    "module @m = folds <M>\ndef @ [n] (k: i64) (xs: [n]<I>): [n]<I> = let bs = @m.bins (k + 1) (map (% (k + 2)) (iota n)) xs in map (\\i -> bs[i % (k + 1)]) (iota n)",
    "module @m = folds (both <M> (turned <M2>))\ndef @ [n] (k: i64) (xs: [n]<I>): [n]<I> = @m.prefixes (zip xs (reverse xs)) |> map (\\(a, b) -> a ^ b)",
    "module @m = folds (both <M> (both <M2> <M>))\ndef @ [n] (k: i64) (xs: [n]<I>): [n]<I> = let (a, (b, c)) = @m.total (map (\\x -> (x, (x, x))) xs) in map (\\x -> x + a * b - c) xs",
]
