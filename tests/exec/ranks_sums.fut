-- Sums of floats over rows that several ranks share: the same bits for any number of ranks. Sizes
-- around the lanes and the chunks of a sum, and fewer rows than ranks.
-- tolerance: 1e-2

def some (n: i64) = map (\i -> f32.i64 (i * 7919 % 1009) / 64 - 7.5) (iota n)

-- ==
-- entry: sums
-- input { 0i64 } input { 1i64 } input { 3i64 } input { 4i64 } input { 5i64 } input { 63i64 }
-- input { 64i64 } input { 65i64 } input { 1009i64 } input { 16384i64 } input { 16385i64 }
-- input { 50021i64 } input { 65600i64 }
entry sums (n: i64) =
  let xs = some n
  let (sum, product) = reduce (\(a, b) (c, d) -> (a + c, b * d)) (0, 1) (map (\x -> (x, 1 + x / 100000)) xs)
  in (f32.sum xs, f32.sum (map2 (*) xs (map (+ 1) xs)), sum, product)

-- The mean, then the variance; the squares stay beside their sum.
-- ==
-- entry: variance
-- input { 2i64 } input { 61i64 } input { 40009i64 }
entry variance (n: i64) =
  let xs = some n
  let mean = f32.sum xs / f32.i64 n
  let squares = map (\x -> (x - mean) * (x - mean)) xs
  in (f32.sum squares / f32.i64 n, squares)

-- ==
-- entry: norms
-- input { 5i64 7i64 } input { 130i64 70i64 } input { 1i64 3i64 } input { 0i64 3i64 } input { 3i64 0i64 }
-- input { 769i64 20i64 }
entry norms (n: i64) (m: i64) =
  let u = unflatten (some (n * m))
  in (f32.sum (map f32.sum u), f32.sum (map (\row -> f32.sqrt (f32.sum (map (\x -> x * x) row))) u))

-- Steps until the sum of all changes is small.
-- ==
-- entry: until
-- input { 7i64 } input { 130i64 } input { 400i64 }
entry until (n: i64) =
  let (u, k, _) =
    loop (u, k, far) = (unflatten (some (n * 3)), 0i32, true)
    while far && k < 20 do
      let w = map3 (map3 (\a b c -> 0.25 * a + 0.5 * b + 0.25 * c)) (rotate (-1) u) u (rotate 1 u)
      let change = f32.sum (map2 (\a b -> f32.sum (map2 (\x y -> (x - y) * (x - y)) a b)) u w)
      in (w, k + 1, change > 1)
  in (k, u)

-- Power iteration in one dimension: a sum in each step, of which all elements need the result.
-- ==
-- entry: normed
-- input { 30i64 } input { 33000i64 }
entry normed (n: i64) =
  loop u = some n
  for _i < 4 do
    let size = f32.sqrt (f32.sum (map (\x -> x * x) u))
    in map (/ size) (map3 (\a b c -> a + 2 * b + c) (rotate (-1) u) u (rotate 1 u))

-- An operator that does not commute keeps the order of elements.
-- ==
-- entry: affine
-- input { 5i64 } input { 5000i64 }
entry affine (n: i64) =
  reduce (\(a, b) (c, d) -> (a * c, b * c + d))
         (1, 0)
         (map (\x -> (0.99 + x / 100000, x)) (some n))

-- A maximum beside a sum: what it makes of NaN is no single operation, so elements keep their order.
-- ==
-- entry: sum_and_top
-- input { 3i64 } input { 50000i64 }
entry sum_and_top (n: i64) =
  reduce (\(a, b) (c, d) -> (a + c, f32.max b d))
         (0, f32.lowest)
         (map (\x -> (x, 1 - x)) (some n))
