-- In no branch.
-- ==
-- error: the result of `f` is `\*`, but may share the memory of `xs`
def f (b: bool) (xs: []i32) : *[]i32 = if b then copy xs else xs
def main (xs: []i32) : []i32 = f true xs
