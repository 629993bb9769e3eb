-- Waves on a pond: the wave equation with the leapfrog scheme, which needs the last two states of
-- the surface. The older state is the invariant of the stencil, so each step reads both and writes
-- one.
--
-- run: --entry=picture 480 640 420 --save wave.png
-- tolerance: 1e-5
-- ==
-- entry: main
-- input { 3i32 [[0.0f32, 0.0f32, 0.0f32, 0.0f32, 0.0f32], [0.0f32, 0.0f32, 1.0f32, 0.0f32, 0.0f32],
--   [0.0f32, 0.0f32, 0.0f32, -0.5f32, 0.0f32], [0.0f32, 0.0f32, 0.0f32, 0.0f32, 0.0f32]] }
-- output { [[0.046875f32, 0.296875f32, -0.0078125f32, 0.2265625f32, 0.0234375f32], [0.140625f32,
--   -0.1328125f32, -0.609375f32, -0.0546875f32, -0.0078125f32], [0.0390625f32, 0.1875f32,
--   -0.0546875f32, 0.484375f32, 0.0390625f32], [0.0f32, 0.0234375f32, -0.0078125f32, 0.0390625f32,
--   -0.171875f32]] }

-- | The surface after `steps` steps from rest. The speed is half a cell per step, and waves are
-- reflected at the edge.
entry main [n] [m] (steps: i32) (surface: [n][m]f32) : [n][m]f32 =
  let (_, now) =
    loop (before, now) = (surface, surface)
    for _i < steps do
      let next =
        stencil_2d [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
                   (\old v -> 2f32 * v[0] - old + 0.25f32 * (v[1] + v[2] + v[3] + v[4] - 4f32 * v[0]))
                   before
                   now
      in (now, next)
  in now

-- | Three drops on an `n` x `m` pond, `steps` steps later: grey levels, 0.5 being the level of the
-- water.
entry picture (n: i64) (m: i64) (steps: i32) : [n][m]f32 =
  let splash (i: i64) (j: i64) (y: f32) (x: f32) (radius: f32) =
    let dy = (f32.i64 i - y * f32.i64 n) / radius
    let dx = (f32.i64 j - x * f32.i64 m) / radius
    in f32.exp (-(dx * dx + dy * dy))
  let surface =
    tabulate_2d n m (\i j ->
                       splash i j 0.35f32 0.3f32 9f32 + splash i j 0.6f32 0.72f32 6f32
                       - splash i j 0.8f32 0.25f32 5f32)
  in map (map (\h -> f32.max 0f32 (f32.min 1f32 (0.5f32 + 1.5f32 * h)))) (main steps surface)
