-- The operations of module u32.
-- ==
-- entry: operators
-- input { [13u32, 4294967289u32, 100u32] [5u32, 3u32, 7u32] }
-- output {
--   [18u32, 4294967292u32, 107u32]
--   [8u32, 4294967286u32, 93u32]
--   [65u32, 4294967275u32, 700u32]
--   [2u32, 1431655763u32, 14u32]
--   [3u32, 0u32, 2u32]
--   [2u32, 1431655763u32, 14u32]
--   [3u32, 0u32, 2u32]
--   [371293u32, 4294966953u32, 276447232u32]
--   [5u32, 1u32, 4u32]
--   [13u32, 4294967291u32, 103u32]
--   [8u32, 4294967290u32, 99u32]
--   [416u32, 4294967240u32, 12800u32]
--   [0u32, 536870911u32, 0u32]
--   [0u32, 536870911u32, 0u32]
-- }
entry operators (xs: [3]u32) (ys: [3]u32) : ( [3]u32
                                            , [3]u32
                                            , [3]u32
                                            , [3]u32
                                            , [3]u32
                                            , [3]u32
                                            , [3]u32
                                            , [3]u32
                                            , [3]u32
                                            , [3]u32
                                            , [3]u32
                                            , [3]u32
                                            , [3]u32
                                            , [3]u32
                                            ) =
  ( map2 (u32.+) xs ys
  , map2 (u32.-) xs ys
  , map2 (u32.*) xs ys
  , map2 (u32./) xs ys
  , map2 (u32.%) xs ys
  , map2 (u32.//) xs ys
  , map2 (u32.%%) xs ys
  , map2 (u32.**) xs ys
  , map2 (u32.&) xs ys
  , map2 (u32.|) xs ys
  , map2 (u32.^) xs ys
  , map2 (u32.<<) xs ys
  , map2 (u32.>>) xs ys
  , map2 (u32.>>>) xs ys
  )

-- ==
-- entry: comparisons
-- input { [13u32, 4294967289u32, 100u32] [5u32, 3u32, 7u32] }
-- output {
--   [false, false, false] [true, true, true] [false, false, false]
--   [false, false, false] [true, true, true] [true, true, true]
-- }
entry comparisons (xs: [3]u32) (ys: [3]u32) : ([3]bool, [3]bool, [3]bool, [3]bool, [3]bool, [3]bool) =
  ( map2 (u32.==) xs ys
  , map2 (u32.!=) xs ys
  , map2 (u32.<) xs ys
  , map2 (u32.<=) xs ys
  , map2 (u32.>) xs ys
  , map2 (u32.>=) xs ys
  )

-- ==
-- entry: functions
-- input { [13u32, 4294967289u32, 100u32] [5u32, 3u32, 7u32] }
-- output {
--   [4294967283u32, 7u32, 4294967196u32] [13u32, 4294967289u32, 100u32] [1u32, 1u32, 1u32]
--   [5u32, 3u32, 7u32] [13u32, 4294967289u32, 100u32] [4294967282u32, 6u32, 4294967195u32]
--   [3i32, 30i32, 3i32] [28i32, 0i32, 25i32] [0i32, 0i32, 2i32]
--   [0u32, 2u32, 0u32] [1u32, 3u32, 1u32]
--   [1i32, 0i32, 1i32] [13u32, 4294967289u32, 108u32]
--   106u32 4294958196u32 4294967289u32 13u32 4294967295u32 0u32 32i32 [13i64, 4294967289i64,
--   100i64]
-- }
entry functions (xs: [3]u32) (ys: [3]u32) : ( [3]u32
                                            , [3]u32
                                            , [3]u32
                                            , [3]u32
                                            , [3]u32
                                            , [3]u32
                                            , [3]i32
                                            , [3]i32
                                            , [3]i32
                                            , [3]u32
                                            , [3]u32
                                            , [3]i32
                                            , [3]u32
                                            , u32
                                            , u32
                                            , u32
                                            , u32
                                            , u32
                                            , u32
                                            , i32
                                            , [3]i64
                                            ) =
  ( map u32.neg xs
  , map u32.abs xs
  , map u32.sgn xs
  , map2 u32.min xs ys
  , map2 u32.max xs ys
  , map u32.not xs
  , map u32.popc xs
  , map u32.clz xs
  , map u32.ctz xs
  , map2 u32.mul_hi xs ys
  , map2 (\x y -> u32.mad_hi x y 1) xs ys
  , map (u32.get_bit 2) xs
  , map (\x -> u32.set_bit 3 x 1) xs
  , u32.sum xs
  , u32.product xs
  , u32.maximum xs
  , u32.minimum xs
  , u32.highest
  , u32.lowest
  , u32.num_bits
  , map u32.to_i64 xs
  )

-- ==
-- entry: conversions
-- input { 5i64 }
-- output { [5u32, 5u32, 5u32, 5u32, 5u32, 5u32, 5u32, 5u32, 5u32, 5u32, 5u32, 1u32] }
entry conversions (x: i64) : [12]u32 =
  [ u32.i8 (i8.i64 x)
  , u32.i16 (i16.i64 x)
  , u32.i32 (i32.i64 x)
  , u32.i64 x
  , u32.u8 (u8.i64 x)
  , u32.u16 (u16.i64 x)
  , u32.u32 (u32.i64 x)
  , u32.u64 (u64.i64 x)
  , u32.f16 (f16.i64 x)
  , u32.f32 (f32.i64 x)
  , u32.f64 (f64.i64 x)
  , u32.bool true
  ]

-- Reductions of nothing.
-- ==
-- entry: empties
-- input { empty([0]u32) }
-- output { 0u32 1u32 0u32 4294967295u32 }
entry empties (xs: []u32) : (u32, u32, u32, u32) =
  (u32.sum xs, u32.product xs, u32.maximum xs, u32.minimum xs)
