-- The operations of module u8.
-- ==
-- entry: operators
-- input { [13u8, 249u8, 100u8] [5u8, 3u8, 7u8] }
-- output {
--   [18u8, 252u8, 107u8]
--   [8u8, 246u8, 93u8]
--   [65u8, 235u8, 188u8]
--   [2u8, 83u8, 14u8]
--   [3u8, 0u8, 2u8]
--   [2u8, 83u8, 14u8]
--   [3u8, 0u8, 2u8]
--   [93u8, 169u8, 0u8]
--   [5u8, 1u8, 4u8]
--   [13u8, 251u8, 103u8]
--   [8u8, 250u8, 99u8]
--   [160u8, 200u8, 0u8]
--   [0u8, 31u8, 0u8]
--   [0u8, 31u8, 0u8]
-- }
entry operators (xs: [3]u8) (ys: [3]u8) : ( [3]u8
                                          , [3]u8
                                          , [3]u8
                                          , [3]u8
                                          , [3]u8
                                          , [3]u8
                                          , [3]u8
                                          , [3]u8
                                          , [3]u8
                                          , [3]u8
                                          , [3]u8
                                          , [3]u8
                                          , [3]u8
                                          , [3]u8
                                          ) =
  ( map2 (u8.+) xs ys
  , map2 (u8.-) xs ys
  , map2 (u8.*) xs ys
  , map2 (u8./) xs ys
  , map2 (u8.%) xs ys
  , map2 (u8.//) xs ys
  , map2 (u8.%%) xs ys
  , map2 (u8.**) xs ys
  , map2 (u8.&) xs ys
  , map2 (u8.|) xs ys
  , map2 (u8.^) xs ys
  , map2 (u8.<<) xs ys
  , map2 (u8.>>) xs ys
  , map2 (u8.>>>) xs ys
  )

-- ==
-- entry: comparisons
-- input { [13u8, 249u8, 100u8] [5u8, 3u8, 7u8] }
-- output {
--   [false, false, false] [true, true, true] [false, false, false]
--   [false, false, false] [true, true, true] [true, true, true]
-- }
entry comparisons (xs: [3]u8) (ys: [3]u8) : ([3]bool, [3]bool, [3]bool, [3]bool, [3]bool, [3]bool) =
  ( map2 (u8.==) xs ys
  , map2 (u8.!=) xs ys
  , map2 (u8.<) xs ys
  , map2 (u8.<=) xs ys
  , map2 (u8.>) xs ys
  , map2 (u8.>=) xs ys
  )

-- ==
-- entry: functions
-- input { [13u8, 249u8, 100u8] [5u8, 3u8, 7u8] }
-- output {
--   [243u8, 7u8, 156u8] [13u8, 249u8, 100u8] [1u8, 1u8, 1u8]
--   [5u8, 3u8, 7u8] [13u8, 249u8, 100u8] [242u8, 6u8, 155u8]
--   [3i32, 6i32, 3i32] [4i32, 0i32, 1i32] [0i32, 0i32, 2i32]
--   [0u8, 2u8, 2u8] [1u8, 3u8, 3u8]
--   [1i32, 0i32, 1i32] [13u8, 249u8, 108u8]
--   106u8 116u8 249u8 13u8 255u8 0u8 8i32 [13i64, 249i64, 100i64]
-- }
entry functions (xs: [3]u8) (ys: [3]u8) : ( [3]u8
                                          , [3]u8
                                          , [3]u8
                                          , [3]u8
                                          , [3]u8
                                          , [3]u8
                                          , [3]i32
                                          , [3]i32
                                          , [3]i32
                                          , [3]u8
                                          , [3]u8
                                          , [3]i32
                                          , [3]u8
                                          , u8
                                          , u8
                                          , u8
                                          , u8
                                          , u8
                                          , u8
                                          , i32
                                          , [3]i64
                                          ) =
  ( map u8.neg xs
  , map u8.abs xs
  , map u8.sgn xs
  , map2 u8.min xs ys
  , map2 u8.max xs ys
  , map u8.not xs
  , map u8.popc xs
  , map u8.clz xs
  , map u8.ctz xs
  , map2 u8.mul_hi xs ys
  , map2 (\x y -> u8.mad_hi x y 1) xs ys
  , map (u8.get_bit 2) xs
  , map (\x -> u8.set_bit 3 x 1) xs
  , u8.sum xs
  , u8.product xs
  , u8.maximum xs
  , u8.minimum xs
  , u8.highest
  , u8.lowest
  , u8.num_bits
  , map u8.to_i64 xs
  )

-- ==
-- entry: conversions
-- input { 5i64 }
-- output { [5u8, 5u8, 5u8, 5u8, 5u8, 5u8, 5u8, 5u8, 5u8, 5u8, 5u8, 1u8] }
entry conversions (x: i64) : [12]u8 =
  [ u8.i8 (i8.i64 x)
  , u8.i16 (i16.i64 x)
  , u8.i32 (i32.i64 x)
  , u8.i64 x
  , u8.u8 (u8.i64 x)
  , u8.u16 (u16.i64 x)
  , u8.u32 (u32.i64 x)
  , u8.u64 (u64.i64 x)
  , u8.f16 (f16.i64 x)
  , u8.f32 (f32.i64 x)
  , u8.f64 (f64.i64 x)
  , u8.bool true
  ]

-- Reductions of nothing.
-- ==
-- entry: empties
-- input { empty([0]u8) }
-- output { 0u8 1u8 0u8 255u8 }
entry empties (xs: []u8) : (u8, u8, u8, u8) =
  (u8.sum xs, u8.product xs, u8.maximum xs, u8.minimum xs)
