-- Scans along another axis than the last one, under every variant: of few and of many columns,
-- around the borders of chunks, with views, maps and levels of all kinds around them.
-- tolerance: exact
def data (n: i64) (m: i64) : [n][m]u32 =
  tabulate_2d n m (\i j -> u32.i64 ((i * 7919 + j * 104729) % 1021))

def check2 [n] [m] (xs: [n][m]u32) : u32 =
  let at i j = u32.i64 (i * m + j) * 2 + 1
  in u32.sum (flatten (map2 (\i row -> map2 (\j x -> x * at i j) (iota m) row) (iota n) xs))

def check3 [l] [n] [m] (xs: [l][n][m]u32) : u32 =
  u32.sum (map2 (\k x -> check2 x * (u32.i64 k * 2 + 1)) (iota l) xs)

-- ==
-- entry: columns by_rows as_columns
-- input { 0i64 0i64 }
-- input { 0i64 5i64 }
-- input { 5i64 0i64 }
-- input { 1i64 1i64 }
-- input { 1i64 7i64 }
-- input { 2i64 3i64 }
-- input { 3i64 2i64 }
-- input { 7i64 8i64 }
-- input { 63i64 64i64 }
-- input { 64i64 63i64 }
-- input { 65i64 5i64 }
-- input { 127i64 4i64 }
-- input { 128i64 257i64 }
-- input { 129i64 31i64 }
-- input { 1000i64 3i64 }
-- input { 4099i64 8i64 }
-- input { 20011i64 5i64 }
-- input { 3i64 1999i64 }
-- input { 1500i64 70i64 }
-- input { 700i64 33i64 }
entry columns (n: i64) (m: i64) : u32 =
  check2 (transpose (map (scan (+) 0) (transpose (data n m))))

-- The same with an operator on rows.
entry by_rows (n: i64) (m: i64) : u32 =
  check2 (scan (map2 (+)) (replicate m 0) (data n m))

entry as_columns (n: i64) (m: i64) : u32 =
  let columns = map (scan (+) 0) (transpose (data n m))
  in check2 columns + 3 * check2 (transpose columns)

-- ==
-- entry: middle outer
-- input { 0i64 3i64 3i64 }
-- input { 2i64 0i64 3i64 }
-- input { 2i64 3i64 0i64 }
-- input { 1i64 1i64 1i64 }
-- input { 2i64 3i64 5i64 }
-- input { 5i64 130i64 4i64 }
-- input { 3i64 300i64 33i64 }
-- input { 130i64 3i64 33i64 }
-- input { 40i64 65i64 7i64 }
-- input { 700i64 2i64 9i64 }
entry middle (l: i64) (n: i64) (m: i64) : u32 =
  let xs = tabulate l (\k -> map (map (+ u32.i64 k)) (data n m))
  in check3 (map (\x -> transpose (map (scan (+) 0) (transpose x))) xs)

entry outer (l: i64) (n: i64) (m: i64) : u32 =
  let xs = tabulate l (\k -> map (map (+ u32.i64 k)) (data n m))
  in check3 (scan (map2 (map2 (+))) (replicate n (replicate m 0)) xs)

-- Composition of x -> a x + b modulo 2^32: not commutative, a tuple.
def after (a: u32, b: u32) (c: u32, d: u32) = (a * c, b * c + d)

-- ==
-- entry: pairs rows_of_pairs
-- input { 1i64 9i64 }
-- input { 66i64 9i64 }
-- input { 777i64 40i64 }
-- input { 9001i64 6i64 }
entry pairs (n: i64) (m: i64) : u32 =
  let xs = map (map (\x -> (x % 5 * 2 + 1, x))) (data n m)
  let ys = transpose (map (scan after (1, 0)) (transpose xs))
  in check2 (map (map (.0)) ys) + 5 * check2 (map (map (.1)) ys)

entry rows_of_pairs (n: i64) (m: i64) : u32 =
  let xs = map (map (\x -> (x % 5 * 2 + 1, x))) (data n m)
  let ys = scan (map2 after) (replicate m (1, 0)) xs
  in check2 (map (map (.0)) ys) + 5 * check2 (map (map (.1)) ys)

