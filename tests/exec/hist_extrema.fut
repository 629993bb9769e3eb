-- Least and greatest floats of bins: NaN beside numbers, both zeros, infinities, rows of bins,
-- places that do not exist, bins that are many more than elements, and both at once.
-- tolerance: exact
-- ==
-- entry: least
-- input { [1f32, -0f32, 5f32, f32.nan] [0i64, 1, 1, 2, 3, 3, -1, 9, 0] [0.5f32, 0f32, -0f32, 7f32, f32.nan, f32.inf, 1f32, 2f32, -f32.inf] }
-- output { [-f32.inf, -0.0f32, 5.0f32, f32.inf] [false, true, false, false] }
-- ==
-- entry: least
-- input { [f32.nan, 0f32, f32.inf, -1f32] [0i64, 1, 2, 3] [3f32, -0f32, f32.nan, f32.nan] }
-- output { [3.0f32, -0.0f32, f32.inf, -1.0f32] [false, true, false, true] }
-- ==
-- entry: greatest
-- input { [1f32, -0f32, -f32.inf, f32.nan] [0i64, 1, 2, 3, 3, 2] [0.5f32, 0f32, f32.nan, f32.nan, -3f32, -f32.inf] }
-- output { [1.0f32, 0.0f32, -f32.inf, -3.0f32] [false, false, false, true] }
-- ==
-- entry: rows
-- input { 1000i64 }
-- output { [[-488.0f32, -497.0f32, -494.0f32], [-492.0f32, -489.0f32, -498.0f32]] }
-- ==
-- entry: sparse
-- input { 100000i64 }
-- output { [0.0f32, 0.0f32, 2.0f32] }
-- ==
-- entry: both
-- input { 5000i64 }
-- output { [-5000.0f32, -4975.0f32, -4985.0f32, -4995.0f32] [5006.0f32, 4997.0f32, 4987.0f32, 4978.0f32] [1250i32, 1250i32, 1250i32, 1250i32] }

-- The zeros by their sign.
def signed [n] (xs: [n]f32) : ([n]f32, [n]bool) = (xs, map (\x -> 1 / x < 0) xs)

entry least [n] (bins: [4]f32) (is: [n]i64) (xs: [n]f32) =
  signed (reduce_by_index (copy bins) f32.min f32.inf is xs)

entry greatest [n] (bins: [4]f32) (is: [n]i64) (xs: [n]f32) =
  signed (reduce_by_index (copy bins) f32.max (-f32.inf) is xs)

entry rows (n: i64) : [2][3]f32 =
  let places = map (\i -> (i % 3 - 1, i % 4)) (iota n)
  in reduce_by_index_2d (replicate 2 (replicate 3 0f32)) f32.min f32.inf places (map (\i -> f32.i64 (500 - i)) (iota n))

-- Bins that two maps over all of them are not worth.
entry sparse (k: i64) : [3]f32 =
  let bins = reduce_by_index (replicate k 0f32) (\a b -> f32.max b a) (-f32.inf) [k - 1, 5, k - 1] [1, -3, 2]
  in [bins[4], bins[5], bins[k - 1]]

-- One pass over the elements, with their number.
entry both (n: i64) : ([4]f32, [4]f32, [4]i32) =
  let is = map (% 4) (iota n)
  let xs = map (\i -> f32.i64 (i * 7919 % 10007) - 5000) (iota n)
  in ( hist f32.min f32.inf 4 is xs
     , hist f32.max (-f32.inf) 4 is xs
     , hist (+) 0 4 is (map (const 1) is)
     )
