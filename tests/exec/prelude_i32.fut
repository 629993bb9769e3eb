-- The operations of module i32.
-- ==
-- entry: operators
-- input { [13i32, -7i32, 100i32] [5i32, 3i32, 7i32] }
-- output {
--   [18i32, -4i32, 107i32]
--   [8i32, -10i32, 93i32]
--   [65i32, -21i32, 700i32]
--   [2i32, -3i32, 14i32]
--   [3i32, 2i32, 2i32]
--   [2i32, -2i32, 14i32]
--   [3i32, -1i32, 2i32]
--   [371293i32, -343i32, 276447232i32]
--   [5i32, 1i32, 4i32]
--   [13i32, -5i32, 103i32]
--   [8i32, -6i32, 99i32]
--   [416i32, -56i32, 12800i32]
--   [0i32, -1i32, 0i32]
--   [0i32, 536870911i32, 0i32]
-- }
entry operators (xs: [3]i32) (ys: [3]i32) : ( [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            ) =
  ( map2 (i32.+) xs ys
  , map2 (i32.-) xs ys
  , map2 (i32.*) xs ys
  , map2 (i32./) xs ys
  , map2 (i32.%) xs ys
  , map2 (i32.//) xs ys
  , map2 (i32.%%) xs ys
  , map2 (i32.**) xs ys
  , map2 (i32.&) xs ys
  , map2 (i32.|) xs ys
  , map2 (i32.^) xs ys
  , map2 (i32.<<) xs ys
  , map2 (i32.>>) xs ys
  , map2 (i32.>>>) xs ys
  )

-- ==
-- entry: comparisons
-- input { [13i32, -7i32, 100i32] [5i32, 3i32, 7i32] }
-- output {
--   [false, false, false] [true, true, true] [false, true, false]
--   [false, true, false] [true, false, true] [true, false, true]
-- }
entry comparisons (xs: [3]i32) (ys: [3]i32) : ([3]bool, [3]bool, [3]bool, [3]bool, [3]bool, [3]bool) =
  ( map2 (i32.==) xs ys
  , map2 (i32.!=) xs ys
  , map2 (i32.<) xs ys
  , map2 (i32.<=) xs ys
  , map2 (i32.>) xs ys
  , map2 (i32.>=) xs ys
  )

-- ==
-- entry: functions
-- input { [13i32, -7i32, 100i32] [5i32, 3i32, 7i32] }
-- output {
--   [-13i32, 7i32, -100i32] [13i32, 7i32, 100i32] [1i32, -1i32, 1i32]
--   [5i32, -7i32, 7i32] [13i32, 3i32, 100i32] [-14i32, 6i32, -101i32]
--   [3i32, 30i32, 3i32] [28i32, 0i32, 25i32] [0i32, 0i32, 2i32]
--   [0i32, -1i32, 0i32] [1i32, 0i32, 1i32]
--   [1i32, 0i32, 1i32] [13i32, -7i32, 108i32]
--   106i32 -9100i32 100i32 -7i32 2147483647i32 -2147483648i32 32i32 [13i64, -7i64, 100i64]
-- }
entry functions (xs: [3]i32) (ys: [3]i32) : ( [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , i32
                                            , i32
                                            , i32
                                            , i32
                                            , i32
                                            , i32
                                            , i32
                                            , [3]i64
                                            ) =
  ( map i32.neg xs
  , map i32.abs xs
  , map i32.sgn xs
  , map2 i32.min xs ys
  , map2 i32.max xs ys
  , map i32.not xs
  , map i32.popc xs
  , map i32.clz xs
  , map i32.ctz xs
  , map2 i32.mul_hi xs ys
  , map2 (\x y -> i32.mad_hi x y 1) xs ys
  , map (i32.get_bit 2) xs
  , map (\x -> i32.set_bit 3 x 1) xs
  , i32.sum xs
  , i32.product xs
  , i32.maximum xs
  , i32.minimum xs
  , i32.highest
  , i32.lowest
  , i32.num_bits
  , map i32.to_i64 xs
  )

-- ==
-- entry: conversions
-- input { 5i64 }
-- output { [5i32, 5i32, 5i32, 5i32, 5i32, 5i32, 5i32, 5i32, 5i32, 5i32, 5i32, 1i32] }
entry conversions (x: i64) : [12]i32 =
  [ i32.i8 (i8.i64 x)
  , i32.i16 (i16.i64 x)
  , i32.i32 (i32.i64 x)
  , i32.i64 x
  , i32.u8 (u8.i64 x)
  , i32.u16 (u16.i64 x)
  , i32.u32 (u32.i64 x)
  , i32.u64 (u64.i64 x)
  , i32.f16 (f16.i64 x)
  , i32.f32 (f32.i64 x)
  , i32.f64 (f64.i64 x)
  , i32.bool true
  ]

-- Reductions of nothing.
-- ==
-- entry: empties
-- input { empty([0]i32) }
-- output { 0i32 1i32 -2147483648i32 2147483647i32 }
entry empties (xs: []i32) : (i32, i32, i32, i32) =
  (i32.sum xs, i32.product xs, i32.maximum xs, i32.minimum xs)
