-- Short rows that one invocation makes and reads lie by element in a loop, between two nests too.

entry main [n] (xss: [n][3]f32) (steps: i64) : f32 =
  let turned (x: [3]f32): [3]f32 = [x[1], x[2] * 0.5, x[0] - x[2]]
  let last =
    loop xss
    for _i < steps do
      let yss = map turned xss
      in tabulate n (\i -> [yss[(i + 1) % n, 0] + yss[i, 1], yss[i, 1], yss[i64.max 0 (i - 1), 2]])
  in f32.sum (map (\x -> x[0] + x[2]) last)
