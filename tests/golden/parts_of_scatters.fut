-- The butterfly and its four writes are one node, however the parts are put together.
-- ==
-- input { 2i64 [1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i32] }
-- output { [16i32, -8i32, -4i32, 0i32, 20i32, -8i32, -4i32, 0i32] }
def main [n] (m: i64) (xs: [n]i32) : [4 * m]i32 =
  let x r i = xs[r * m + i]
  let cell i =
    let (a, b) = (x 0 i + x 2 i, x 0 i - x 2 i)
    let (c, d) = (x 1 i + x 3 i, x 1 i - x 3 i)
    in (a + c, b + d, a - c, b - d)
  let (v0, v1, v2, v3) = unzip4 (map cell (iota m))
  let at k = map (\i -> 4 * i + k) (iota m)
  in scatter (replicate (4 * m) 0) ((at 0 ++ at 1) ++ (at 2 ++ at 3)) ((v0 ++ v1) ++ (v2 ++ v3))
