-- An index in the manner of an application.
-- ==
-- error: help: an element is .xs\[i\].
def main (xs: []i32) = xs 1
