-- Sums of many workgroups, which the last one combines: several beside each other, in loops, of values of several words, in order.
-- tolerance: exact

def made (n: i64) : [n]i64 = tabulate n (\i -> i * 7919 % 1009)

-- The counter is zero again for each launch.
-- ==
-- entry: in_loop
-- input { 40000i64 20i64 } output { 201605660i64 }
-- input { 40000i64 0i64 } output { 0i64 }
-- input { 3i64 2i64 } output { 1559i64 }
entry in_loop (n: i64) (steps: i64) : i64 =
  let xs = made n
  in loop s = 0 for t < steps do s + i64.sum (map (\x -> if x % 2 == t % 2 then x else 0) xs)

-- Values of several words, which do not commute, and pairs.
-- ==
-- entry: tuples
-- input { 50000i64 } output { 1008i64 765i64 49999i64 25200592i64 0.0f32 true }
entry tuples (n: i64) =
  let xs = made n
  let (most, at) =
    reduce (\(a, i) (b, j) -> if a > b || a == b && i < j then (a, i) else (b, j)) (-1, n) (zip xs (iota n))
  let last = reduce (\a b -> if b < 0 then a else b) (-1) (iota n)
  let product = f32.product (map (\x -> f32.i64 (x % 3)) xs)
  in (most, at, last, i64.sum xs, product, any (== 5) xs)

-- Steps of a grid with the largest change.
-- ==
-- entry: relaxed
-- input { 200i64 100i64 3i64 } output { 3.0f32 0.0625f32 }
entry relaxed (n: i64) (m: i64) (steps: i64) : (f32, f32) =
  let start = tabulate_2d n m (\i j -> f32.i64 (2 * ((i + j) % 2)))
  let (xss, change) =
    loop (xss, _) = (start, 0)
    for _t < steps do
      let next =
        map (\i ->
               map (\j ->
                      let up = xss[i64.max 0 (i - 1), j]
                      let down = xss[i64.min (n - 1) (i + 1), j]
                      in 0.25 * (up + down) + 0.5 * xss[i, j])
                   (iota m))
            (iota n)
      let change = f32.maximum (map f32.maximum (map2 (map2 (\a b -> f32.abs (a - b))) next xss))
      in (next, change)
  in (f32.sum (flatten xss) - f32.i64 (n * m) + 3, change)

-- A check that fails in one element of many: the call ends, and later ones count from zero.
-- ==
-- entry: checked
-- input { 30000i64 30000i64 } output { 449985000i64 }
-- input { 30000i64 29999i64 } error: out of range
-- input { 30000i64 30001i64 } output { 449985000i64 }
entry checked (n: i64) (m: i64) : i64 =
  let xs = iota m
  in i64.sum (map (\i -> xs[i]) (iota n))
