-- Heat in a rod: a one-dimensional stencil in a loop. The ends exchange no heat.
--
-- run: 100 0.25 [0, 0, 0, 100, 0, 0, 0, 20]
-- tolerance: 1e-6
-- ==
-- input { 3i32 0.25f32 [0.0f32, 0.0f32, 0.0f32, 100.0f32, 0.0f32, 0.0f32, 0.0f32, 20.0f32] }
-- output { [1.5625f32, 9.375f32, 23.4375f32, 31.25f32, 23.75f32, 11.5625f32, 8.125f32, 10.9375f32]
--   }

-- | Temperatures after `steps` steps, where a step moves the share `k` (at most 0.5) of each
-- difference.
entry main [n] (steps: i32) (k: f32) (rod: [n]f32) : [n]f32 =
  loop rod for _i < steps do
    stencil_1d [-1, 0, 1] (\() v -> v[1] + k * (v[0] - 2f32 * v[1] + v[2])) (rep ()) rod
