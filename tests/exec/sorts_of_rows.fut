-- Sorts in nests: all rows together on the gpu engine, few elements as networks of comparisons on
-- every engine.

-- ==
-- entry: rows
-- input { [[3f32,1,2],[f32.nan,-1,0]] }
-- output { [[1.0f32, 2.0f32, 3.0f32], [-1.0f32, 0.0f32, f32.nan]] }
-- input { empty([3][0]f32) }
-- output { empty([3][0]f32) }
entry rows [n] [m] (xs: [n][m]f32) = map f32.sort xs

-- ==
-- entry: by_key
-- input { [[3i64,1,3,1],[5,4,3,2]] [[1i32,2,3,4],[1,2,3,4]] }
-- output { [[1i64, 1i64, 3i64, 3i64], [2i64, 3i64, 4i64, 5i64]] [[2i32, 4i32, 1i32, 3i32], [4i32, 3i32, 2i32, 1i32]] }
entry by_key [n] [m] (xs: [n][m]i64) (ys: [n][m]i32) =
  map2 (\x y -> unzip (i64.sort_by_key (.0) (zip x y))) xs ys

-- ==
-- entry: orders
-- input { [[3u8,1,3,1],[5,4,3,2],[0,0,0,0]] }
-- output { [[1i64, 3i64, 0i64, 2i64], [3i64, 2i64, 1i64, 0i64], [0i64, 1i64, 2i64, 3i64]] }
entry orders [n] [m] (xs: [n][m]u8) = map u8.sort_order xs

-- ==
-- entry: planes
-- input { [[[3i16,1,2],[4,3,9]],[[1,0,0],[5,2,1]]] }
-- output { [[[17i16, 18i16, 19i16], [19i16, 20i16, 25i16]], [[8i16, 8i16, 9i16], [9i16, 10i16, 13i16]]] }
-- input { empty([2][0][3]i16) }
-- output { empty([2][0][3]i16) }
entry planes [k] [n] [m] (xs: [k][n][m]i16) =
  map (\plane -> let top = i16.maximum (map (\r -> i16.sum r) plane) in map (\r -> map (+ top) (i16.sort r)) plane) xs

-- Values cross from before a sort to behind it; the sorted row is changed in place.
-- ==
-- entry: around
-- input { [[3f64,1,2],[9,8,-7]] }
-- output { [[6.0f64, -4.0f64, -3.0f64], [10.0f64, -2.0f64, -1.0f64]] [1.0f64, 1.0f64] }
entry around [n] [m] (xs: [n][m]f64) =
  map (\r ->
         let s = f64.sum r
         let centred = map (\x -> x - s) r
         let sorted = f64.sort centred
         let again = f64.sort (map (\x -> f64.abs (x - sorted[m / 2])) centred)
         in (sorted with [0] = s, again[m / 2]))
      xs

-- ==
-- entry: columns
-- input { [[3f32,1],[2,5],[7,8]] [3u16,1,2] }
-- output { [[2.0f32, 7.0f32, 3.0f32], [5.0f32, 8.0f32, 1.0f32]] }
entry columns [n] [m] (xs: [n][m]f32) (keys: [n]u16) = map (\c -> map (.1) (u16.sort_by_key (.0) (zip keys c))) (transpose xs)

-- ==
-- entry: in_loop
-- input { [[3i32,1,2],[9,8,-7]] 3i32 }
-- output { [[3i32, 2i32, -2i32], [9i32, 10i32, -8i32]] }
entry in_loop [n] [m] (xs: [n][m]i32) (steps: i32) =
  loop xs for k < steps do map (\r -> map2 (\x i -> x * (if i % 2 == 0 then -1 else 1) + k) (i32.sort r) (iota m)) (transpose (transpose xs))

-- ==
-- entry: chosen
-- input { [[3i32,1,2],[-9,8,-7]] }
-- output { [[1i32, 2i32, 3i32], [-7i32, 8i32, -9i32]] }
entry chosen [n] [m] (xs: [n][m]i32) =
  map (\r -> if r[0] > 0 then i32.sort r else reverse r) xs

-- ==
-- entry: median
-- input { [3f32,1,2,9,8,-7] }
-- output { [3.0f32, 3.0f32, 3.0f32, 2.0f32, 2.0f32, -7.0f32] }
entry median [n] (xs: [n]f32) =
  tabulate n (\i -> (f32.sort (tabulate 5 (\k -> xs[i64.max 0 (i64.min (n - 1) (i + k - 2))])))[2])

-- ==
-- entry: pairs
-- input { [[3i8,1,2,1,2,3],[1,1,1,1,0,0]] }
-- output { [[1i64, 3i64, 2i64, 4i64, 0i64, 5i64], [4i64, 5i64, 0i64, 1i64, 2i64, 3i64]] }
entry pairs [n] (xs: [n][6]i8) = map i8.sort_order xs

-- ==
-- entry: neighbours
-- input { [[3i32,1,2,4],[9,8,7,1],[0,2,4,3]] }
-- output { [[3i32, 3i32, 2i32, 4i32], [3i32, 3i32, 3i32, 3i32], [2i32, 4i32, 3i32, 3i32]] }
entry neighbours [n] [m] (xs: [n][m]i32) =
  stencil_2d (tabulate 9 (\k -> (k / 3 - 1, k % 3 - 1))) (\() v -> (i32.sort v)[4]) (replicate n (replicate m ())) xs
