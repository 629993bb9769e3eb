-- Boundaries that are known are part of the node; one that is not becomes arithmetic.
def main [n] (b: boundary f32) (xs: [n]f32) : ([n]f32, [n + 3]f32, [n]f32) =
  ( stencil_1d_with #wrap [-1, 1] (\() v -> v[0] + v[1]) (rep ()) xs
  , pad_1d 1 2 (#constant 7) xs
  , stencil_1d_with b [1] (\() v -> v[0]) (rep ()) xs
  )
