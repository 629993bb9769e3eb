-- Sorts of the prelude: stable, for all types of numbers, of any size, also inside of maps.

-- ==
-- entry: signed
-- input { [3i8, -1i8, 0i8, -128i8, 127i8] [3i16, -1i16, 0i16, -32768i16] [5i32, -7i32, 100000i32, -100000i32] [1i64, -1i64, 4294967296i64, 0i64] }
-- output { [-128i8, -1i8, 0i8, 3i8, 127i8] [-32768i16, -1i16, 0i16, 3i16] [-100000i32, -7i32, 5i32, 100000i32] [-1i64, 0i64, 1i64, 4294967296i64] }
entry signed (a: []i8) (b: []i16) (c: []i32) (d: []i64) =
  (i8.sort a, i16.sort b, i32.sort c, i64.sort d)

-- ==
-- entry: unsigned
-- input { [3u8, 255u8, 0u8] [3u16, 65535u16, 256u16] [5u32, 4294967295u32, 65536u32] [1u64, 18446744073709551615u64, 4294967296u64] }
-- output { [0u8, 3u8, 255u8] [3u16, 256u16, 65535u16] [5u32, 65536u32, 4294967295u32] [1u64, 4294967296u64, 18446744073709551615u64] }
entry unsigned (a: []u8) (b: []u16) (c: []u32) (d: []u64) =
  (u8.sort a, u16.sort b, u32.sort c, u64.sort d)

-- ==
-- entry: floats
-- input { [1.5f16, -2f16, f16.inf, -0f16, 0f16] [1.5f32, f32.nan, -f32.inf, 0f32, -0f32, -3f32] [2f64, -1e300f64, 1e300f64, 0f64] }
-- output { [-2f16, -0f16, 0f16, 1.5f16, f16.inf] [-f32.inf, -3f32, -0f32, 0f32, 1.5f32, f32.nan] [-1e300f64, 0f64, 2f64, 1e300f64] }
entry floats (a: []f16) (b: []f32) (c: []f64) = (f16.sort a, f32.sort b, f64.sort c)

-- ==
-- entry: empty_and_one
-- input { empty([0]i32) [7i32] }
-- output { empty([0]i32) [7i32] empty([0]i64) [0i64] }
entry empty_and_one (xs: []i32) (ys: []i32) =
  (i32.sort xs, i32.sort ys, i32.sort_order xs, i32.sort_order ys)

-- | Equal keys keep their order.
-- ==
-- entry: stable
-- input { [2i32, 1i32, 2i32, 1i32, 2i32] }
-- output { [1i64, 3i64, 0i64, 2i64, 4i64] [1i32, 1i32, 2i32, 2i32, 2i32] [1f32, 3f32, 0f32, 2f32, 4f32] }
entry stable [n] (xs: [n]i32) =
  let pairs = i32.sort_by_key (.0) (zip xs (map f32.i64 (iota n)))
  in (i32.sort_order xs, map (.0) pairs, map (.1) pairs)

-- | More than one tile, of which the last one is not full; views as keys and as values.
-- ==
-- entry: many
-- input { 20000i64 }
-- output { true true true true }
entry many (n: i64) : (bool, bool, bool, bool) =
  let hash i = u32.i64 i * 2654435761 ^ (u32.i64 i >> 3)
  let keys = map hash (iota n)
  let rises [m] (xs: [m]u32) = and (map (\i -> i == 0 || xs[i - 1] <= xs[i]) (iota m))
  let sorted = u32.sort keys
  let order = u32.sort_order (map (% 100) keys)
  let in_order i =
    let (a, b) = (order[i - 1], order[i])
    in keys[a] % 100 < keys[b] % 100 || (keys[a] % 100 == keys[b] % 100 && a < b)
  in ( rises sorted && u32.sum sorted == u32.sum keys
     , and (map (\i -> i == 0 || in_order i) (iota n))
     , rises (u32.sort (reverse keys)) && rises (u32.sort keys[3:n - 5])
     , rises (map u32.u64 (u64.sort (map u64.u32 keys)))
     )

-- | Rows sort inside of a map, arrays of rows move whole.
-- ==
-- entry: nested
-- input { [[3i32, 1i32, 2i32], [9i32, 8i32, 7i32]] }
-- output { [[1i32, 2i32, 3i32], [7i32, 8i32, 9i32]] [[3i32, 1i32, 2i32], [9i32, 8i32, 7i32]] [[9i32, 8i32, 7i32], [3i32, 1i32, 2i32]] }
entry nested (xs: [][]i32) =
  (map i32.sort xs, i32.sort_by_key (\row -> row[0]) xs, i32.sort_by_key (\row -> -row[0]) xs)

-- | In a loop and in branches of the host.
-- ==
-- entry: in_loops
-- input { [3i32, 1i32, 2i32] 3 }
-- output { [-10i32, -9i32, -8i32] }
-- input { [3i32, 1i32, 2i32] 0 }
-- output { [3i32, 1i32, 2i32] }
entry in_loops (xs: []i32) (k: i32) =
  loop xs for i < k do if i % 2 == 0 then i32.sort (map (\x -> -x - i * 5) xs) else map (+ i) (i32.sort xs)

-- ==
-- entry: merged
-- input { [3i32, 1i32, 2i32, 1i32, 5i32] }
-- output { [1i32, 1i32, 2i32, 3i32, 5i32] [5i32, 3i32, 2i32, 1i32, 1i32] [4i64, 0i64, 2i64, 1i64, 3i64] }
-- input { empty([0]i32) }
-- output { empty([0]i32) empty([0]i32) empty([0]i64) }
entry merged [n] (xs: [n]i32) =
  ( merge_sort (<=) xs
  , merge_sort (>=) xs
  , map (.1) (merge_sort_by_key (\(x, _) -> -x) (<=) (zip xs (iota n)))
  )
