-- The schedules of loops of stencil steps and of a step with its norm, for the default limits: a
-- line, a plane and a space, each also under a request, and on a device without subgroups.

def line [n] (steps: i64) (xs: [n]f32) : [n]f32 =
  loop xs for _i < steps do
    stencil_1d [-1, 0, 1] (\_ v -> 0.25 * v[0] + 0.5 * v[1] + 0.25 * v[2]) (rep ()) xs

def plane [n] [m] (steps: i64) (xs: [n][m]f32) : [n][m]f32 =
  loop xs for _i < steps do
    stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
               (\_ v -> 0.2 * (v[0] + v[1] + v[2] + v[3] + v[4]))
               (rep (rep ()))
               xs

def space [n] [m] [k] (steps: i64) (xs: [n][m][k]f32) : [n][m][k]f32 =
  loop xs for _i < steps do
    stencil_3d [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 1), (0, 1, 0), (1, 0, 0)]
               (\_ v -> 0.125 * (v[0] + v[1] + v[2] + v[3] + v[4] + v[5]))
               (rep (rep (rep ())))
               xs

def norm [n] (xs: [n]i32) : ([n]i32, i32) =
  let ys = stencil_1d [-1, 1] (\_ v -> v[0] ^ v[1]) (rep ()) xs
  in (ys, reduce i32.max 0 ys)

def main [n] [m] [k] (steps: i64) (xs: [n]f32) (ys: [n][m]f32) (bits: [n]i32) (zs: [n][m][k]f32) =
  (line steps xs, plane steps ys, space steps zs, norm bits)
