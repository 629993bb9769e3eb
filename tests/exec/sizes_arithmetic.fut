-- Sizes computed from others, in arguments and results.
-- tolerance: exact
-- ==
-- input { 3i64 }
-- output { [[0i64, 0i64, 0i64, 0i64], [0i64, 1i64, 2i64, 3i64], [0i64, 2i64, 4i64, 6i64]] [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64] [0i64, 1i64, 2i64] [3i64, 4i64, 5i64] [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 1i64, 2i64, 3i64, 4i64, 5i64] [0i64, 0i64, 0i64, 0i64, 0i64, 1i64, 2i64, 3i64, 0i64, 2i64, 4i64, 6i64] [[0i64, 0i64, 0i64], [0i64, 0i64, 1i64], [2i64, 3i64, 0i64], [2i64, 4i64, 6i64]] [0i64, 1i64, 2i64] [3i64, 4i64, 5i64] 8i64 }
def f (n: i64) : [n][n + 1]i64 = tabulate_2d n (n + 1) (\i j -> i * j)
def g [n] [m] (xss: [n][m]i64) : [n + m]i64 = map (.[0]) xss ++ xss[0]
def split2 [n] (xs: [n * 2]i64) : ([n]i64, [n]i64) = (take n xs, drop n xs :> [n]i64)
def cat3 [n] [m] [k] 'a (a: [n]a) (b: [m]a) (c: [k]a) : [n + m + k]a = a ++ b ++ c :> [n + m + k]a
def inner [n] 'a (f: [n]a -> a) (k: i64) (x: a) : a = f (replicate n x)

entry main (n: i64) =
  let a = f n
  let b = g a
  let (c, d) = split2 (iota (n * 2))
  let e = flatten a
  let u: [n + 1][n]i64 = unflatten (e :> [(n + 1) * n]i64)
  in (a, b, c, d, cat3 b c d, e, u, unzip (zip c d), inner (\(xs: [2]i64) -> xs[0] + xs[1]) 3 4)
