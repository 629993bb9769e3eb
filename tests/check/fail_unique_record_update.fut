-- The new field of a record is what was put there.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def main (xs: *[]i32) : i32 =
  let r = {a = [1, 2], b = 2} with b = 3
  let s = {f = [0], g = r} with f = xs[0:1]
  let t = s.f with [0] = 1
  in t[0] + xs[0]
