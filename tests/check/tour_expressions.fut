-- Many forms of definitions and expressions, all of which check.
def dotprod [n] (xs: [n]f32) (ys: [n]f32) = f32.sum (map2 (*) xs ys)
def matmul [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 = map (\r -> map (dotprod r) (transpose b)) a
def compose '^a '^b '^c (f: a -> b) (g: b -> c) (x: a) : c = g (f x)
def twice = \f x -> f (f x)
def pick 't [n] (xs: [n]t) (i: i64) : t = xs[i]
type pair 'a 'b = (a, b)
def swap 'a 'b ((x, y): pair a b) : pair b a = (y, x)
type~ sized_arr 'a = ?[k].[k]a
def mk (n: i64) : sized_arr i32 = replicate n 1
def use_mk (n: i64) = length (mk n)
type point = {x: f32, y: f32}
def norm ({x, y}: point) = f32.sqrt (x * x + y * y)
def upd (p: point) = p with x = 2
def idx2 [n] [m] (xss: [n][m]i32) = (xss[0], xss[:, 0], xss[1:3, 0:2], xss[0, 1])
def inplace (n: i64) = let xs = replicate n 0i32 let xs[0] = 1 let xs[1:3] = [2, 3] in xs
def loop1 (n: i32) = loop (a, b) = (0, 1) for _i < n do (b, a + b)
def loop2 (xs: []i32) = loop acc = 0 for x in xs do acc + x
def loop3 (x: i32) = loop x while x > 10 do x / 2
def loop4 [n] (xs: *[n]i32) = loop xs for i < n do xs with [i] = i32.i64 i
def fact (n: i32) : i32 = if n <= 1 then 1 else n * fact (n - 1)
def hof (f: i32 -> i32) (g: i32 -> i32) = f >-> g
def sect = map (\x -> x) >-> map (+ 1i32) >-> filter (> 0)
def pipes (xs: []i32) = xs |> map (+ 1) |> filter (> 2) |> length
def reduce_tup [n] (xs: [n](i32, f32)) = reduce (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) xs
def argmax [n] (xs: [n]i32) = reduce (\(i, x) (j, y) -> if x > y then (i, x) else (j, y)) (-1, i32.lowest) (zip (iota n) xs)
def hist1 [n] (is: [n]i64) = reduce_by_index (replicate 10 0i32) (+) 0 is (replicate n 1)
def scat [n] (is: [n]i64) (vs: [n]i32) = scatter (replicate n 0) is vs
def exp1 = 2.0 ** 3.0f32
def neg x = -x + 1i32
def str = "hello"
def nested = map (map (+ 1i32)) [[1, 2], [3, 4]]
def ranges (n: i64) = (0..<n, 0...n, n..>0, 0..2..<n, 10..9...1)
def tab (n: i64) (m: i64) = tabulate_2d n m (\i j -> i * j)
def fold = foldl (+) 0i32

def seg [n] 't (op: t -> t -> t) (ne: t) (arr: [n](t, bool)) : [n]t =
  let (res, _) = unzip (scan (\(x, a) (y, b) -> (if b then y else x `op` y, a || b)) (ne, false) arr) in res

def op2 (x: i32) (y: i32) = x + y
def infix = 1 `op2` 2
def (+^) (x: i32) (y: i32) = x * y
def useop = 2 +^ 3
def (x: f32) <+> (y: f32) = x + y
def useop2 = 2 <+> 3
def letpoly = let id 'a (x: a) = x in (id 1i32, id true)
def cond (x: i32) = if x < 0 then "neg" else if x == 0 then "zer" else "pos"
def fst 'a 'b (x: a, _: b) = x
def partial = map2 (+) [1, 2, 3i32]
def app = partial [4, 5, 6]
def arr2 (n: i64) : [n][n]i32 = replicate n (replicate n 0)
def unfl (xs: [12]i32) : [3][4]i32 = unflatten xs
def flat [n] [m] (xs: [n][m]i32) = flatten xs
def iter = iterate 3 (\x -> x + 1i32) 0
def coerce1 (xs: []i32) = let n = length xs in (xs :> [n]i32)
def zipWith3 = map3 (\a b c -> a + b + c : i32)
def sumrec (n: i64) : i64 = if n == 0 then 0 else n + sumrec (n - 1)
type^ fn 'a = a -> a
def appfn 'a (f: fn a) (x: a) : a = f x
type opt 'a = #some a | #none
def map_opt 'a 'b (f: a -> b) (o: opt a) : opt b = match o case #some x -> #some (f x) case #none -> #none
def from_opt 'a (d: a) (o: opt a) : a = match o case #none -> d case #some x -> x

def find_first [n] 'a (p: a -> bool) (xs: [n]a) : opt a =
  loop acc: opt a = #none for x in xs do match acc case #some _ -> acc case #none -> if p x then #some x else #none

def tuple_match (x: (i32, opt i32)) = match x case (0, #some y) -> y case (n, #none) -> n case (n, #some m) -> n + m
def m1 (b: opt i32) = match b case #some (x: i32) -> x case _ -> 0
def rs (xs: [][]i32) = map (reduce (+) 0) xs
def bb = !true && (false || true)
def shifts (x: u32) = (x << 3) ^ (x >> 2) | (x & 0xff)
def f (x: i64) : f64 = f64.i64 x
def tri (n: i64) = map (\i -> i32.sum (map i32.i64 (iota i))) (iota n)
def fl (x: f64) = f64.floor x + f64.max x 2
def assert1 (n: i64) = assert (n > 0) (iota n)
def att (xs: []i32) = #[unsafe] xs[3] + #[sequential] (reduce (+) 0 xs)
def lam = \(x: i32) (y: i32) : i32 -> x + y
def recd = {a = 1i32, b = {c = 2f32, d = (3u8, true)}}
def recacc = recd.b.d.0
def big [n] (xs: [n]i32) = let ys = map (\x -> (x, x)) xs let (as, bs) = unzip ys in (as, bs)
def conc3 [a] [b] [c] (x: [a]i32) (y: [b]i32) (z: [c]i32) : [a + b + c]i32 = x ++ y ++ z
def spl [n] (xs: [n]i32) = let (a, b) = split xs : ([2]i32, []i32) in b
def takes (n: i64) (xs: []i32) = take n xs
def stenc [n] (xs: [n]f32) : [n]f32 = map (\i -> (xs[i64.max 0 (i - 1)] + xs[i] + xs[i64.min (n - 1) (i + 1)]) / 3) (iota n)
def vjp_ (x: f32) = x
