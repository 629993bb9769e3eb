-- A size that `let` binds is one of the pattern.
-- ==
-- error: `n` is not the size of anything in the pattern.*H4002
def main (xs: []i32) : i32 = let [n] (ys: []i32) = xs in ys[0]
