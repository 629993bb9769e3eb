-- Steps whose extents differ from iteration to iteration: what a launch may take follows from their bounds.
def main (m: i64) (n: i64) (k: i64) : i64 =
  let xs =
    loop xs = iota m
    for i < k do
      let c = i64.min n (if i < 1 then 1 else n - 1)
      in map (\x -> loop x for j < c do x * 3 + j) xs
  let ys =
    loop ys = xs
    for i < k do
      let c = i64.min 5000 (n / (i + 1))
      in map (\x -> loop x for j < c do x * 3 + j) ys
  in i64.sum ys
