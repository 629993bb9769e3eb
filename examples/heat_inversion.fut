-- Heat backwards: how was a plate at the start, if it looks like this now? The gradient of the
-- difference says how to change a guess. `vjp` goes back through all steps; the adjoint of the
-- stencil is a stencil again, and nothing is recorded, because a step is linear.
--
-- run: --entry=picture 96 60 300 --save heat_inversion.png
-- tolerance: 1e-4
-- ==
-- input { 2i32 2i32 [[0.0f32, 0.0f32, 0.0f32], [0.0f32, 8.0f32, 0.0f32], [0.0f32, 0.0f32, 0.0f32]] }
-- ==
-- entry: finds
-- input { } output { true }

-- | The plate after `steps` steps, each of which moves a fifth of each difference.
def warm [n] [m] (steps: i32) (plate: [n][m]f32) : [n][m]f32 =
  loop plate for _i < steps do
    stencil_2d [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
               (\_ v -> v[0] + 0.2f32 * ((v[1] + v[2]) + (v[3] + v[4]) - 4f32 * v[0]))
               (rep (rep ()))
               plate

-- | Half of the squared distance from the observation.
def misfit [n] [m] (steps: i32) (seen: [n][m]f32) (start: [n][m]f32) : f32 =
  let distance = map2 (map2 (-)) (warm steps start) seen
  in 0.5f32 * f32.sum (map (\row -> f32.sum (map (\d -> d * d) row)) distance)

-- | The start that becomes `seen`, after some rounds of descent with momentum (Nesterov).
entry main [n] [m] (steps: i32) (rounds: i32) (seen: [n][m]f32) : [n][m]f32 =
  let (start, _) =
    loop (start, ahead) = (seen, seen)
    for i < rounds do
      let slope = vjp (misfit steps seen) ahead 1
      let next = map2 (map2 (\s d -> f32.max 0f32 (s - d))) ahead slope
      let momentum = f32.i32 i / f32.i32 (i + 3)
      in (next, map2 (map2 (\new old -> new + momentum * (new - old))) next start)
  in start

-- | A start to be found: a bar, a square and a dot.
def shapes (n: i64) : [n][n]f32 =
  tabulate_2d n n (\i j ->
                     let (y, x) = (f32.i64 i / f32.i64 n, f32.i64 j / f32.i64 n)
                     let inside y0 y1 x0 x1 = y >= y0 && y < y1 && x >= x0 && x < x1
                     in f32.bool (inside 0.2f32 0.3f32 0.15f32 0.85f32 || inside 0.5f32 0.8f32 0.2f32 0.45f32
                                  || inside 0.6f32 0.7f32 0.65f32 0.75f32))

-- | Side by side: the start, the rest of it after `steps` steps, and the start found from that.
entry picture (n: i64) (steps: i32) (rounds: i32) : [n][n + n + n]f32 =
  let start = shapes n
  let seen = warm steps start
  in map3 (\a b c -> a ++ b ++ map (f32.min 1f32) c) start seen (main steps rounds seen)

-- | The found start is twice as near as the observation.
entry finds : bool =
  let start = shapes 24
  let seen = warm 8 start
  let far a b = f32.sum (map2 (\r s -> f32.sum (map2 (\x y -> (x - y) ** 2) r s)) a b)
  in far (main 8 60 seen) start * 4 < far seen start
