-- Monoids as modules, of pairs of pairs.
-- tolerance: exact
-- ==
-- input { 10i32 }
-- output { 10i32 4i64 5i32 [0i64, 1i64, 4i64, 4i64, 4i64] }
module type monoid = {type t val op : t -> t -> t val ne : t}
module pair_monoid (A: monoid) (B: monoid) : monoid with t = (A.t, B.t) = {type t = (A.t, B.t) def op (a: t) (b: t) : t = (A.op a.0 b.0, B.op a.1 b.1) def ne : t = (A.ne, B.ne)}
module sum_i32 = {type t = i32 def op = (i32.+) def ne = 0i32}
module max_i64 = {type t = i64 def op = i64.max def ne = i64.lowest}
module P = pair_monoid sum_i32 (pair_monoid max_i64 sum_i32)
module reducer (M: monoid) = {def run [n] (xs: [n]M.t) : M.t = reduce M.op M.ne xs def pre [n] (xs: [n]M.t) : [n]M.t = scan M.op M.ne xs}
module R = reducer P
entry main (k: i32) = let xs = map (\i -> (i, (i64.i32 (i * i % 7), 1i32))) (map i32.i64 (iota 5)) in (R.run xs, R.pre xs |> map (.1) |> map (.0))
