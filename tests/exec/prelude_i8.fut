-- The operations of module i8.
-- ==
-- entry: operators
-- input { [13i8, -7i8, 100i8] [5i8, 3i8, 7i8] }
-- output {
--   [18i8, -4i8, 107i8]
--   [8i8, -10i8, 93i8]
--   [65i8, -21i8, -68i8]
--   [2i8, -3i8, 14i8]
--   [3i8, 2i8, 2i8]
--   [2i8, -2i8, 14i8]
--   [3i8, -1i8, 2i8]
--   [93i8, -87i8, 0i8]
--   [5i8, 1i8, 4i8]
--   [13i8, -5i8, 103i8]
--   [8i8, -6i8, 99i8]
--   [-96i8, -56i8, 0i8]
--   [0i8, -1i8, 0i8]
--   [0i8, 31i8, 0i8]
-- }
entry operators (xs: [3]i8) (ys: [3]i8) : ( [3]i8
                                          , [3]i8
                                          , [3]i8
                                          , [3]i8
                                          , [3]i8
                                          , [3]i8
                                          , [3]i8
                                          , [3]i8
                                          , [3]i8
                                          , [3]i8
                                          , [3]i8
                                          , [3]i8
                                          , [3]i8
                                          , [3]i8
                                          ) =
  ( map2 (i8.+) xs ys
  , map2 (i8.-) xs ys
  , map2 (i8.*) xs ys
  , map2 (i8./) xs ys
  , map2 (i8.%) xs ys
  , map2 (i8.//) xs ys
  , map2 (i8.%%) xs ys
  , map2 (i8.**) xs ys
  , map2 (i8.&) xs ys
  , map2 (i8.|) xs ys
  , map2 (i8.^) xs ys
  , map2 (i8.<<) xs ys
  , map2 (i8.>>) xs ys
  , map2 (i8.>>>) xs ys
  )

-- ==
-- entry: comparisons
-- input { [13i8, -7i8, 100i8] [5i8, 3i8, 7i8] }
-- output {
--   [false, false, false] [true, true, true] [false, true, false]
--   [false, true, false] [true, false, true] [true, false, true]
-- }
entry comparisons (xs: [3]i8) (ys: [3]i8) : ([3]bool, [3]bool, [3]bool, [3]bool, [3]bool, [3]bool) =
  ( map2 (i8.==) xs ys
  , map2 (i8.!=) xs ys
  , map2 (i8.<) xs ys
  , map2 (i8.<=) xs ys
  , map2 (i8.>) xs ys
  , map2 (i8.>=) xs ys
  )

-- ==
-- entry: functions
-- input { [13i8, -7i8, 100i8] [5i8, 3i8, 7i8] }
-- output {
--   [-13i8, 7i8, -100i8] [13i8, 7i8, 100i8] [1i8, -1i8, 1i8]
--   [5i8, -7i8, 7i8] [13i8, 3i8, 100i8] [-14i8, 6i8, -101i8]
--   [3i32, 6i32, 3i32] [4i32, 0i32, 1i32] [0i32, 0i32, 2i32]
--   [0i8, -1i8, 2i8] [1i8, 0i8, 3i8]
--   [1i32, 0i32, 1i32] [13i8, -7i8, 108i8]
--   106i8 116i8 100i8 -7i8 127i8 -128i8 8i32 [13i64, -7i64, 100i64]
-- }
entry functions (xs: [3]i8) (ys: [3]i8) : ( [3]i8
                                          , [3]i8
                                          , [3]i8
                                          , [3]i8
                                          , [3]i8
                                          , [3]i8
                                          , [3]i32
                                          , [3]i32
                                          , [3]i32
                                          , [3]i8
                                          , [3]i8
                                          , [3]i32
                                          , [3]i8
                                          , i8
                                          , i8
                                          , i8
                                          , i8
                                          , i8
                                          , i8
                                          , i32
                                          , [3]i64
                                          ) =
  ( map i8.neg xs
  , map i8.abs xs
  , map i8.sgn xs
  , map2 i8.min xs ys
  , map2 i8.max xs ys
  , map i8.not xs
  , map i8.popc xs
  , map i8.clz xs
  , map i8.ctz xs
  , map2 i8.mul_hi xs ys
  , map2 (\x y -> i8.mad_hi x y 1) xs ys
  , map (i8.get_bit 2) xs
  , map (\x -> i8.set_bit 3 x 1) xs
  , i8.sum xs
  , i8.product xs
  , i8.maximum xs
  , i8.minimum xs
  , i8.highest
  , i8.lowest
  , i8.num_bits
  , map i8.to_i64 xs
  )

-- ==
-- entry: conversions
-- input { 5i64 }
-- output { [5i8, 5i8, 5i8, 5i8, 5i8, 5i8, 5i8, 5i8, 5i8, 5i8, 5i8, 1i8] }
entry conversions (x: i64) : [12]i8 =
  [ i8.i8 (i8.i64 x)
  , i8.i16 (i16.i64 x)
  , i8.i32 (i32.i64 x)
  , i8.i64 x
  , i8.u8 (u8.i64 x)
  , i8.u16 (u16.i64 x)
  , i8.u32 (u32.i64 x)
  , i8.u64 (u64.i64 x)
  , i8.f16 (f16.i64 x)
  , i8.f32 (f32.i64 x)
  , i8.f64 (f64.i64 x)
  , i8.bool true
  ]

-- Reductions of nothing.
-- ==
-- entry: empties
-- input { empty([0]i8) }
-- output { 0i8 1i8 -128i8 127i8 }
entry empties (xs: []i8) : (i8, i8, i8, i8) =
  (i8.sum xs, i8.product xs, i8.maximum xs, i8.minimum xs)
