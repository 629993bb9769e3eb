-- A known constructor stays known in a function that is not recursive: the boundary becomes part of
-- the stencil.
def neighbours [n] (b: boundary f32) (xs: [n]f32) : [n]f32 =
  stencil_1d_with b [-1, 1] (\() v -> v[0] + v[1]) (rep ()) xs

def main [n] (k: f32) (xs: [n]f32) : [n]f32 = neighbours #mirror (neighbours (#constant k) xs)
