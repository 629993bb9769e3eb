-- A result with a star has no other owner.
-- ==
-- error: the result of `f` is `\*`, but may share the memory of `xs`.*H3022
def f (xs: []i32) : *[]i32 = xs
def main (xs: []i32) : []i32 = f xs
