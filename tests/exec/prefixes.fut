-- First elements of arrays are handed on without a copy: by branches, by loops, row by row. What
-- else looks at the whole array still sees it.

-- ==
-- entry: shrinking branches rows kept padded twice
-- input { 0i64 3i64 }
-- input { 1i64 1i64 }
-- input { 7i64 2i64 }
-- input { 100i64 5i64 }
-- input { 1000i64 8i64 }

def numbers (n: i64) = map (\i -> i32.i64 ((i * 7919 + 13) % 1009)) (iota n)

-- A loop that carries what a filter keeps.
entry shrinking (n: i64) (k: i64) : []i32 =
  let (xs, _) =
    loop (xs, i) = (numbers n, 2)
    while i < i32.i64 k + 2 && length xs > 0 do
      (map (+ 1) (filter (\x -> x % i != 0) xs), i + 1)
  in xs

-- Arms with memory of their own, and of others.
entry branches (n: i64) (k: i64) : ([]i32, i32) =
  let xs = scan (+) 0 (numbers n)
  let ys = filter (> 500) xs
  let zs = if k % 2 == 0 then ys else if k == 5 then take (length ys / 2) ys else map (* 2) ys
  in (zs, i32.sum xs + i32.sum ys)

-- Rows that are as long as what is wanted of them, and longer ones.
entry rows (n: i64) (k: i64) : [][]i32 =
  let w = 2 * k
  let xss =
    loop xss = unflatten (scan (+) 0 (numbers (n * w)))
    for i < 3 do
      let longer = map (\xs -> xs ++ replicate (i % 2) 0) xss
      in map (\xs -> take w (scan (+) 0 (map (% 1000) xs))) longer
  in xss

-- The array is used again afterwards.
entry kept (n: i64) (k: i64) : ([]i32, []i32) =
  let xs = scan (+) 0 (numbers n)
  let (ys, _) =
    loop (ys, m) = (xs, n)
    for _i < k do
      let m = m - m / 3
      in (map (% 10007) (take m (rotate 1 ys)), m)
  in (ys, map (\x -> x - 1) xs)

entry padded (n: i64) (k: i64) : []i32 =
  let m = (n + k - 1) / k * k
  let xs = tabulate m (\i -> if i < n then i32.i64 (i * 31 % 97) else i32.highest)
  in if n <= 1
     then map i32.i64 (iota n)
     else let sums = flatten (map (scan (+) 0) (unflatten (xs :> [(m / k) * k]i32)))
          in take n sums

-- One array for two parameters of a loop.
entry twice (n: i64) (k: i64) : ([]i32, []i32) =
  let xs = filter (> 100) (numbers n)
  in loop (as, bs) = (xs, xs)
     for i < k do
       (filter (\a -> a % 7 != i32.i64 i) as, map (+ 1) (filter (\b -> b % 5 != i32.i64 i) bs))
