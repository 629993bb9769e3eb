-- All spellings of numbers.
-- ==
-- input { } output { 1000 255u8 5i64 14i16 0.25f32 12.0f64 120u8 2f32 -128i8 }
def main = (1_000, 0xFFu8, 0b1_01i64, 0rXIVi16, 2.5e-1f32, 0x1.8p3, 'x': u8, 2f32, -128i8)
