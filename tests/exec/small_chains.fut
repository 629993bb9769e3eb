-- Successive statements over few elements are one workgroup's.
-- ==
-- entry: levels
-- input { 1i64 }
-- input { 5000i64 }
-- ==
-- entry: shares
-- input { 3i32 }
-- ==
-- entry: apart
-- input { 100i64 }

entry levels (n: i64) : [n]u8 =
  let xs = tabulate n (\i -> (i * i + i / 3) % 251)
  let counts = reduce_by_index (replicate 256 0i32) (+) 0 xs (replicate n 1)
  let sums = scan (+) 0 counts
  let low = reduce (\a b -> if a > 0 then a else b) 0 sums
  let table = map (\c -> u8.f64 (f64.i32 (c - low) / f64.i64 (n + 1 - i64.i32 low) * 255)) sums
  in map (\x -> table[x]) xs

entry shares (k: i32) : ([200]f64, f64, i32) =
  let xs = tabulate 200 (\i -> f64.i32 ((i32.i64 i * k) % 17))
  let most = f64.maximum xs
  let es = map (\x -> f64.exp (x - most)) xs
  let least = f64.minimum es
  in (map (/ least) es, least, i32.f64 most)

entry apart (n: i64) : ([64]i64, [n]i64, i64) =
  let a = tabulate 64 (\i -> (i * n) % 37)
  let b = scan (+) 0 a
  let big = tabulate n (\i -> b[i % 64] + i)
  let c = map2 (*) b (rotate 3 a)
  in (c, big, i64.sum c)
