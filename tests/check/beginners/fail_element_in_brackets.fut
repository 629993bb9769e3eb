-- An array's elements are behind its sizes.
-- ==
-- error: found .\).*help: .\[\]i32. is an array
def main (xs: [i32]) = xs
