-- `**` with exponents that only the run tells.
-- tolerance: 1e-6
-- ==
-- input { 2f32 0.5f32 3f64 -2f64 } output { 1.4142135f32 0.1111111111111111f64 }
entry main (x: f32) (y: f32) (a: f64) (b: f64) = (x ** y, a ** b)
