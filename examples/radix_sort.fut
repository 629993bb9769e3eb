-- Radix sort of unsigned numbers, least significant bit first: 32 stable splits, each a pair of
-- scans and a scatter.
--
-- run: [5, 4294967295, 0, 77, 2147483648, 5, 1]
-- ==
-- input { [5u32, 4294967295u32, 0u32, 77u32, 2147483648u32, 5u32, 1u32, 1000000007u32, 3u32, 42u32]
--   }
-- output { [0u32, 1u32, 3u32, 5u32, 5u32, 42u32, 77u32, 1000000007u32, 2147483648u32,
--   4294967295u32] }

-- | Moves the numbers whose bit `b` is 0 before those where it is 1, otherwise in order.
def split_by_bit [n] (xs: [n]u32) (b: i32) : [n]u32 =
  let ones = map (\x -> i64.u32 ((x >> u32.i32 b) & 1u32)) xs
  let zeros = map (\one -> 1i64 - one) ones
  let ones_so_far = scan (+) 0i64 ones
  let zeros_so_far = scan (+) 0i64 zeros
  let all_zeros = i64.sum zeros
  let places =
    map3 (\one o z -> if one == 1i64 then all_zeros + o - 1i64 else z - 1i64)
         ones
         ones_so_far
         zeros_so_far
  in scatter (replicate n 0u32) places xs

-- | The numbers in ascending order.
entry main [n] (xs: [n]u32) : [n]u32 =
  loop xs for b < 32i32 do split_by_bit xs b
