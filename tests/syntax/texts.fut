-- Strings and characters, with escapes.
-- ==
-- input { } output { [97u8, 34u8, 92u8, 10u8] [226u8, 130u8, 172u8, 65u8, 49u8] 97u8 39 10 8364 65 }
def main =
  ("a\"\\\n", "€\65\&1", 'a' : u8, '\'' : i32, '\n' : i32, '€' : i32, '\65' : i32)
