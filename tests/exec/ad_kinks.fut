-- Derivatives of reductions, scans and histograms at kinks that are no choice of one operand: elements are combined
-- from the left, because half of a half is no half.
def half_max (a: f64) (b: f64) : f64 = (a + b + f64.abs (a - b)) / 2

def masked_max (a: f64) (b: f64) : f64 = f64.bool (a > b) * a + f64.bool (a <= b) * b

def indexed_max (a: f64) (b: f64) : f64 = [b, a][i64.bool (a > b)]

def mean_of_ties (a: f64) (b: f64) : f64 = if a > b then a else if a < b then b else (a + b) / 2

def weights (n: i64) : [n]f64 = map (\i -> 1 + f64.i64 (i % 5)) (iota n)

def numbers (n: i64) (m: i64) : [n]f64 = map (\i -> f64.i64 (i * 7 % m)) (iota n)

def reduced [n] (op: f64 -> f64 -> f64) (xs: [n]f64) : f64 = reduce op 0 xs

def scanned [n] (op: f64 -> f64 -> f64) (xs: [n]f64) : [n]f64 = scan op 0 xs

def binned [n] (op: f64 -> f64 -> f64) (xs: [n]f64) : [3]f64 = reduce_by_index (replicate 3 0) op 0 (map (% 4) (iota n)) xs

-- ==
-- entry: halves
-- input { [3.0, 3.0, 3.0] } output { [0.25, 0.25, 0.5] 2.25 }
-- input { [0.0] } output { [0.5] 0.5 }
-- input { empty([0]f64) } output { empty([0]f64) 0.0 }
entry halves [n] (xs: [n]f64) : ([n]f64, f64) =
  (vjp (reduced half_max) xs 1, jvp (reduced half_max) xs (map (\i -> f64.i64 (i + 1)) (iota n)))

-- ==
-- entry: masks indices
-- input { [2.0, 3.0, 3.0] } output { [0.0, 0.0, 1.0] 3.0 }
-- input { [0.0, 0.0] } output { [0.0, 1.0] 2.0 }
entry masks [n] (xs: [n]f64) : ([n]f64, f64) =
  (vjp (reduced masked_max) xs 1, jvp (reduced masked_max) xs (map (\i -> f64.i64 (i + 1)) (iota n)))

entry indices [n] (xs: [n]f64) : ([n]f64, f64) =
  (vjp (reduced indexed_max) xs 1, jvp (reduced indexed_max) xs (map (\i -> f64.i64 (i + 1)) (iota n)))

def forward (op: f64 -> f64 -> f64) (n: i64) (m: i64) : (f64, [n]f64, [3]f64) =
  let (xs, ws) = (numbers n m, weights n)
  in (jvp (reduced op) xs ws, jvp (scanned op) xs ws, jvp (binned op) xs ws)

def reverse (op: f64 -> f64 -> f64) (n: i64) (m: i64) : ([n]f64, [n]f64, [n]f64) =
  let xs = numbers n m
  in (vjp (reduced op) xs 1, vjp (scanned op) xs (weights n), vjp (binned op) xs [1, 2, 3])

-- ==
-- entry: halves_forward halves_reverse
-- tolerance: 1e-14
-- input { 40i64 3i64 }
-- input { 300i64 4i64 }
entry halves_forward = forward half_max

entry halves_reverse = reverse half_max

-- ==
-- entry: means
-- input { [2.0, 2.0, 2.0] } output { [0.25, 0.25, 0.5] 2.25 }
entry means [n] (xs: [n]f64) : ([n]f64, f64) =
  (vjp (reduced mean_of_ties) xs 1, jvp (reduced mean_of_ties) xs (map (\i -> f64.i64 (i + 1)) (iota n)))

-- The start counts as well, and so do components without a derivative.
-- ==
-- entry: starts_forward starts_reverse
-- input { 40i64 3i64 }
-- input { 0i64 3i64 }
entry starts_forward (n: i64) (m: i64) : (f64, [n]f64) =
  let xs = numbers n m
  in (jvp (\s -> reduce half_max s xs) 2 1, jvp (\s -> scan half_max s xs) 2 1)

entry starts_reverse (n: i64) (m: i64) : (f64, f64) =
  let xs = numbers n m
  in (vjp (\s -> reduce half_max s xs) 2 1, vjp (\s -> scan half_max s xs) 2 (weights n))

-- Largest sums of neighbours: a whole one, one at the start, one at the end, all.
def joined (a: (f64, f64, f64, f64)) (b: (f64, f64, f64, f64)) : (f64, f64, f64, f64) =
  ( f64.max (f64.max a.0 b.0) (a.2 + b.1)
  , f64.max a.1 (a.3 + b.1)
  , f64.max b.2 (b.3 + a.2)
  , a.3 + b.3
  )

def largest_sum [n] (xs: [n]f64) : f64 =
  (reduce joined (0, 0, 0, 0) (map (\x -> let y = f64.max x 0 in (y, y, y, x)) xs)).0

-- ==
-- entry: sums_forward sums_reverse
-- input { 40i64 5i64 }
-- input { 200i64 3i64 }
entry sums_forward (n: i64) (m: i64) : f64 = jvp largest_sum (map (\x -> x - 1) (numbers n m)) (weights n)

entry sums_reverse (n: i64) (m: i64) : [n]f64 = vjp largest_sum (map (\x -> x - 1) (numbers n m)) 1
