-- Scans whose elements only a map reads: one kernel with the schedule `one_pass`.

def numbers (n: i64) : [n]i32 = tabulate n (\i -> i32.i64 ((i * i * 31 + 17 * i) % 101) - 40)

-- ==
-- entry: exclusive tuples segments others places total branches
-- input { 0i64 }
-- input { 1i64 }
-- input { 3i64 }
-- input { 130i64 }
-- input { 4099i64 }
-- input { 70001i64 }

-- An input of the scan is read again.
entry exclusive (n: i64) : [n]i32 =
  let xs = numbers n
  in map2 (-) (scan (+) 0 xs) xs

-- Several results of several scans.
entry tuples (n: i64) : ([n]i64, [n]bool) =
  let xs = numbers n
  let sums = scan (+) 0 (map i64.i32 xs)
  let most = scan i32.max i32.lowest xs
  in unzip (map2 (\s m -> (s * 2 + i64.i32 m, s > i64.i32 m)) sums most)

-- Sums of segments, without their flags.
entry segments (n: i64) : [n]f64 =
  let xs = numbers n
  let add (f, x) (g, y) = (f || g, if g then y else x + y)
  let sums = scan add (false, 0i32) (map (\x -> (x % 7 == 0, x)) xs)
  in map2 (\(_, s) x -> f64.i32 s / 2 + f64.i32 x) sums xs

-- Inputs of the map alone, of other widths; places; a part of another array.
entry others (n: i64) : [n]i64 =
  let xs = numbers n
  let bytes = map u8.i32 (reverse xs)
  let wide = tabulate (n + 3) (\i -> i * 5 % 13)
  in map4 (\s b w i -> i64.i32 s + i64.u8 b * w + i) (scan (+) 0 xs) bytes wide[3:] (iota n)

-- Elements at the places that the scan gives.
entry places (n: i64) : [n]i32 =
  let xs = numbers n
  in map (\m -> xs[m]) (scan i64.max 0 (map2 (\x i -> if x > 10 then i else 0) xs (iota n)))

-- The last element beside the mapped ones.
entry total (n: i64) : ([n]i32, i32) =
  let xs = numbers n
  let sums = scan (+) 0 xs
  let sum = if n == 0 then 0 else sums[n - 1]
  in (map (\s -> s * 3 % 17) sums, sum)

-- Branches of the map.
entry branches (n: i64) : [n]i32 =
  let xs = numbers n
  in map2 (\s x -> if s % 3 == 0 then xs[i64.i32 (i32.abs s) % n] else s - x) (scan (+) 0 xs) xs

-- A failure of the map behind the scan.
-- ==
-- entry: failing
-- input { 40i64 }
-- error: index `\[40\]` is out of range.*H7001
-- ==
-- entry: failing
-- input { 0i64 }
-- output { empty([0]i32) }

entry failing (n: i64) : [n]i32 =
  let xs = numbers n
  in map (\c -> xs[c]) (scan (+) 0 (map (const 1i64) xs))
