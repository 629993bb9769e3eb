-- A tuple for a function that has some of its arguments.
-- ==
-- error: ^error: the argument has type .\(i32, i32\)., but .i32. is needed .H3002\S(?!.*help)
def f (x: i32) (y: i32) (z: i32) = x - y - z
def main (x: i32) = (f x) (x, x)
