-- What scatter writes may not be a view of what it overwrites.
-- ==
-- error: `xs` is consumed by this call, but it gets it a second time.*H3015
def main (n: i64) =
  let xs = replicate n 0i32
  in scatter xs [0] xs[0:1] ++ xs
