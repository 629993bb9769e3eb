-- Boundaries that only the run tells: a stencil for each kind, or a gather where there are too many.
-- tolerance: exact
type edge = #clamp | #mirror | #wrap | #constant i32

def edge (k: i32) : edge =
  match k case 0 -> #clamp case 1 -> #mirror case 2 -> #wrap case _ -> #constant (10 * k)

-- ==
-- entry: line
-- input { 0 [1, 2, 4, 8, 16, 32] } output { [9, 16, 31, 62, 92, 120] }
-- input { 1 [1, 2, 4, 8, 16, 32] } output { [10, 16, 31, 62, 92, 104] }
-- input { 2 [1, 2, 4, 8, 16, 32] } output { [55, 47, 31, 62, 61, 59] }
-- input { 3 [1, 2, 4, 8, 16, 32] } output { [67, 45, 31, 62, 90, 116] }
-- input { 3 empty([0]i32) } output { empty([0]i32) }
entry line [n] (k: i32) (xs: [n]i32) =
  stencil_1d_with (edge k) [-2, -1, 0, 1, 2] (\() v -> i32.sum v) (rep ()) xs

-- ==
-- entry: plane same_edges space
-- input { 0 1 } input { 1 2 } input { 2 3 } input { 3 4 } input { 4 0 }
entry plane (a: i32) (b: i32) =
  let xs = tabulate_2d 5 7 (\i j -> (i32.i64 (i * 7 + j), i % 2 == j % 3))
  let pair (k: i32): boundary (i32, bool) =
    match k case 0 -> #clamp case 1 -> #mirror case 2 -> #wrap case _ -> #constant (k, true)
  in unzip (map unzip
                (stencil_2d_with (pair a, pair b)
                                 [(-2, 1), (0, 0), (3, -3)]
                                 (\() v -> (v[0].0 + 2 * v[1].0 - v[2].0, v[0].1 && v[2].1))
                                 (rep (rep ()))
                                 xs))
     |> (\(xs, ys) -> (xs, ys))

entry same_edges (a: i32) (b: i32) =
  let xs = tabulate_3d 3 4 5 (\i j k -> i32.i64 (i * 20 + j * 5 + k) + b)
  let e = edge a
  in stencil_3d_with (e, e, e) [(-1, 2, 0), (2, 0, -3)] (\() v -> v[0] - v[1]) (rep (rep (rep ()))) xs

-- Three different ones.
entry space (a: i32) (b: i32) =
  let xs = tabulate_3d 3 4 5 (\i j k -> i32.i64 (i * 20 + j * 5 + k))
  in stencil_3d_with (edge a, edge b, edge (a + b))
                     [(-1, 2, 0), (2, 0, -3)]
                     (\() v -> v[0] - v[1])
                     (rep (rep (rep ())))
                     xs
