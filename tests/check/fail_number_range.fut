-- Literals without a suffix that do not fit their type; with one they wrap.
-- ==
-- error: `256` does not fit into type `u8` \[H1003].*`128` does not fit into type `i8` \[H1003]
def main : (u8, u8, i8, i8, i8) = (256, 256u8, -128, 128, 255i8)
