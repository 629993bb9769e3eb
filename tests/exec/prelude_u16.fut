-- The operations of module u16.
-- ==
-- entry: operators
-- input { [13u16, 65529u16, 100u16] [5u16, 3u16, 7u16] }
-- output {
--   [18u16, 65532u16, 107u16]
--   [8u16, 65526u16, 93u16]
--   [65u16, 65515u16, 700u16]
--   [2u16, 21843u16, 14u16]
--   [3u16, 0u16, 2u16]
--   [2u16, 21843u16, 14u16]
--   [3u16, 0u16, 2u16]
--   [43613u16, 65193u16, 16384u16]
--   [5u16, 1u16, 4u16]
--   [13u16, 65531u16, 103u16]
--   [8u16, 65530u16, 99u16]
--   [416u16, 65480u16, 12800u16]
--   [0u16, 8191u16, 0u16]
--   [0u16, 8191u16, 0u16]
-- }
entry operators (xs: [3]u16) (ys: [3]u16) : ( [3]u16
                                            , [3]u16
                                            , [3]u16
                                            , [3]u16
                                            , [3]u16
                                            , [3]u16
                                            , [3]u16
                                            , [3]u16
                                            , [3]u16
                                            , [3]u16
                                            , [3]u16
                                            , [3]u16
                                            , [3]u16
                                            , [3]u16
                                            ) =
  ( map2 (u16.+) xs ys
  , map2 (u16.-) xs ys
  , map2 (u16.*) xs ys
  , map2 (u16./) xs ys
  , map2 (u16.%) xs ys
  , map2 (u16.//) xs ys
  , map2 (u16.%%) xs ys
  , map2 (u16.**) xs ys
  , map2 (u16.&) xs ys
  , map2 (u16.|) xs ys
  , map2 (u16.^) xs ys
  , map2 (u16.<<) xs ys
  , map2 (u16.>>) xs ys
  , map2 (u16.>>>) xs ys
  )

-- ==
-- entry: comparisons
-- input { [13u16, 65529u16, 100u16] [5u16, 3u16, 7u16] }
-- output {
--   [false, false, false] [true, true, true] [false, false, false]
--   [false, false, false] [true, true, true] [true, true, true]
-- }
entry comparisons (xs: [3]u16) (ys: [3]u16) : ([3]bool, [3]bool, [3]bool, [3]bool, [3]bool, [3]bool) =
  ( map2 (u16.==) xs ys
  , map2 (u16.!=) xs ys
  , map2 (u16.<) xs ys
  , map2 (u16.<=) xs ys
  , map2 (u16.>) xs ys
  , map2 (u16.>=) xs ys
  )

-- ==
-- entry: functions
-- input { [13u16, 65529u16, 100u16] [5u16, 3u16, 7u16] }
-- output {
--   [65523u16, 7u16, 65436u16] [13u16, 65529u16, 100u16] [1u16, 1u16, 1u16]
--   [5u16, 3u16, 7u16] [13u16, 65529u16, 100u16] [65522u16, 6u16, 65435u16]
--   [3i32, 14i32, 3i32] [12i32, 0i32, 9i32] [0i32, 0i32, 2i32]
--   [0u16, 2u16, 0u16] [1u16, 3u16, 1u16]
--   [1i32, 0i32, 1i32] [13u16, 65529u16, 108u16]
--   106u16 56436u16 65529u16 13u16 65535u16 0u16 16i32 [13i64, 65529i64, 100i64]
-- }
entry functions (xs: [3]u16) (ys: [3]u16) : ( [3]u16
                                            , [3]u16
                                            , [3]u16
                                            , [3]u16
                                            , [3]u16
                                            , [3]u16
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]u16
                                            , [3]u16
                                            , [3]i32
                                            , [3]u16
                                            , u16
                                            , u16
                                            , u16
                                            , u16
                                            , u16
                                            , u16
                                            , i32
                                            , [3]i64
                                            ) =
  ( map u16.neg xs
  , map u16.abs xs
  , map u16.sgn xs
  , map2 u16.min xs ys
  , map2 u16.max xs ys
  , map u16.not xs
  , map u16.popc xs
  , map u16.clz xs
  , map u16.ctz xs
  , map2 u16.mul_hi xs ys
  , map2 (\x y -> u16.mad_hi x y 1) xs ys
  , map (u16.get_bit 2) xs
  , map (\x -> u16.set_bit 3 x 1) xs
  , u16.sum xs
  , u16.product xs
  , u16.maximum xs
  , u16.minimum xs
  , u16.highest
  , u16.lowest
  , u16.num_bits
  , map u16.to_i64 xs
  )

-- ==
-- entry: conversions
-- input { 5i64 }
-- output { [5u16, 5u16, 5u16, 5u16, 5u16, 5u16, 5u16, 5u16, 5u16, 5u16, 5u16, 1u16] }
entry conversions (x: i64) : [12]u16 =
  [ u16.i8 (i8.i64 x)
  , u16.i16 (i16.i64 x)
  , u16.i32 (i32.i64 x)
  , u16.i64 x
  , u16.u8 (u8.i64 x)
  , u16.u16 (u16.i64 x)
  , u16.u32 (u32.i64 x)
  , u16.u64 (u64.i64 x)
  , u16.f16 (f16.i64 x)
  , u16.f32 (f32.i64 x)
  , u16.f64 (f64.i64 x)
  , u16.bool true
  ]

-- Reductions of nothing.
-- ==
-- entry: empties
-- input { empty([0]u16) }
-- output { 0u16 1u16 0u16 65535u16 }
entry empties (xs: []u16) : (u16, u16, u16, u16) =
  (u16.sum xs, u16.product xs, u16.maximum xs, u16.minimum xs)
