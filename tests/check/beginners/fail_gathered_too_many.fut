-- A tuple of more parts than the function has parameters: no call to write.
-- ==
-- error: ^error: argument 1 of .f. has type .\(i32, i32, i32\)., but .i32. is needed .H3002\S(?!.*help)
def f (x: i32) (y: i32) = x - y
def main (x: i32) = f (x, x, x)
