-- Abstract types in records, arrays and abbreviations.
-- tolerance: exact
-- ==
-- input { 5i64 } output { 10i32 5i64 }
module m : {type t val mk : i32 -> t val un : t -> i32} = {type t = {v: i32} def mk v : t = {v} def un (t: t) = t.v}
module n = m
type pair = (m.t, n.t)
def swap ((a, b): pair) : pair = (b, a)
type grid [k] = [k][k]m.t
def diag [k] (g: grid [k]) = map (\i -> g[i, i]) (iota k)

entry main (k: i64) =
  let g: grid [] = tabulate_2d k k (\i j -> m.mk (i32.i64 (if i == j then i else 0)))
  in (i32.sum (map n.un (diag g)), length (map swap (map (\x -> (x, x)) (diag g))))
