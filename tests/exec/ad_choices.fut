-- Operators that choose one of two equal numbers: which one counts does not depend on where an
-- engine puts neutral elements. `+` of a and 0 keeps derivatives, `if a != 0 then b else 0` does not.
def first_of (a: f64) (b: f64) = if a == 0 then b else a
def last_of (a: f64) (b: f64) = if b != 0 then b else a
def last_unless_0 (a: f64) (b: f64) = if a != 0 then b else 0
def above (a: f64) (b: f64) = if a > b then a else b
def in_front (a: f64) (b: f64) = if a >= b then a else b
def argmax (a: f64, i: f64) (b: f64, j: f64) = if a > b then (a, i) else (b, j)
def bounds (a: f64, b: f64) (c: f64, d: f64) = (f64.min a c, f64.max b d)

def bins 'a [n] (op: a -> a -> a) (ne: a) (xs: [n]a) =
  reduce_by_index (replicate 3 ne) op ne (map (% 3) (iota n)) xs

def numbers [n] (op: f64 -> f64 -> f64) (ne: f64) (xs: [n]f64) (ts: [n]f64) =
  ( jvp (reduce op ne) xs ts
  , jvp (scan op ne) xs ts
  , jvp (bins op ne) xs ts
  , vjp (reduce op ne) xs 1
  , vjp (scan op ne) xs ts
  , vjp (bins op ne) xs [1, 2, 3]
  )

def tangents n = map (\i -> f64.i64 (i % 7) + 1) (iota n)

-- ==
-- entry: by_hand
-- input { [0.0, 2.0, 2.0, 0.0] } output { 2.0 3.0 0.0 3.0 2.0 [0.0, 1.0, 0.0, 0.0] [0.0, 0.0, 1.0, 0.0] [0.0, 0.0, 0.0, 0.0] [0.0, 0.0, 1.0, 0.0] [0.0, 1.0, 0.0, 0.0] }
-- input { [2.0, 2.0, 0.0] } output { 1.0 2.0 3.0 2.0 1.0 [1.0, 0.0, 0.0] [0.0, 1.0, 0.0] [0.0, 0.0, 1.0] [0.0, 1.0, 0.0] [1.0, 0.0, 0.0] }
-- input { [0.0, 0.0] } output { 2.0 0.0 0.0 2.0 0.0 [0.0, 1.0] [0.0, 0.0] [0.0, 0.0] [0.0, 1.0] [0.0, 0.0] }
entry by_hand [n] (xs: [n]f64) =
  let forward op ne = jvp (reduce op ne) xs (tangents n)
  let back op ne = vjp (reduce op ne) xs 1
  in ( forward first_of 0
     , forward last_of 0
     , forward last_unless_0 1
     , forward above 0
     , forward in_front 0
     , back first_of 0
     , back last_of 0
     , back last_unless_0 1
     , back above 0
     , back in_front 0
     )

-- ==
-- entry: above_many last_many
-- input { 0i64 1.0 }
-- input { 1i64 0.0 }
-- input { 1i64 1.0 }
-- input { 3000i64 0.0 }
-- input { 3000i64 1.0 }
def many n k = map (\i -> k * f64.i64 (i * 7919 % 4)) (iota n)

entry above_many (n: i64) (k: f64) = numbers above 0 (many n k) (tangents n)

entry last_many (n: i64) (k: f64) =
  ( vjp (reduce last_unless_0 1) (many n k) 1
  , jvp (reduce last_of 0) (many n k) (tangents n)
  , jvp (bins last_of 0) (many n k) (tangents n)
  )

-- ==
-- entry: argmax_many
-- input { 0i64 1.0 }
-- input { 1i64 0.0 }
-- input { 3000i64 0.0 }
-- input { 3000i64 1.0 }
entry argmax_many (n: i64) (k: f64) =
  let ts = zip (tangents n) (tangents n)
  let xs = zip (many n k) (many n k)
  in ( jvp (reduce argmax (0, 0)) xs ts
     , unzip (vjp (reduce argmax (0, 0)) xs (1, 2))
     , jvp (reduce bounds (0, 0)) xs ts
     )

-- ==
-- entry: rows
-- input { 0i64 }
-- input { 1i64 }
-- input { 300i64 }
entry rows (n: i64) =
  let xs = tabulate_2d n 3 (\i j -> f64.i64 (i * 7919 * j % 4))
  let ts = tabulate_2d n 3 (\i j -> f64.i64 (i * 7919 * j % 7))
  let longer (a: [3]f64) (b: [3]f64) = if a[0] > b[0] then a else b
  in ( jvp (reduce longer (rep 0)) xs ts
     , vjp (reduce longer (rep 0)) xs [3, 2, 1]
     , vjp (reduce (map2 last_unless_0) (rep 1)) xs [3, 2, 1]
     )

-- ==
-- entry: cells
-- input { 0i64 21i64 }
-- input { 20i64 21i64 }
-- input { 2i64 300i64 }
entry cells (n: i64) (m: i64) =
  let xs = tabulate_2d n m (\i j -> f64.i64 (i * 7919 * j % 4))
  let ts = tabulate_2d n m (\i j -> f64.i64 (i * 7919 * j % 7))
  let all op ne =
    ( map2 (jvp (reduce op ne)) xs ts
    , jvp (map (bins op ne)) xs ts
    , vjp (map (reduce op ne)) xs (tangents n)
    )
  in all last_unless_0 1
