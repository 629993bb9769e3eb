-- The operations of module i16.
-- ==
-- entry: operators
-- input { [13i16, -7i16, 100i16] [5i16, 3i16, 7i16] }
-- output {
--   [18i16, -4i16, 107i16]
--   [8i16, -10i16, 93i16]
--   [65i16, -21i16, 700i16]
--   [2i16, -3i16, 14i16]
--   [3i16, 2i16, 2i16]
--   [2i16, -2i16, 14i16]
--   [3i16, -1i16, 2i16]
--   [-21923i16, -343i16, 16384i16]
--   [5i16, 1i16, 4i16]
--   [13i16, -5i16, 103i16]
--   [8i16, -6i16, 99i16]
--   [416i16, -56i16, 12800i16]
--   [0i16, -1i16, 0i16]
--   [0i16, 8191i16, 0i16]
-- }
entry operators (xs: [3]i16) (ys: [3]i16) : ( [3]i16
                                            , [3]i16
                                            , [3]i16
                                            , [3]i16
                                            , [3]i16
                                            , [3]i16
                                            , [3]i16
                                            , [3]i16
                                            , [3]i16
                                            , [3]i16
                                            , [3]i16
                                            , [3]i16
                                            , [3]i16
                                            , [3]i16
                                            ) =
  ( map2 (i16.+) xs ys
  , map2 (i16.-) xs ys
  , map2 (i16.*) xs ys
  , map2 (i16./) xs ys
  , map2 (i16.%) xs ys
  , map2 (i16.//) xs ys
  , map2 (i16.%%) xs ys
  , map2 (i16.**) xs ys
  , map2 (i16.&) xs ys
  , map2 (i16.|) xs ys
  , map2 (i16.^) xs ys
  , map2 (i16.<<) xs ys
  , map2 (i16.>>) xs ys
  , map2 (i16.>>>) xs ys
  )

-- ==
-- entry: comparisons
-- input { [13i16, -7i16, 100i16] [5i16, 3i16, 7i16] }
-- output {
--   [false, false, false] [true, true, true] [false, true, false]
--   [false, true, false] [true, false, true] [true, false, true]
-- }
entry comparisons (xs: [3]i16) (ys: [3]i16) : ([3]bool, [3]bool, [3]bool, [3]bool, [3]bool, [3]bool) =
  ( map2 (i16.==) xs ys
  , map2 (i16.!=) xs ys
  , map2 (i16.<) xs ys
  , map2 (i16.<=) xs ys
  , map2 (i16.>) xs ys
  , map2 (i16.>=) xs ys
  )

-- ==
-- entry: functions
-- input { [13i16, -7i16, 100i16] [5i16, 3i16, 7i16] }
-- output {
--   [-13i16, 7i16, -100i16] [13i16, 7i16, 100i16] [1i16, -1i16, 1i16]
--   [5i16, -7i16, 7i16] [13i16, 3i16, 100i16] [-14i16, 6i16, -101i16]
--   [3i32, 14i32, 3i32] [12i32, 0i32, 9i32] [0i32, 0i32, 2i32]
--   [0i16, -1i16, 0i16] [1i16, 0i16, 1i16]
--   [1i32, 0i32, 1i32] [13i16, -7i16, 108i16]
--   106i16 -9100i16 100i16 -7i16 32767i16 -32768i16 16i32 [13i64, -7i64, 100i64]
-- }
entry functions (xs: [3]i16) (ys: [3]i16) : ( [3]i16
                                            , [3]i16
                                            , [3]i16
                                            , [3]i16
                                            , [3]i16
                                            , [3]i16
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i16
                                            , [3]i16
                                            , [3]i32
                                            , [3]i16
                                            , i16
                                            , i16
                                            , i16
                                            , i16
                                            , i16
                                            , i16
                                            , i32
                                            , [3]i64
                                            ) =
  ( map i16.neg xs
  , map i16.abs xs
  , map i16.sgn xs
  , map2 i16.min xs ys
  , map2 i16.max xs ys
  , map i16.not xs
  , map i16.popc xs
  , map i16.clz xs
  , map i16.ctz xs
  , map2 i16.mul_hi xs ys
  , map2 (\x y -> i16.mad_hi x y 1) xs ys
  , map (i16.get_bit 2) xs
  , map (\x -> i16.set_bit 3 x 1) xs
  , i16.sum xs
  , i16.product xs
  , i16.maximum xs
  , i16.minimum xs
  , i16.highest
  , i16.lowest
  , i16.num_bits
  , map i16.to_i64 xs
  )

-- ==
-- entry: conversions
-- input { 5i64 }
-- output { [5i16, 5i16, 5i16, 5i16, 5i16, 5i16, 5i16, 5i16, 5i16, 5i16, 5i16, 1i16] }
entry conversions (x: i64) : [12]i16 =
  [ i16.i8 (i8.i64 x)
  , i16.i16 (i16.i64 x)
  , i16.i32 (i32.i64 x)
  , i16.i64 x
  , i16.u8 (u8.i64 x)
  , i16.u16 (u16.i64 x)
  , i16.u32 (u32.i64 x)
  , i16.u64 (u64.i64 x)
  , i16.f16 (f16.i64 x)
  , i16.f32 (f32.i64 x)
  , i16.f64 (f64.i64 x)
  , i16.bool true
  ]

-- Reductions of nothing.
-- ==
-- entry: empties
-- input { empty([0]i16) }
-- output { 0i16 1i16 -32768i16 32767i16 }
entry empties (xs: []i16) : (i16, i16, i16, i16) =
  (i16.sum xs, i16.product xs, i16.maximum xs, i16.minimum xs)
