-- Rows that one map writes as literals and the next one reads by the element.

def mix (w: [4]u32) : u32 =
  loop acc = 17
  for i < 8 do
    acc * 31 ^ w[(3 * i + i64.u32 (acc % 3)) % 4]

-- ==
-- entry: digests
-- input { 5i64 } output { [3224709302u32, 2995344208u32, 225032861u32, 4118914149u32, 2744115212u32] }
-- input { 0i64 } output { empty([0]u32) }
entry digests (n: i64) : [n]u32 =
  let words = map (\i -> let x = u32.i64 i in [x, x * 7, 128, x ^ 5]) (iota n)
  in map mix words

-- The rows are a result as well.
-- ==
-- entry: kept
-- input { 3i64 } output { [[0, 1], [1, 3], [2, 5]] [1, 0, 5] }
entry kept (n: i64) : ([n][2]i32, [n]i32) =
  let pairs = map (\i -> [i32.i64 i, i32.i64 (2 * i + 1)]) (iota n)
  in (pairs, map (\p -> let at = p[0] % 2 in if p[0] == 1 then p[at] - 3 else p[1 - at]) pairs)

-- A point of four coordinates, read at constant places; an element outside is reported.
-- ==
-- entry: lengths
-- input { [3f32, 0f32] 1i64 } output { [6f32, 3f32] }
-- input { [3f32, 0f32] 4i64 } error: H7001
entry lengths [n] (xs: [n]f32) (k: i64) : [n]f32 =
  xs |> map (\x -> [x, 1, 2, 0]) |> map (\p -> p[0] + p[2] + p[k])
