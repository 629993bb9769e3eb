-- A result with a size of its own has its star behind it.
-- ==
-- error: the result of `f` is `\*`, but may share the memory of `xs`
def f (xs: []i32) : ?[k].*[k]i32 = xs[1:]
def main (xs: []i32) : []i32 = f xs
