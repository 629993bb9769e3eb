-- A stencil of which nothing is left but that it may fail reads and writes no array.
def falls (k: i64) (x: i64) : i64 = if k <= 0 then x else 1 + falls (k - 1) (x * 3 % 7)

-- ==
-- input { 0i64 } output { 0i64 }
-- input { 2i64 } output { 2i64 }
def main (n: i64) =
  let start = replicate n (replicate n 1i64)
  let gone =
    loop xs = start
    for _i < 1 do
      stencil_2d_with (#wrap, #clamp) [(-1, 0), (4, -1)] (\_ (_: [2]i64) -> falls 1 1) xs xs
  in length (map (\(_: [n]i64) -> (1i8, 1u8)) gone)
