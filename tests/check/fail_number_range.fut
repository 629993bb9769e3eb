-- Literals outside the range of their suffix; `-128i8` is inside.
-- ==
-- error: `256u8` is out of range, the largest `u8` is 255 \[H1003].*`128i8`.*\[H1003]
def main = (256u8, 255u8, -128i8, 128i8)
