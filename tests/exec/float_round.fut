-- `floor ceil trunc round sqrt abs`: exact, round goes half to even, `trunc` never gives minus zero.
-- tolerance: exact
-- ==
-- input { [0.5f32, 1.5f32, 2.5f32, -0.5f32, -1.5f32, 2.7f32, -2.7f32, 1e20f32] }
-- output { [0.0f32, 1.0f32, 2.0f32, -1.0f32, -2.0f32, 2.0f32, -3.0f32, 1e20f32]
--   [1.0f32, 2.0f32, 3.0f32, -0.0f32, -1.0f32, 3.0f32, -2.0f32, 1e20f32]
--   [0.0f32, 1.0f32, 2.0f32, 0.0f32, -1.0f32, 2.0f32, -2.0f32, 1e20f32]
--   [0.0f32, 2.0f32, 2.0f32, -0.0f32, -2.0f32, 3.0f32, -3.0f32, 1e20f32]
--   [0.5f32, 1.5f32, 2.5f32, 0.5f32, 1.5f32, 2.7f32, 2.7f32, 1e20f32] }
-- ==
-- entry: roots
-- input { [0.0f32, -0.0f32, 2.0f32, -1.0f32, f32.inf, 1e-45f32] [2.0f64, -4.0f64] }
-- output { [0.0f32, -0.0f32, 1.4142135f32, f32.nan, f32.inf, 3.743392e-23f32] [1.4142135623730951f64, f64.nan] }
entry main [n] (a: [n]f32) =
  (map f32.floor a, map f32.ceil a, map f32.trunc a, map f32.round a, map f32.abs a)

entry roots [n] [m] (a: [n]f32) (b: [m]f64) = (map f32.sqrt a, map f64.sqrt b)

-- ==
-- entry: truncated
-- input { [f32.nan, f32.inf, -f32.inf, -0.0f32, 3.4e38f32] [-0.5f64, -1e300f64, f64.nan, -f64.inf] [-0.9f16, 65504f16, f16.inf] }
-- output { [0.0f32, 0.0f32, 0.0f32, 0.0f32, 3.4e38f32] [0.0f64, -1e300f64, 0.0f64, 0.0f64] [0.0f16, 65504f16, 0.0f16] }
entry truncated [n] [m] [k] (a: [n]f32) (b: [m]f64) (c: [k]f16) =
  (map f32.trunc a, map f64.trunc b, map f16.trunc c)
