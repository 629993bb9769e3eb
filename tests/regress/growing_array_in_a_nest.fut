-- A nest is taken apart at the concatenation behind; the array that grows in each cell, whose size
-- only the cell knows, is used up inside of it and stays there.
-- ==
-- input { [1i64, 2i64] } output { [[1i64, 2i64, 7i64, 7i64], [1i64, 2i64, 7i64, 7i64]] }
-- input { empty([0]i64) } output { empty([2][0]i64) }
def grow [n] (xs: [n]i64) (k: i64) : []i64 =
  loop (g: []i64) = xs for i < 3 do if i == 1 then filter (> k) g else g ++ [k]

def main [n] (xs: [n]i64) : [2][]i64 =
  map (\k ->
         let ys = copy (take n (grow xs (k - 5) ++ xs))
         let ys = if n == 0 then ys else ys with [1 % n] = 2
         in ys ++ replicate n 7)
      (iota 2)
