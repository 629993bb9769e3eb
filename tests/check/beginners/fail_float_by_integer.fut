-- A mean: the conversion between two numbers is known.
-- ==
-- error: help: .f32.i64 x. converts an .i64. to .f32.
def main (s: f32) (n: i64) = s / n
