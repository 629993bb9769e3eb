-- A path is updated in a record whose other part may share its memory.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def main (xs: *[3]i32) (i: i64) =
  let r = id {a = {b = xs}, c = [10i32, 20, 30]}
  in r with a.b[i] = 7
