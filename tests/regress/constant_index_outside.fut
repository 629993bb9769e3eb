-- A constant index outside a small array of a kernel: GLSL rejects such code even behind a check.
-- ==
-- entry: literal
-- input { [1i32, 4i32] }
-- error: index `\[5]` is out of range for an array of shape `\[3]`.*H7001
-- input { empty([0]i32) }
-- output { empty([0]i32) }
-- ==
-- entry: window
-- input { [1i32, 4i32] }
-- error: index `\[2147483647]` is out of range for an array of shape `\[2]`.*H7001
entry literal [n] (xs: [n]i32) : [n]i32 = map (\x -> let v = [x, 2, 3] in v[5]) xs

entry window [n] (xs: [n]i32) : [n]i32 =
  stencil_1d [0, 1] (\() v -> v[0] + v[2147483647]) (rep ()) xs
