-- A row that a loop in a branch sorts in place is the invocation's own, element by element beside
-- those of its neighbours; the result gets it at the end.
-- ==
-- input { [[3i32, 1i32, 2i32], [9i32, 7i32, 8i32]] 3i64 }
-- output { [[2i32, 3i32, 4i32], [8i32, 9i32, 10i32]] }
def main [n] [m] (xss: [n][m]i32) (k: i64) : [n][m]i32 =
  map (\xs ->
         let ys = map (+ 1) xs
         in if k > 1
            then loop ys for i < k - 1 do
                   (loop (ys, j) = (ys, i)
                    while j >= 0 && ys[j] > ys[j + 1] do
                      let a = ys[j]
                      let ys = ys with [j] = ys[j + 1]
                      in (ys with [j + 1] = a, j - 1)).0
            else ys)
      xss
