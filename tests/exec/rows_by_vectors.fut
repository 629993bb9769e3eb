-- Short rows of elements of one, two, four and eight bytes, which pass through shared memory by
-- vectors, and scans of such rows; the last ones of an array are no whole vectors.
entry u8s (n: i64) (m: i64) : [n][m]u8 = tabulate_2d n m (\i j -> u8.i64 (i + j))
entry i16s (n: i64) (m: i64) : [n][m]i16 = tabulate_2d n m (\i j -> i16.i64 (i * 7 - j * 1000))
entry f16s (n: i64) (m: i64) : [n][m]f16 = tabulate_2d n m (\i j -> f16.i64 ((i ^ j) & 7))
entry i32s (n: i64) (m: i64) : [n][m]i32 = tabulate_2d n m (\i j -> i32.i64 (i * 5 - j))

entry picture (h: i64) (w: i64) : [h][w][3]u8 =
  tabulate_3d h w 3 (\i j k -> u8.i64 (i * 7 + j * 3 + k * 50))

-- ==
-- entry: bytes
-- input { [[0u8, 1u8, 2u8], [1u8, 2u8, 3u8]] } output { [[3u8, 6u8, 9u8], [9u8, 12u8, 15u8]] }
-- script input { u8s 0i64 3i64 }
-- script input { u8s 40001i64 3i64 }
-- script input { u8s 33000i64 4i64 }
-- script input { u8s 32771i64 16i64 }
-- script input { u8s 33001i64 1i64 }
-- script input { u8s 33001i64 0i64 }
-- script input { u8s 33001i64 17i64 }
entry bytes [n] [m] (xs: [n][m]u8) : [n][m]u8 =
  map (\row -> let s = reduce (+) 0 row in map (\x -> x * 3 + s) row) xs

-- ==
-- entry: shorts
-- script input { i16s 70i64 2i64 }
-- script input { i16s 40001i64 5i64 }
-- script input { i16s 32769i64 8i64 }
entry shorts [n] [m] (xs: [n][m]i16) : [n][m]i16 =
  map (\row -> let s = reduce i16.max i16.lowest row in map (\x -> x - s) row) xs

-- ==
-- entry: halves
-- script input { f16s 40001i64 3i64 }
-- script input { f16s 32769i64 4i64 }
entry halves [n] [m] (xs: [n][m]f16) : [n][m]f16 =
  map (\row -> let s = reduce (+) 0 row in map (\x -> x * 0.5 + s) row) xs

-- Sums of rows of bytes are numbers.
-- ==
-- entry: totals
-- script input { u8s 40001i64 3i64 }
-- script input { u8s 40001i64 7i64 }
entry totals [n] [m] (xs: [n][m]u8) : ([n]i32, [n]u8) =
  unzip (map (\row -> (i32.sum (map i32.u8 row), u8.maximum row)) xs)

-- Colours of pixels: rows of known length, bytes beside numbers.
-- ==
-- entry: colours
-- script input { picture 3i64 5i64 }
-- script input { picture 200i64 201i64 }
-- script input { picture 0i64 9i64 }
entry colours [h] [w] (pixels: [h][w][3]u8) : ([h][w][3]u8, [h][w][3]f32) =
  let grey (p: [3]u8) = (i32.u8 p[0] * 2 + i32.u8 p[1] * 5 + i32.u8 p[2]) / 8
  let pixel (p: [3]u8): ([3]u8, [3]f32) =
    let g = grey p
    in (map (\c -> u8.i32 ((i32.u8 c + g) / 2)) p, map (\c -> f32.u8 c / 256) p)
  in unzip (map unzip (map (map pixel) pixels))

-- Parts of an array begin anywhere.
-- ==
-- entry: parts
-- script input { i32s 40001i64 3i64 }
-- script input { i32s 40001i64 4i64 }
entry parts [n] [m] (xs: [n][m]i32) : ([][m]i32, [n]i32) =
  (map (\row -> scan (+) 0 row) xs[1:], map (\row -> row[0] * row[m - 1]) xs)

-- ==
-- entry: scans
-- input { 4i64 3i64 } output { [[0i32, 1i32, 3i32], [1i32, 1i32, 4i32], [2i32, 5i32, 5i32], [3i32, 5i32, 6i32]] }
-- input { 40001i64 2i64 }
-- input { 40001i64 3i64 }
-- input { 32770i64 4i64 }
-- input { 32771i64 15i64 }
-- input { 32771i64 16i64 }
-- input { 32771i64 17i64 }
-- input { 32771i64 1i64 }
-- input { 32771i64 0i64 }
entry scans (n: i64) (m: i64) : [n][m]i32 = map (scan (+) 0) (tabulate_2d n m (\i j -> i32.i64 (i ^ j)))

-- Operators that do not commute; several results of a scan, one of which nothing reads.
-- ==
-- entry: pairs
-- input { 40001i64 5i64 }
-- input { 33000i64 4i64 }
entry pairs (n: i64) (m: i64) : ([n][m]i64, [n][m]i64) =
  let after (a: i64, b: i64) (c: i64, d: i64) = (a * c & 255, b * c + d & 255)
  let both = tabulate_2d n m (\i j -> (i & 3, j - 1))
  let sums = map (map (.1)) (map (scan after (1, 0)) both)
  in (sums, map (scan (+) 0) sums)

-- A scan's operator fails in one row.
-- ==
-- entry: fails
-- input { 40001i64 50000i32 }
-- input { 40001i64 777i32 } error: division by zero
entry fails (n: i64) (row: i32) : [n][3]i32 =
  map (scan (\a b -> if a == row * 7 then b / (a - row * 7) else a + b) 0)
      (tabulate_2d n 3 (\i j -> i32.i64 (i * 7 + j)))

-- Rows of known odd length, of one array and of two.
-- ==
-- entry: known_scans
-- script input { i32s 4i64 3i64 }
-- script input { i32s 40001i64 3i64 }
-- script input { i32s 0i64 3i64 }
entry known_scans [n] (xs: [n][3]i32) : ([n][3]i32, [n][3]i64) =
  ( map (scan (*) 1) xs
  , map (\row -> scan i64.max i64.lowest (map i64.i32 row)) xs
  )
