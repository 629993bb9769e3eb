-- Cells that read as many elements as they want: sums of what they read become histograms of single elements, or of rows
-- where elements are read often.
-- tolerance: exact

def ends (n: i64) (most: i64) : [n]i64 = scan (+) 0 (map (\i -> i * 7 % (most + 1)) (iota n))
def made (n: i64) : [n]f64 = tabulate n (\i -> f64.i64 (i * 5 % 7 - 3))
def places (n: i64) (k: i64) : [n]i64 = tabulate n (\i -> (i * i + 3 * i) % k)

-- Rows of a sparse matrix begin where others end.
def first [n] (ends: [n]i64) (i: i64) : i64 = if i == 0 then 0 else ends[i - 1]

def weighed [n] (xs: [n]f64) : f64 = f64.sum (map2 (\i x -> x * f64.i64 (i % 11 + 1)) (iota n) xs)

def product [n] [m] [e] (ends: [n]i64) (columns: [e]i64) (values: [e]f64) (x: [m]f64) : [n]f64 =
  map (\i -> loop s = 0 for j in first ends i..<ends[i] do s + values[j] * x[columns[j]]) (iota n)

-- ==
-- entry: by_vector
-- input { 40i64 100i64 4i64 } output { -68.0 }
-- input { 40i64 70i64 400i64 } output { 17.0 }
-- input { 1i64 100i64 4i64 } output { 0.0 }
-- input { 0i64 100i64 4i64 } output { 0.0 }
entry by_vector (n: i64) (m: i64) (most: i64) : f64 =
  let ends = ends n most
  let e = if n == 0 then 0 else ends[n - 1]
  in weighed (vjp (product ends (places e m) (made e)) (made m) (made n))

-- ==
-- entry: by_values
-- input { 40i64 100i64 4i64 } output { 368.0 }
-- input { 40i64 70i64 400i64 } output { 48.0 }
-- input { 1i64 100i64 4i64 } output { 0.0 }
-- input { 0i64 100i64 4i64 } output { 0.0 }
entry by_values (n: i64) (m: i64) (most: i64) : f64 =
  let ends = ends n most
  let e = if n == 0 then 0 else ends[n - 1]
  in weighed (vjp (\values -> product ends (places e m) values (made m)) (made e) (made n))

-- ==
-- entry: by_both
-- input { 40i64 100i64 4i64 } output { 368.0 -68.0 }
-- input { 40i64 70i64 400i64 } output { 48.0 17.0 }
-- input { 1i64 100i64 4i64 } output { 0.0 0.0 }
-- input { 0i64 100i64 4i64 } output { 0.0 0.0 }
entry by_both (n: i64) (m: i64) (most: i64) : (f64, f64) =
  let ends = ends n most
  let e = if n == 0 then 0 else ends[n - 1]
  let (values, x) = vjp (\(values, x) -> product ends (places e m) values x) (made e, made m) (made n)
  in (weighed (values :> [e]f64), weighed (x :> [m]f64))

-- Slices of unknown size, several reads at a step, steps around.
-- ==
-- entry: slices
-- input { 30i64 80i64 5i64 } output { 2762.0 }
-- input { 3i64 80i64 500i64 } output { -300.0 }
entry slices (n: i64) (m: i64) (most: i64) : f64 =
  let ends = ends n most
  let (cs, vs) = (places ends[n - 1] m, made ends[n - 1])
  let row x i =
    let (a, b) = (first ends i, ends[i])
    in f64.sum (map2 (\v c -> v * x[c] * x[c]) vs[a:b] cs[a:b])
  in weighed (vjp (\(x: [m]f64) -> map (row x) (iota n)) (made m) (made n))

-- ==
-- entry: twice
-- input { 30i64 80i64 5i64 } output { 155.0 }
-- input { 3i64 80i64 500i64 } output { -10.0 }
entry twice (n: i64) (m: i64) (most: i64) : f64 =
  let ends = ends n most
  let cs = places ends[n - 1] m
  let row (x: [m]f64) i = loop s = 1 for j in first ends i..<ends[i] do s + x[cs[j]] * x[(cs[j] + 3) % m]
  in weighed (vjp (\x -> map (row x) (iota n)) (made m) (made n))

-- ==
-- entry: powers
-- input { 30i64 80i64 5i64 } output { -20061.0 }
-- input { 3i64 80i64 500i64 } output { 28264120215.0 }
entry powers (n: i64) (m: i64) (most: i64) : f64 =
  let ends = ends m most
  let cs = places ends[m - 1] m
  let step x = map (\y -> f64.i64 (i64.f64 y % 5)) (product ends cs (made ends[m - 1]) x)
  let steps x = loop x = x for _i < n % 7 do map2 (+) x (product ends cs (made ends[m - 1]) (step x))
  let linear (x: [m]f64) = loop x = x for _i < 3i64 do map (% 8) (product ends cs (made ends[m - 1]) x)
  in weighed (vjp linear (made m) (made m)) + weighed (vjp steps (made m) (made m))

-- The nearest of some rows: a cell adds to the row that it has found, if there is one.
-- ==
-- entry: nearest
-- input { 30i64 90i64 4i64 } output { 24552.0 }
-- input { 30i64 90i64 0i64 } output { 0.0 }
entry nearest (n: i64) (d: i64) (k: i64) : f64 =
  let ends = ends n 5
  let (cs, vs) = (places ends[n - 1] d, made ends[n - 1])
  let cost (centres: [k][d]f64) =
    let row i =
      let (a, b) = (first ends i, ends[i])
      let distance c = loop s = 0 for j in a..<b do s + (c[cs[j]] - vs[j]) * (c[cs[j]] - vs[j])
      let least = reduce f64.min f64.inf (map distance centres)
      in if least < 1e9 then least * f64.i64 i else 1
    in f64.sum (map row (iota n))
  in f64.sum (map weighed (vjp cost (tabulate_2d k d (\i j -> f64.i64 ((i * 3 + j) % 5))) 1))

-- Bins and elements that no array holds: sums without rows.
-- ==
-- entry: constant_bins
-- input { [1.0, 2.0] 0.5 } input { empty([0]f64) 0.5 }
entry constant_bins [m] (zs: [m]f64) (a: f64) =
  let primal zs' a =
    let table = reduce_by_index (copy (replicate m 1f64)) (+) 0 (replicate m 1i64) (replicate m a)
    in (if m > 1 then table[1] else 1) + f64.sum zs'
  in vjp (\(zs, a) -> primal zs a) (zs, a) 1
