-- Loops around kernels of one invocation that work in place in loops and branches of their own.
-- ==
-- entry: carried
-- input { [[4i32, 2i32, 1i32], [1i32, 5i32, 2i32], [3i32, 1i32, 3i32]] }
-- ==
-- entry: branch
-- input { [4i32, 2i32, 1i32, 7i32] }
entry carried [n] (a: [n][n]i32) =
  loop (c, s) = (copy a, 0)
  for j < n do
    let (c, t) =
      loop (c, t) = (c, 0)
      for i < n do
        let c[j, i] = c[j, i] + c[i, j]
        in (c, t + c[i, i] * 3)
    let c[j, 0] = c[j, 0] + t
    in (c, s + c[0, j])

entry branch [n] (a: [n]i32) =
  loop c = copy a
  for j < n do
    let c = if c[j] % 2 == 0 then c with [(j + 1) % n] = c[j] + 3 else (loop c = c for i < j do c with [i] = c[i] * 2 + 1)
    in c with [j] = c[j] - 1
