-- Directions that are written out.
def powers (xs: [3]f64) = map (\x -> x * x * xs[0]) xs
def units () : [3][3]f64 = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]

-- ==
-- entry: forward
-- input { [1.5, -2.0, 0.5] } output { [[6.75, 4.0, 0.25], [0.0, -6.0, 0.0], [0.0, 0.0, 1.5]] }
entry forward (xs: [3]f64) = #[unroll] jmp powers xs (units ())

-- ==
-- entry: reverse
-- input { [1.5, -2.0, 0.5] } output { [[6.75, 0.0, 0.0], [4.0, -6.0, 0.0], [0.25, 0.0, 1.5]] }
entry reverse (xs: [3]f64) = (#[unroll] mjp2 powers xs (units ())).1

-- Records, in cells.
-- ==
-- entry: in_cells
-- input { [1.5, -2.0] } output { [[1.5, 1.5], [1.5, -2.0]] [[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]] }
entry in_cells (xs: [2]f64) =
  let cell x = unzip (#[unroll] jmp (\(a, b) -> (a * b, [a, b])) (x, xs[0]) [(1, 0), (0, 1)])
  in unzip (map cell xs)

-- As many as the argument says: a map.
-- ==
-- entry: any_number
-- input { 2.0 [1.0, 3.0] } output { [4.0, 12.0] }
entry any_number [n] (x: f64) (seeds: [n]f64) = #[unroll] mjp (\x -> x * x) x seeds
