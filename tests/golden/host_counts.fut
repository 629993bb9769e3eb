-- The host has read the counts of loops around kernels: branches by them are its own, and what they replace stays in place.
-- ==
-- input { [[1f32, 2], [3, 4]] [1i64, 3] } output { [[0.5f32, 1], [0.0625, 0.125]] }
entry main [m] [n] (xss: *[m][n]f32) (counts: []i64) : [m][n]f32 =
  loop xss for (j, k) in zip (indices counts) counts do
    let ys = loop ys = copy xss[0] for _i < k do map (* 0.5) ys
    in if k + j < 10 then xss with [j] = ys else xss
