-- After the update its array is gone, also for updates beside it.
-- ==
-- error: `xs` is used after it was consumed \[H3015\]
def main (xs: *[]i32) = let ys = (xs with [1] = xs[0]) with [2] = xs[1] in (ys, xs[0])
