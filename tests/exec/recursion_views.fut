-- Recursive functions that take transposed and strided arrays, called inside of maps and loops.
-- ==
-- input { 4i64 3i64 } output { [36i64, 66i64, 56i64, 46i64] [37i64, 67i64, 57i64, 47i64] 613i64 }
-- input { 0i64 3i64 } output { empty([0]i64) empty([0]i64) 0i64 }
-- input { 1i64 1i64 } output { [1i64] [2i64] 1i64 }
def walk [n] [m] (xs: [n][m]i64) (i: i64) (j: i64) : i64 =
  if i >= n then 0 else xs[i, j] + walk xs (i + 1) ((j + 1) % m)

entry main (n: i64) (m: i64) : ([n]i64, [n]i64, i64) =
  let xs = tabulate_2d n m (\i j -> i * 10 + j + 1)
  let ys = transpose xs
  let as = map (\j -> walk ys 0 j) (iota n)
  let bs = map (\j -> if j < 9 then 1 + walk ys 0 j else walk xs[::-1] 0 0) (iota n)
  let c =
    loop c = 0
    for i < i64.min n 2 do
      c + i64.sum (map (\j -> walk ys[:, ::-1] 0 j) (iota n)) * (i + 1) + i
  in (as, bs, c)
