-- Kernels that scan or reduce store the other results of their map four elements at a time. Sizes
-- around multiples of four; rows that begin inside a vector; elements of 1 to 8 bytes.

def made (n: i64) : [n]i32 = map (\i -> i32.i64 (i * 7919 % 1021)) (iota n)

-- ==
-- entry: scanned
-- input { 0i64 }
-- output { empty([0]i32) empty([0]i32) empty([0]u8) empty([0]f64) }
-- input { 5i64 }
-- output { [1i32, 774i32, 1298i32, 1573i32, 1599i32] [1i32, 773i32, 524i32, 275i32, 26i32]
--          [0u8, 4u8, 11u8, 18u8, 25u8] [0f64, 772f64, 523f64, 274f64, 25f64] }
-- input { 1027i64 }
-- input { 20001i64 }
entry scanned (n: i64) =
  let xs = made n
  let ys = map (+ 1) xs
  in (scan (+) 0 ys, ys, map u8.i32 xs, map f64.i32 xs)

-- ==
-- entry: summed
-- input { 3i64 }
-- output { 1298i32 [1i32, 773i32, 524i32] [0i16, 772i16, 523i16] }
-- input { 4100i64 }
-- input { 30003i64 }
entry summed (n: i64) =
  let xs = made n
  let ys = map (+ 1) xs
  in (i32.sum ys, ys, map i16.i32 xs)

-- ==
-- entry: rows_scanned rows_summed
-- input { 3i64 5i64 }
-- input { 7i64 1000i64 }
-- input { 300i64 7i64 }
-- input { 2i64 20003i64 }
-- input { 5i64 4096i64 }
entry rows_scanned (m: i64) (n: i64) =
  let row xs = let ys = map (+ 1) xs in (scan (+) 0 ys, ys)
  in unzip (map row (tabulate_2d m n (\i j -> i32.i64 (i * 77 + j * 7919 % 1021))))

entry rows_summed (m: i64) (n: i64) =
  let row xs = let ys = map (+ 1) xs in (i32.sum ys, ys)
  in unzip (map row (tabulate_2d m n (\i j -> i32.i64 (i * 77 + j * 7919 % 1021))))

-- Operators that take elements in order.

-- ==
-- entry: composed
-- input { 5i64 }
-- input { 4097i64 }
-- input { 70001i64 }
entry composed (n: i64) =
  let ys = map (+ 1) (made n)
  let (a, b) = reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip ys (map (3 *) ys))
  in (a, b, ys)
