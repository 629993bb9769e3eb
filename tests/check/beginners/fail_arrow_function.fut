-- A function without a name of other languages.
-- ==
-- error: unknown name .=>.*help: a function without a name is .\\x -> x \+ 1.
def main (xs: []i32) = map (id => id) xs
