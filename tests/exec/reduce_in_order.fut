-- Operators that do not commute, over more elements than a workgroup has: order tells at every
-- seam between elements of a lane, lanes, subgroups, workgroups and the ends of vectors.
-- ==
-- entry: words
-- input { 0i64 } output { 1u32 0u32 }
-- input { 1i64 } output { 1664525u32 1013904223u32 }
-- input { 3i64 }
-- input { 4095i64 }
-- input { 4097i64 }
-- input { 16387i64 }
-- input { 100003i64 }
-- input { 200000i64 }
-- ==
-- entry: given
-- input { 40001i64 1i64 }
-- input { 40001i64 3i64 }
-- input { 8i64 4i64 }
-- ==
-- entry: longest
-- input { 50021i64 7i64 }
-- input { 20000i64 20001i64 }
-- input { 5i64 2i64 }
-- ==
-- entry: rows
-- input { 3i64 20001i64 }
-- input { 2i64 16384i64 }
-- ==
-- entry: brackets
-- input { 60000i64 }

-- In memory, whole: what reductions read by vectors.
def stored [n] 't (zero: t) (xs: [n]t) : [n]t = scatter (replicate n zero) (iota n) xs

-- Affine maps x -> a x + b one after another, modulo 2^32.
def after (a: u32, b: u32) (c: u32, d: u32) : (u32, u32) = (a * c, b * c + d)
def map_of (i: i64) : (u32, u32) = (1664525 + 2 * u32.i64 i, 1013904223 ^ u32.i64 i)

entry words (n: i64) : (u32, u32) =
  let xs = stored 0 (iota n)
  in reduce after (1, 0) (map map_of xs)

-- From an element on where vectors do not begin.
entry given (n: i64) (from: i64) : (u32, u32) =
  let xs = stored 0 (map (\i -> u32.i64 i ^ 77777) (iota n))
  in reduce after (1, 0) (map (\x -> (2 * x + 1, x)) xs[from:])

-- The longest run of elements in order, with branches.
def join (a: (i32, i32, i32, i32, i32, i32)) (b: (i32, i32, i32, i32, i32, i32)) : (i32, i32, i32, i32, i32, i32) =
  let (best_a, left_a, right_a, all_a, first_a, last_a) = a
  let (best_b, left_b, right_b, all_b, first_b, last_b) = b
  let joins = last_a <= first_b || all_a == 0 || all_b == 0
  in ( if joins then i32.max (right_a + left_b) (i32.max best_a best_b) else i32.max best_a best_b
     , if left_a == all_a && joins then left_a + left_b else left_a
     , if right_b == all_b && joins then right_a + right_b else right_b
     , all_a + all_b
     , if all_a == 0 then first_b else first_a
     , if all_b == 0 then last_a else last_b
     )

entry longest (n: i64) (k: i64) : i32 =
  let xs = stored 0 (map (\i -> i32.i64 ((i * 7919) % k)) (iota n))
  in (reduce join (0, 0, 0, 0, 0, 0) (map (\x -> (1, 1, 1, 1, x, x)) xs)).0

entry rows (m: i64) (n: i64) : ([m]u32, [m]u32) =
  let xs = unflatten (stored 0 (map (\i -> u32.i64 (i ^ (i << 5))) (iota (m * n))))
  in unzip (map (\row -> reduce after (1, 0) (map (\x -> (2 * x + 1, x)) row)) xs)

-- Unmatched brackets: closing ones, then opening ones.
entry brackets (n: i64) : (i64, i64) =
  let xs = stored false (map (\i -> (i * i + i / 5) % 2 == 0) (iota n))
  in reduce (\(c, o) (d, p) -> if o >= d then (c, o - d + p) else (c + d - o, p))
            (0, 0)
            (map (\x -> if x then (0, 1) else (1, 0)) xs)
