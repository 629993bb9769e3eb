-- The operations of module i64.
-- ==
-- entry: operators
-- input { [13i64, -7i64, 100i64] [5i64, 3i64, 7i64] }
-- output {
--   [18i64, -4i64, 107i64]
--   [8i64, -10i64, 93i64]
--   [65i64, -21i64, 700i64]
--   [2i64, -3i64, 14i64]
--   [3i64, 2i64, 2i64]
--   [2i64, -2i64, 14i64]
--   [3i64, -1i64, 2i64]
--   [371293i64, -343i64, 100000000000000i64]
--   [5i64, 1i64, 4i64]
--   [13i64, -5i64, 103i64]
--   [8i64, -6i64, 99i64]
--   [416i64, -56i64, 12800i64]
--   [0i64, -1i64, 0i64]
--   [0i64, 2305843009213693951i64, 0i64]
-- }
entry operators (xs: [3]i64) (ys: [3]i64) : ( [3]i64
                                            , [3]i64
                                            , [3]i64
                                            , [3]i64
                                            , [3]i64
                                            , [3]i64
                                            , [3]i64
                                            , [3]i64
                                            , [3]i64
                                            , [3]i64
                                            , [3]i64
                                            , [3]i64
                                            , [3]i64
                                            , [3]i64
                                            ) =
  ( map2 (i64.+) xs ys
  , map2 (i64.-) xs ys
  , map2 (i64.*) xs ys
  , map2 (i64./) xs ys
  , map2 (i64.%) xs ys
  , map2 (i64.//) xs ys
  , map2 (i64.%%) xs ys
  , map2 (i64.**) xs ys
  , map2 (i64.&) xs ys
  , map2 (i64.|) xs ys
  , map2 (i64.^) xs ys
  , map2 (i64.<<) xs ys
  , map2 (i64.>>) xs ys
  , map2 (i64.>>>) xs ys
  )

-- ==
-- entry: comparisons
-- input { [13i64, -7i64, 100i64] [5i64, 3i64, 7i64] }
-- output {
--   [false, false, false] [true, true, true] [false, true, false]
--   [false, true, false] [true, false, true] [true, false, true]
-- }
entry comparisons (xs: [3]i64) (ys: [3]i64) : ([3]bool, [3]bool, [3]bool, [3]bool, [3]bool, [3]bool) =
  ( map2 (i64.==) xs ys
  , map2 (i64.!=) xs ys
  , map2 (i64.<) xs ys
  , map2 (i64.<=) xs ys
  , map2 (i64.>) xs ys
  , map2 (i64.>=) xs ys
  )

-- ==
-- entry: functions
-- input { [13i64, -7i64, 100i64] [5i64, 3i64, 7i64] }
-- output {
--   [-13i64, 7i64, -100i64] [13i64, 7i64, 100i64] [1i64, -1i64, 1i64]
--   [5i64, -7i64, 7i64] [13i64, 3i64, 100i64] [-14i64, 6i64, -101i64]
--   [3i32, 62i32, 3i32] [60i32, 0i32, 57i32] [0i32, 0i32, 2i32]
--   [0i64, -1i64, 0i64] [1i64, 0i64, 1i64]
--   [1i32, 0i32, 1i32] [13i64, -7i64, 108i64]
--   106i64 -9100i64 100i64 -7i64 9223372036854775807i64 -9223372036854775808i64 64i32 [13i64,
--   -7i64, 100i64]
-- }
entry functions (xs: [3]i64) (ys: [3]i64) : ( [3]i64
                                            , [3]i64
                                            , [3]i64
                                            , [3]i64
                                            , [3]i64
                                            , [3]i64
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i64
                                            , [3]i64
                                            , [3]i32
                                            , [3]i64
                                            , i64
                                            , i64
                                            , i64
                                            , i64
                                            , i64
                                            , i64
                                            , i32
                                            , [3]i64
                                            ) =
  ( map i64.neg xs
  , map i64.abs xs
  , map i64.sgn xs
  , map2 i64.min xs ys
  , map2 i64.max xs ys
  , map i64.not xs
  , map i64.popc xs
  , map i64.clz xs
  , map i64.ctz xs
  , map2 i64.mul_hi xs ys
  , map2 (\x y -> i64.mad_hi x y 1) xs ys
  , map (i64.get_bit 2) xs
  , map (\x -> i64.set_bit 3 x 1) xs
  , i64.sum xs
  , i64.product xs
  , i64.maximum xs
  , i64.minimum xs
  , i64.highest
  , i64.lowest
  , i64.num_bits
  , map i64.to_i64 xs
  )

-- ==
-- entry: conversions
-- input { 5i64 }
-- output { [5i64, 5i64, 5i64, 5i64, 5i64, 5i64, 5i64, 5i64, 5i64, 5i64, 5i64, 1i64] }
entry conversions (x: i64) : [12]i64 =
  [ i64.i8 (i8.i64 x)
  , i64.i16 (i16.i64 x)
  , i64.i32 (i32.i64 x)
  , i64.i64 x
  , i64.u8 (u8.i64 x)
  , i64.u16 (u16.i64 x)
  , i64.u32 (u32.i64 x)
  , i64.u64 (u64.i64 x)
  , i64.f16 (f16.i64 x)
  , i64.f32 (f32.i64 x)
  , i64.f64 (f64.i64 x)
  , i64.bool true
  ]

-- Reductions of nothing.
-- ==
-- entry: empties
-- input { empty([0]i64) }
-- output { 0i64 1i64 -9223372036854775808i64 9223372036854775807i64 }
entry empties (xs: []i64) : (i64, i64, i64, i64) =
  (i64.sum xs, i64.product xs, i64.maximum xs, i64.minimum xs)
