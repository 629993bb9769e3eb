-- Two axes with different boundaries; the outermost constant decides; far offsets.
-- tolerance: exact
-- ==
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- output { [[10i32, 10i32, 10i32], [20i32, 1i32, 2i32]] [[1i32, 1i32, 1i32], [1i32, 1i32, 1i32]] [[3i32, 1i32, 2i32], [6i32, 4i32, 5i32]] }
entry main [n] [m] (xs: [n][m]i32) =
  let a = stencil_2d_with (#constant 10, #constant 20) [(-1, -1)] (\() v -> v[0]) (rep (rep ())) xs
  let b =
    stencil_2d_with (#mirror, #clamp) [(-9, -1)] (\() v -> v[0]) (rep (rep ())) xs
    |> map (\r -> [r[1], r[0], r[0]])
  let c = stencil_2d_with (#wrap, #wrap) [(200, -301)] (\() v -> v[0]) (rep (rep ())) xs
  in (a, b, c)
