-- Loops whose arrays become shorter: sizes that the host learns late, or never.
-- ==
-- entry: components
-- input { 6i64 [0i64, 1i64, 3i64] [1i64, 2i64, 4i64] } output { [0i64, 0i64, 0i64, 3i64, 3i64, 5i64] }
-- input { 3i64 empty([0]i64) empty([0]i64) } output { [0i64, 1i64, 2i64] }
-- input { 12i64 [11i64, 10i64, 9i64, 8i64, 7i64, 6i64, 5i64, 4i64, 3i64, 2i64, 1i64] [10i64, 9i64, 8i64, 7i64, 6i64, 5i64, 4i64, 3i64, 2i64, 1i64, 0i64] } output { [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64] }
-- ==
-- entry: rounds
-- input { 100i64 } output { [0i64] 102i64 7i64 }
-- input { 1i64 } output { [0i64] 0i64 0i64 }
-- input { 0i64 } output { empty([0]i64) 0i64 0i64 }
-- ==
-- entry: two_sizes
-- input { [5i32, 3i32, 9i32, 1i32, 7i32, 3i32, 0i32, 8i32] } output { [3i32, 1i32, 3i32, 0i32] empty([0]i32) 4i32 }
-- ==
-- entry: doubled
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] } output { 42i64 }
-- ==
-- entry: not_below
-- input { [3i64, 1i64, 2i64] } output { [1i64, 1i64] 4i64 }
-- input { empty([0]i64) } output { [0i64, 0i64] 1i64 }
-- ==
-- entry: middles
-- input { [5i32, 3i32, 9i32, 3i32, 7i32, 3i32, 0i32, 8i32, 1i32] } output { [7i32, 3i32, 0i32, 8i32, 9i32, 1i32, 5i32, 0i32, 0i32] 7i64 }
-- input { empty([0]i32) } output { empty([0]i32) 0i64 }
-- ==
-- entry: means
-- input { [1f32, 2f32, 3f32, 10f32] } output { [1f32, 2f32, 3f32] }

entry components [m] (n: i64) (us: [m]i64) (vs: [m]i64) : [n]i64 =
  let (parents, _) =
    loop (parents, edges) = (iota n, zip us vs)
    while length edges > 0 do
      let low = map (\(u, v) -> i64.min u v) edges
      let high = map (\(u, v) -> i64.max u v) edges
      let parents = reduce_by_index (copy parents) i64.min i64.highest high low
      let parents = map (\p -> parents[p]) parents
      let edges = map (\(u, v) -> (parents[u], parents[v])) edges
      in (parents, filter (\(u, v) -> u != v) edges)
  in loop parents for _i < 4 do map (\p -> parents[p]) parents

-- Multiples of 2, 4, 8 .. stay; the sum of how many stay in each step.
entry rounds (n: i64) : ([]i64, i64, i64) =
  loop (xs, total, steps) = (iota n, 0i64, 0i64)
  while length xs > 1 do
    let kept = filter (\x -> x % (2 << steps) == 0) xs
    in (kept, total + length kept, steps + 1)

-- Two carried arrays of two sizes.
entry two_sizes [n] (xs: [n]i32) : ([]i32, []i32, i32) =
  loop (a, b, steps) = (xs, xs, 0i32)
  while length a > 1 && steps < 4 do
    let p = i32.maximum a
    in (filter (< p) a, filter (\y -> y != p && y % 4 != steps) b, steps + 1)

-- A step joins its array with itself.
entry doubled [n] (xs: [n]i64) : i64 =
  let (_, total) =
    loop (xs, total) = (xs, 0i64)
    while length xs > 0 do
      let ys = map (* 2) xs ++ map (+ 0) xs
      let best = i64.maximum xs
      let bins = reduce_by_index (replicate 8 0i64) (+) 0 (map (% 8) ys) (map (const 1) ys)
      in (filter (< best) xs, total + i64.sum bins)
  in total

-- Ends with two elements, whatever it starts with.
entry not_below [n] (xs: [n]i64) : ([]i64, i64) =
  let (xs, steps, _) =
    loop (xs, steps, go) = (xs, 0i64, true)
    while go do
      let most = i64.maximum ([0] ++ xs)
      let rest = filter (< most) xs
      in if length rest > 0 then (rest, steps + 1, true) else (replicate 2 (i64.bool (most > 0)), steps + 1, false)
  in (xs, steps + i64.bool (n > 0))

-- The middle element and its equals leave: its place is known to the device alone.
entry middles [n] (xs: [n]i32) : ([n]i32, i64) =
  let (found, _, steps) =
    loop (found, xs, steps) = (replicate n 0i32, xs, 0i64)
    while length xs > 0 do
      let p = xs[length xs / 2]
      in (found with [steps] = p, filter (!= p) xs, steps + 1)
  in (found, steps)

-- Sums of floats depend on the size.
entry means [n] (xs: [n]f32) : []f32 =
  (loop (xs, go) = (xs, true)
   while go do
     let mean = f32.sum xs / f32.i64 (length xs)
     let rest = filter (< 2 * mean) xs
     in (rest, length rest < length xs)).0