-- Values of columns, what stands between the levels, and results of the map beside the scan.
-- ==
-- entry: with_maps
-- input { 3i64 5i64 }
-- input { 200i64 17i64 }
-- input { 3000i64 6i64 }
entry with_maps (n: i64) (m: i64) : u32 =
  let xs = data n m
  let (ys, zs) =
    unzip (map2 (\j column ->
                   let factor = u32.i64 (j % 3) + 1
                   let times = map (\x -> if x > 500 then x * factor else x + factor) column
                   in (scan (^) 0 times, times))
                (iota m)
                (transpose xs))
  in check2 (transpose ys) + 7 * check2 (transpose zs)

-- Other types, and neutral elements that are not zero.
def down [n] [m] 'a 'b (op: b -> b -> b) (ne: b) (f: a -> b) (xs: [n][m]a) : [n][m]b =
  map (map f) xs |> transpose |> map (scan op ne) |> transpose

-- ==
-- entry: types
-- input { 1i64 4i64 }
-- input { 300i64 9i64 }
-- input { 5000i64 5i64 }
entry types (n: i64) (m: i64) : u32 =
  let xs = data n m
  let bytes = down i8.max (-128) (\x -> i8.u32 (x % 200)) xs
  let shorts = down (+) 0 u16.u32 xs
  let longs = down (+) 0 (\x -> i64.u32 x << 33) xs
  let both = down (&&) true (!= 17) xs
  let doubles = down f64.min f64.inf (\x -> f64.u32 x * 0.5) xs
  in check2 (map (map u32.i8) bytes) + check2 (map (map u32.u16) shorts)
     + check2 (map (map (\x -> u32.i64 (x >> 31))) longs)
     + check2 (map (map u32.bool) both)
     + check2 (map (map (\x -> u32.f64 (x * 2))) doubles)

-- Chunks of float sums have an order; whole numbers are exact in any.
-- ==
-- entry: floats
-- input { 2i64 6i64 }
-- input { 4097i64 6i64 }
entry floats (n: i64) (m: i64) : u32 =
  let ys = scan (map2 (+)) (replicate m 0f32) (map (map (\x -> f32.u32 (x % 4))) (data n m))
  in check2 (map (map u32.f32) ys)

-- Results that loops carry, and that are overwritten.
-- ==
-- entry: again
-- input { 3i64 4i64 5i32 }
-- input { 150i64 20i64 3i32 }
entry again (n: i64) (m: i64) (times: i32) : u32 =
  let ys =
    loop ys = data n m
    for _i < times do
      let zs = down (+) 0 id ys
      in zs with [n / 2, m / 2] = 1
  in check2 ys + check2 (transpose (down (+) 0 id (transpose (down (+) 0 id ys))))

-- The scanned axis is the last of three and the first or the second one in memory; the last one in
-- memory is the first or the second.
-- ==
-- entry: turned
-- input { 3i64 4i64 5i64 }
-- input { 70i64 9i64 11i64 }
-- input { 5i64 140i64 6i64 }
entry turned (l: i64) (n: i64) (m: i64) : u32 =
  let xs = tabulate l (\k -> map (map (* (u32.i64 k + 1))) (data n m))
  let a = map (map (scan (+) 0)) (map transpose (transpose (map transpose xs))) -- m, n, l
  let b = map (map (scan (+) 0)) (transpose (map transpose xs)) -- m, l, n
  let c = map (map (scan (+) 0)) (map transpose (transpose xs)) -- n, m, l
  in check3 a + 3 * check3 b + 5 * check3 (transpose c) + 7 * check3 (map transpose (transpose c))

-- Rows that end within a vector: what lies behind the array is not divided by.
-- ==
-- entry: quotients
-- input { 67i64 3i64 }
-- input { 71i64 2i64 }
-- input { 3i64 2i64 }
-- input { 67i64 5i64 }
entry quotients (n: i64) (m: i64) : u32 =
  check2 (scan (map2 (+)) (replicate m 0) (map (map (\x -> 100000 / (x + 1))) (data n m)))
