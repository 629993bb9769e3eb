-- Not even a part of a parameter.
-- ==
-- error: the result of `f` is `\*`, but may share the memory of `xss`
def f (xss: [][]i32) : *[]i32 = xss[0]
def main (xss: [][]i32) : []i32 = f xss
