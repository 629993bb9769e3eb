-- Rotations of rows and of arrays of rows are neighbours: these are stencils on every engine.
-- ==
-- entry: columns
-- input { [[1i32, 2, 3], [4, 5, 6]] }
-- output { [[6i32, 6, 6], [15i32, 15, 15]] }
-- input { [[1i32], [2]] }
-- output { [[3i32], [6]] }
-- input { empty([2][0]i32) }
-- output { empty([2][0]i32) }
entry columns [n] [m] (g: [n][m]i32) =
  map (\r -> map3 (\a b c -> a + b + c) (rotate 1 r) (rotate (-1) r) r) g

-- ==
-- entry: rows
-- input { [[1i32, 2, 3], [4, 5, 6], [7, 8, 9]] }
-- output { [[5i32, 7, 9], [11i32, 13, 15], [8i32, 10, 12]] }
entry rows [n] [m] (g: [n][m]i32) = map2 (map2 (+)) (rotate 1 g) g

-- ==
-- entry: line
-- input { [1i32, 2, 3, 4] }
-- output { [6i32, 5, 10, 13] }
entry line [n] (g: [n]i32) = map3 (\a b c -> a + b * c) (rotate 1 g) (rotate (-1) g) g

-- ==
-- entry: by_row
-- input { [[1i32, 2], [4, 5], [7, 8]] }
-- output { [[5i32, 7], [11i32, 13], [8i32, 10]] }
-- input { empty([0][2]i32) }
-- output { empty([0][2]i32) }
entry by_row [n] [m] (g: [n][m]i32) = tabulate n (\i -> map2 (+) g[(i + 1) % n] g[i])

-- Life on a torus.
-- ==
-- entry: life
-- input { [[0i32, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0]] 1i32 }
-- output { [[0i32, 0, 0, 0, 0], [0i32, 0, 0, 0, 0], [0i32, 1, 1, 1, 0], [0i32, 0, 0, 0, 0], [0i32, 0, 0, 0, 0]] }
-- input { [[0i32, 1, 0, 0], [0, 0, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0]] 17i32 }
-- output { [[1i32, 0i32, 0i32, 0i32], [1i32, 1i32, 0i32, 1i32], [0i32, 0i32, 0i32, 0i32], [1i32, 0i32, 0i32, 0i32]] }
entry life [n] [m] (g: [n][m]i32) (steps: i32) =
  loop g for _i < steps do
    let sums = map2 (map2 (+)) (map2 (map2 (+)) (rotate 1 g) (rotate (-1) g)) g
    let all = map (\r -> map3 (\a b c -> a + b + c) (rotate 1 r) (rotate (-1) r) r) sums
    in map2 (map2 (\s c -> let n = s - c in i32.bool (n == 3 || (n == 2 && c == 1)))) all g

-- A shift that leaves the array is one error, whether its reader runs or not.
-- ==
-- entry: shifted
-- input { [1i32, 2, 3] 1i64 0i64 }
-- error: out of range
-- input { [1i32, 2, 3] 0i64 2i64 }
-- output { [3i32, 6, 9] }
entry shifted [n] (g: [n]i32) (by: i64) (times: i64) =
  let shifted = map (\i -> g[i + by]) (iota n)
  in loop h = g for _k < times do map2 (+) h shifted |> map (+ 0)

-- Neighbours across corners: rows of rotated rows. Others read a rotation as a whole.
-- ==
-- entry: corners
-- input { [[0i32, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0]] 1i32 }
-- output { [[0i32, 0, 0, 0, 0], [0i32, 0, 0, 0, 0], [0i32, 1, 1, 1, 0], [0i32, 0, 0, 0, 0], [0i32, 0, 0, 0, 0]] }
-- input { [[0i32, 1, 0, 0], [0, 0, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0]] 17i32 }
-- output { [[1i32, 0i32, 0i32, 0i32], [1i32, 1i32, 0i32, 1i32], [0i32, 0i32, 0i32, 0i32], [1i32, 0i32, 0i32, 0i32]] }
-- input { empty([0][3]i32) 2i32 }
-- output { empty([0][3]i32) }
-- input { empty([3][0]i32) 2i32 }
-- output { empty([3][0]i32) }
entry corners [n] [m] (g: [n][m]i32) (steps: i32) =
  loop g for _i < steps do
    let (n, s) = (rotate (-1) g, rotate 1 g)
    let (w, e) = (map (rotate (-1)) g, map (rotate 1) g)
    let (nw, ne) = (map (rotate (-1)) n, map (rotate 1) n)
    let (sw, se) = (map (rotate (-1)) s, map (rotate 1) s)
    let sum = map4 (map4 (\a b c d -> a + b + c + d))
    let count = map2 (map2 (+)) (sum n s w e) (sum nw ne sw se)
    in map2 (map2 (\x k -> i32.bool (k == 3 || k == 2 && x == 1))) g count

-- ==
-- entry: also_whole
-- input { [[1i32, 2, 3], [4, 5, 6]] }
-- output { [[4i32, 3, 5], [10i32, 9, 11]] [1i32, 4] [6i32, 15] }
-- input { empty([0][3]i32) }
-- output { empty([0][3]i32) empty([0]i32) empty([0]i32) }
entry also_whole [n] [m] (g: [n][m]i32) =
  let turned = map (rotate (-1)) g
  let back = map (rotate 1) turned
  in (map2 (map2 (+)) turned (map (\r -> map (\x -> x) r) g), map (.[0]) back, map i32.sum turned)
