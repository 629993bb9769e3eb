-- A reduction without its neutral element.
-- ==
-- error: help: .reduce. takes 3 arguments, 2 are given
def main (xs: []i32) = reduce (+) xs
