-- The cpu wrote a cell's matrix over the row that it still read by columns, where the result was flattened.
-- ==
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] [[0, 1, 2, 3], [1, 0, 0, 1]] }
-- output { [[10, 14, 14, 20], [17, 19, 20, 22]] }
def main [n] (xs: [n][4]i32) (ys: [n][4]i32) : [n][4]i32 =
  let square (row: [4]i32) = transpose (unflatten (row :> [2 * 2]i32))
  in map2 (\a c -> flatten (map (\r -> map (\c -> i32.sum (map2 (*) c r)) (square c)) (square a)) :> [4]i32)
          xs
          (map (map (+ 1)) ys)
