-- A function of the prelude that once took the sizes as arguments.
-- ==
-- error: `unflatten` takes 1 argument, 3 are given.*help: sizes come from the type
def main (xs: [6]i32) = unflatten 2 3 xs
