-- Both parts are one array in one branch, although the other branch consumes it.
-- ==
-- error: is used after it was consumed \[H3015\]
def main (c: bool) (a: *[]f32) (b: *[]f32) =
  let (p, q) = if c then (a, a) else (a with [0] = 1, b)
  let p[0] = 2
  in q
