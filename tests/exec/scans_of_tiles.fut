-- Scans under every variant, around the borders of tiles, against sums known otherwise.
-- ==
-- entry: f32_sums
-- input { 0i64 } output { 0i64 }
-- input { 1i64 } output { 0i64 }
-- input { 4096i64 } output { 0i64 }
-- input { 16383i64 } output { 0i64 }
-- input { 16384i64 } output { 0i64 }
-- input { 16385i64 } output { 0i64 }
-- input { 300001i64 } output { 0i64 }
entry f32_sums (n: i64) : i64 =
  let xs = map (\i -> f32.i64 (i % 3)) (iota n)
  let ys = scan (+) 0f32 xs
  let wrong = map2 (\i y -> i64.bool (y != f32.i64 ((i / 3) * 3 + ([0, 1, 3])[i % 3]))) (iota n) ys
  in i64.sum wrong

-- ==
-- entry: i64_sums
-- input { 1i64 } output { 0i64 }
-- input { 7i64 } output { 0i64 }
-- input { 8191i64 } output { 0i64 }
-- input { 8193i64 } output { 0i64 }
-- input { 100001i64 } output { 0i64 }
entry i64_sums (n: i64) : i64 =
  let ys = scan (+) 0 (map (\i -> i * 4294967297) (iota n))
  in i64.sum (map2 (\i y -> i64.bool (y != i * (i + 1) / 2 * 4294967297)) (iota n) ys)

-- Associative, not commutative.
def latest (a: u32) (b: u32) : u32 = if b == 0 then a else b

def check [n] (xs: [n]u32) : u32 =
  u32.sum (map2 (\i x -> x * (u32.i64 i * 2 + 1)) (iota n) xs)

-- ==
-- entry: pairs
-- input { 5i64 }
-- input { 4097i64 }
-- input { 50001i64 }
entry pairs (n: i64) : u32 =
  -- not commutative: composition of x -> a x + b modulo 2^32
  let op (a: u32, b: u32) (c: u32, d: u32) = (a * c, b * c + d)
  let xs = map (\i -> (u32.i64 (i % 5) * 2 + 1, u32.i64 i)) (iota n)
  let (ys, zs) = unzip (scan op (1, 0) xs)
  in check ys + check zs

-- ==
-- entry: rows
-- input { 1i64 1i64 }
-- input { 100i64 3i64 }
-- input { 1000i64 4i64 }
-- input { 1000i64 5i64 }
-- input { 777i64 16i64 }
-- input { 333i64 31i64 }
-- input { 50i64 257i64 }
-- input { 20i64 4096i64 }
-- input { 20i64 5001i64 }
-- input { 3i64 40001i64 }
-- input { 2i64 140001i64 }
-- input { 3i64 0i64 }
entry rows (n: i64) (m: i64) : u32 =
  let xs = tabulate_2d n m (\i j -> let x = u32.i64 (i * 7 + j) in if x % 5 == 0 then x else 0)
  in check (flatten (map (scan latest 0) xs)) ^ check (flatten (map (scan (+) 0) xs))

-- ==
-- entry: rows_mapped
-- input { 100i64 37i64 }
-- input { 3i64 30000i64 }
entry rows_mapped (n: i64) (m: i64) : u32 =
  let xs = tabulate_2d n m (\i j -> u32.i64 (i * 7 + j))
  let ks = map u32.i64 (iota n)
  let cs = map (\j -> u32.i64 (j * j)) (iota m)
  in check (flatten (map2 (\k row -> scan (+) 0 (map2 (\x c -> x * k + c) row cs)) ks xs))

-- ==
-- entry: spaces
-- input { 7i64 5i64 33i64 }
-- input { 2i64 3i64 9001i64 }
entry spaces (n: i64) (m: i64) (k: i64) : u32 =
  let xs = tabulate_3d n m k (\h i j -> u32.i64 (h * 1001 + i * 7 + j))
  let ys = map (map (scan latest 0)) (map (map (map (\x -> if x % 9 == 0 then x else 0))) xs)
  in check (flatten (flatten ys)) + check (flatten (flatten (map transpose ys)))

-- ==
-- entry: maxima
-- input { 3i64 }
-- input { 70001i64 }
entry maxima (n: i64) : u32 =
  let xs = map (\i -> i8.i64 ((i * 7919) % 251)) (iota n)
  let bs = map (\i -> i % 1000 == 999) (iota n)
  let ys = scan i8.max i8.lowest xs
  let cs = scan (||) false bs
  in check (map u32.i8 ys) + check (map (\c -> u32.bool c) cs)

-- ==
-- entry: passed_on
-- input { 70001i64 }
entry passed_on (n: i64) : u32 =
  let xs = map u32.i64 (iota n)
  let ys = map (* 7) xs
  let zs = scan (+) 0 ys
  in check (map2 (^) ys zs)
