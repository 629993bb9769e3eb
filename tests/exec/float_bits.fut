-- Bit casts; the NaN that comes out is the canonical one, whatever its payload was.
-- tolerance: exact
-- ==
-- input { [1.0f32, -0.0f32, f32.nan, f32.inf] [1065353216u32, 2143289345u32, 4290772993u32] }
-- output { [1065353216u32, 2147483648u32, 2143289344u32, 2139095040u32]
--   [1065353216u32, 2143289344u32, 2143289344u32] }
-- ==
-- entry: bits_f64
-- input { [1.0f64, f64.nan] }
-- output { [4607182418800017408u64, 9221120237041090560u64] }
entry main [n] [m] (a: [n]f32) (b: [m]u32) =
  (map f32.to_bits a, map (\x -> f32.to_bits (f32.from_bits x)) b)

entry bits_f64 [n] (a: [n]f64) = map f64.to_bits a
