-- Derivatives of reductions whose operator chooses: of no elements, with neutral elements that it must not see twice;
-- by magnitudes, by bools, and with the right operand first.
def far_best [n] (w: [n]i64) (xs: [n]f64) =
  (reduce (\(a: f64, i: i64) (b, j) -> if w[i] > w[j] then (a, i) else (b, j)) (0, 1000000000000) (zip xs (iota n))).0

def divided_best [n] (k: i64) (xs: [n]f64) =
  (reduce (\(a: f64, i: i64) (b, j) -> if k / (i - j) > 0 then (a, i) else (b, j)) (0, -1) (zip xs (iota n))).0

-- ==
-- entry: far_forward divided_forward
-- input { empty([0]i64) empty([0]f64) } output { 0.0 }
entry far_forward [n] (w: [n]i64) (xs: [n]f64) : f64 = jvp (far_best w) xs xs

entry divided_forward [n] (_w: [n]i64) (xs: [n]f64) : f64 = jvp (divided_best 100000) xs xs

-- ==
-- entry: far_reverse divided_reverse
-- input { empty([0]i64) empty([0]f64) } output { 0.0 empty([0]f64) }
entry far_reverse [n] (w: [n]i64) (xs: [n]f64) : (f64, [n]f64) = (far_best w xs, vjp (far_best w) xs 1)

entry divided_reverse [n] (_w: [n]i64) (xs: [n]f64) : (f64, [n]f64) =
  (divided_best 100000 xs, vjp (divided_best 100000) xs 1)

def smaller (a: f64) (b: f64) : f64 =
  let p = f64.abs a < f64.abs b
  let q = f64.abs a == f64.abs b && a < b
  in if p || q then a else b

-- ==
-- entry: magnitudes
-- input { [3.0, 3.0, 3.0] } output { 1.0 }
entry magnitudes [n] (xs: [n]f64) : f64 = jvp (reduce smaller 3) xs (replicate n 1)

def first (f: bool, a: f64) (g: bool, b: f64) : (bool, f64) = if f then (f, a) else (g, b)

-- ==
-- entry: first_valid
-- input { 3i64 } output { 2.0 }
-- input { 3000i64 } output { 2999.0 }
entry first_valid (n: i64) : f64 =
  let value xs = (reduce first (false, 0) (zip (replicate n false) xs)).1
  in jvp value (replicate n 0) (map f64.i64 (iota n))

def right_first (a: f64) (b: f64) : f64 = f64.max b a

-- ==
-- entry: swapped
-- input { [2.0, 2.0, 0.0] } output { 1.0 [0.0, 1.0, 0.0] }
-- input { [0.0, 0.0] } output { 1.0 [0.0, 1.0] }
entry swapped [n] (xs: [n]f64) : (f64, [n]f64) =
  (jvp (reduce right_first 0) xs (replicate n 1), vjp (reduce right_first 0) xs 1)
