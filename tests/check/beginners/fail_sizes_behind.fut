-- An array's sizes are in front of its elements.
-- ==
-- error: type .i32. takes no arguments.*help: the sizes of an array stand in front: .\[\]i32.
def main (xs: i32 []) = xs
