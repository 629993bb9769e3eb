-- Definitions without annotations, point-free compositions, partitions.
-- ==
-- input { [1f32,2f32,3f32] }
-- output { 0.0f32 [1i32, 2i32] [2.0f32, 3.0f32] [1.0f32] [3.0f32] [2.0f32] [1.0f32] 128i32 3i32 }
def mean [n] (xs: [n]f32) = f32.sum xs / f32.i64 n
def stats xs = {mean = mean xs, sum = f32.sum xs, top = f32.maximum xs}
def normalise xs = let s = stats xs in map (\x -> (x - s.mean) / s.top) xs
def histogram [n] (k: i64) (xs: [n]f32) = hist (+) 0 k (map (\x -> i64.f32 x % k) xs) (map (const 1i32) xs)

entry main [n] (xs: [n]f32) =
  let f = normalise >-> map (* 2) >-> f32.sum
  let (a, b) = partition (> 1.5) xs
  let (c, d, e) = partition2 (> 2.5) (> 1.5) xs
  in (f xs, histogram 2 xs, a, b, c, d, e, iterate_while (< 100) (* 2) (i32.f32 xs[0]), curry (\(a, b) -> a + b) 1i32 2)
