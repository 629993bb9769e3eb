-- A part of a `*` tuple that a step consumes begins with what may be consumed.
-- ==
-- error: `arr` is a parameter without `\*`, which this would consume \[H3015\]
def main [n] (arr: [n]i32) =
  loop (u: *[n]i32, e: *[n]i32) = (replicate n 0, arr) for i < 3 do (u, e with [i] = 0)
