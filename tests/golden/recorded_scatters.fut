-- A row that a scatter wants as well is stored by the kernel that makes it, though the scatter stands between: it
-- overwrites what the kernel reads.
def main [n] [m] (steps: i64) (is: [m]i64) (xs: [n]f32) =
  loop (a, kept) = (copy xs, replicate steps (replicate m 0))
  for t < steps do
    let vs = map (\i -> a[i % n] * 2) is
    in (scatter a is vs, kept with [t] = vs)
