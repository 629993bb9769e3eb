-- The operations of module u64.
-- ==
-- entry: operators
-- input { [13u64, 18446744073709551609u64, 100u64] [5u64, 3u64, 7u64] }
-- output {
--   [18u64, 18446744073709551612u64, 107u64]
--   [8u64, 18446744073709551606u64, 93u64]
--   [65u64, 18446744073709551595u64, 700u64]
--   [2u64, 6148914691236517203u64, 14u64]
--   [3u64, 0u64, 2u64]
--   [2u64, 6148914691236517203u64, 14u64]
--   [3u64, 0u64, 2u64]
--   [371293u64, 18446744073709551273u64, 100000000000000u64]
--   [5u64, 1u64, 4u64]
--   [13u64, 18446744073709551611u64, 103u64]
--   [8u64, 18446744073709551610u64, 99u64]
--   [416u64, 18446744073709551560u64, 12800u64]
--   [0u64, 2305843009213693951u64, 0u64]
--   [0u64, 2305843009213693951u64, 0u64]
-- }
entry operators (xs: [3]u64) (ys: [3]u64) : ( [3]u64
                                            , [3]u64
                                            , [3]u64
                                            , [3]u64
                                            , [3]u64
                                            , [3]u64
                                            , [3]u64
                                            , [3]u64
                                            , [3]u64
                                            , [3]u64
                                            , [3]u64
                                            , [3]u64
                                            , [3]u64
                                            , [3]u64
                                            ) =
  ( map2 (u64.+) xs ys
  , map2 (u64.-) xs ys
  , map2 (u64.*) xs ys
  , map2 (u64./) xs ys
  , map2 (u64.%) xs ys
  , map2 (u64.//) xs ys
  , map2 (u64.%%) xs ys
  , map2 (u64.**) xs ys
  , map2 (u64.&) xs ys
  , map2 (u64.|) xs ys
  , map2 (u64.^) xs ys
  , map2 (u64.<<) xs ys
  , map2 (u64.>>) xs ys
  , map2 (u64.>>>) xs ys
  )

-- ==
-- entry: comparisons
-- input { [13u64, 18446744073709551609u64, 100u64] [5u64, 3u64, 7u64] }
-- output {
--   [false, false, false] [true, true, true] [false, false, false]
--   [false, false, false] [true, true, true] [true, true, true]
-- }
entry comparisons (xs: [3]u64) (ys: [3]u64) : ([3]bool, [3]bool, [3]bool, [3]bool, [3]bool, [3]bool) =
  ( map2 (u64.==) xs ys
  , map2 (u64.!=) xs ys
  , map2 (u64.<) xs ys
  , map2 (u64.<=) xs ys
  , map2 (u64.>) xs ys
  , map2 (u64.>=) xs ys
  )

-- ==
-- entry: functions
-- input { [13u64, 18446744073709551609u64, 100u64] [5u64, 3u64, 7u64] }
-- output {
--   [18446744073709551603u64, 7u64, 18446744073709551516u64] [13u64, 18446744073709551609u64,
--   100u64] [1u64, 1u64, 1u64]
--   [5u64, 3u64, 7u64] [13u64, 18446744073709551609u64, 100u64] [18446744073709551602u64, 6u64,
--   18446744073709551515u64]
--   [3i32, 62i32, 3i32] [60i32, 0i32, 57i32] [0i32, 0i32, 2i32]
--   [0u64, 2u64, 0u64] [1u64, 3u64, 1u64]
--   [1i32, 0i32, 1i32] [13u64, 18446744073709551609u64, 108u64]
--   106u64 18446744073709542516u64 18446744073709551609u64 13u64 18446744073709551615u64 0u64
--   64i32 [13i64, -7i64, 100i64]
-- }
entry functions (xs: [3]u64) (ys: [3]u64) : ( [3]u64
                                            , [3]u64
                                            , [3]u64
                                            , [3]u64
                                            , [3]u64
                                            , [3]u64
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]u64
                                            , [3]u64
                                            , [3]i32
                                            , [3]u64
                                            , u64
                                            , u64
                                            , u64
                                            , u64
                                            , u64
                                            , u64
                                            , i32
                                            , [3]i64
                                            ) =
  ( map u64.neg xs
  , map u64.abs xs
  , map u64.sgn xs
  , map2 u64.min xs ys
  , map2 u64.max xs ys
  , map u64.not xs
  , map u64.popc xs
  , map u64.clz xs
  , map u64.ctz xs
  , map2 u64.mul_hi xs ys
  , map2 (\x y -> u64.mad_hi x y 1) xs ys
  , map (u64.get_bit 2) xs
  , map (\x -> u64.set_bit 3 x 1) xs
  , u64.sum xs
  , u64.product xs
  , u64.maximum xs
  , u64.minimum xs
  , u64.highest
  , u64.lowest
  , u64.num_bits
  , map u64.to_i64 xs
  )

-- ==
-- entry: conversions
-- input { 5i64 }
-- output { [5u64, 5u64, 5u64, 5u64, 5u64, 5u64, 5u64, 5u64, 5u64, 5u64, 5u64, 1u64] }
entry conversions (x: i64) : [12]u64 =
  [ u64.i8 (i8.i64 x)
  , u64.i16 (i16.i64 x)
  , u64.i32 (i32.i64 x)
  , u64.i64 x
  , u64.u8 (u8.i64 x)
  , u64.u16 (u16.i64 x)
  , u64.u32 (u32.i64 x)
  , u64.u64 (u64.i64 x)
  , u64.f16 (f16.i64 x)
  , u64.f32 (f32.i64 x)
  , u64.f64 (f64.i64 x)
  , u64.bool true
  ]

-- Reductions of nothing.
-- ==
-- entry: empties
-- input { empty([0]u64) }
-- output { 0u64 1u64 0u64 18446744073709551615u64 }
entry empties (xs: []u64) : (u64, u64, u64, u64) =
  (u64.sum xs, u64.product xs, u64.maximum xs, u64.minimum xs)
