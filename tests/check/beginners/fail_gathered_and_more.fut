-- A tuple in front of another argument.
-- ==
-- error: ^error: argument 1 of .k. has type .\(i32, i32\)., but .i32. is needed .H3002\S(?!.*help)
def k (x: i32) (y: i32) = x - y
def main (x: i32) = k (x, x) x
