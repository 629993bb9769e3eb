-- A function without its backslash, as an argument.
-- ==
-- error: expected .\). at the end of the parentheses, found .->.*help: a function without a name is .\\x -> x \+ 1.
def main (xs: []i32) = map (x -> x + 1) xs
