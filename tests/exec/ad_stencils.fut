-- Stencils, padding and windows.

def weighted [n] (xs: [n]f64) = stencil_1d [-1, 0, 2] (\() v -> 1 * v[0] + 10 * v[1] + 100 * v[2]) (rep ()) xs

-- ==
-- entry: line
-- input { [1.0, 2.0, 3.0, 4.0] } output { [12.0, 11.0, 111.0, 310.0] }
entry line [n] (xs: [n]f64) = vjp weighted xs (rep 1)

-- ==
-- entry: boundaries
-- input { [1.0, 2.0, 3.0] }
-- output { [100.0, 110.0, 12.0] [111.0, 111.0, 111.0] [100.0, 110.0, 11.0] 2.0 }
entry boundaries (xs: [3]f64) =
  let f b (xs: [3]f64) = stencil_1d_with b [-1, 0, 1] (\() v -> 100 * v[0] + 10 * v[1] + v[2]) (rep ()) xs
  let (_, c) = vjp (\(xs, c) -> f (#constant c) xs) (xs, 5) [0.0, 0, 2]
  in ( vjp (f #mirror) xs [0, 1, 1]
     , vjp (f #wrap) xs [1, 1, 1]
     , vjp (f (#constant 0)) xs [0, 1, 1]
     , c
     )

-- Nonlinear cells, an invariant, two axes: the dot product of both modes is one number.
-- ==
-- entry: plane
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] } output { true }
entry plane [n] [m] (xss: [n][m]f64) =
  let offsets = [(0, 0), (-1, 0), (0, 1), (1, -1)]
  let f (cs, xss) = stencil_2d offsets (\c v -> c * v[0] * v[1] + v[2] * v[3] - c * c) cs xss
  let direction = (map (map (+ 1)) xss, map (map (* 2)) xss)
  let weights = map (map (\x -> 7 - x)) xss
  let dot xss yss = f64.sum (map f64.sum (map2 (map2 (*)) xss yss))
  let point = (map (map (* 3)) xss, xss)
  let (cs', xss') = vjp f point weights
  in dot (jvp f point direction) weights == dot direction.0 cs' + dot direction.1 xss'

-- ==
-- entry: windows
-- input { [1.0, 2.0, 3.0] } output { [3.0, 1.0, 3.0] [1.0, 2.0, 1.0] }
entry windows [n] (xs: [n]f64) =
  ( vjp (\xs -> f64.sum (pad_1d 2 2 #clamp xs)) xs 1
  , vjp (\xs -> f64.sum (flatten (slide_1d 2 1 (pad_1d 0 0 #clamp xs)))) xs 1
  )
