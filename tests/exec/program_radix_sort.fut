-- Radix sort by scans and scatters.
-- tolerance: exact
-- ==
-- input { [5u32, 3u32, 4000000000u32, 0u32, 77u32, 3u32] }
-- output { [0u32, 3u32, 3u32, 5u32, 77u32, 4000000000u32] }
def radix_sort_step [n] (xs: [n]u32) (digit_n: i32) : [n]u32 =
  let bits = map (\x -> (i32.u32 (x >> u32.i32 digit_n)) & 1) xs
  let bits_inv = map (1 -) bits
  let ps0 = scan (+) 0 bits_inv
  let ps0_clean = map2 (*) bits_inv ps0
  let ps1 = scan (+) 0 bits
  let ps0_offset = reduce (+) 0 bits_inv
  let ps1_clean = map (+ ps0_offset) ps1
  let ps1_clean' = map2 (*) bits ps1_clean
  let ps = map2 (+) ps0_clean ps1_clean'
  let ps_actual = map (\x -> i64.i32 (x - 1)) ps
  in scatter (copy xs) ps_actual xs

entry main [n] (xs: [n]u32) : [n]u32 = loop xs for i < 32 do radix_sort_step xs i
