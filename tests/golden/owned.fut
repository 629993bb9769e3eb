-- A loop inside of a nest changes places with it, and owns what it carries: each step scatters into
-- the array of all cells, which is never copied.
-- ==
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] 3i64 }
-- output { [[0i32, 1i32, 3i32], [0i32, 1i32, 6i32]] }
def main [n] [m] (xss: [n][m]i32) (k: i64) : [n][m]i32 =
  map (\xs ->
         loop ys = copy xs
         for i < k do
           scatter ys
                   (map (\j -> if j < i then j else -1) (iota m))
                   (map (\j -> i32.i64 j + ys[m - 1] - ys[m - 1]) (iota m)))
      xss
