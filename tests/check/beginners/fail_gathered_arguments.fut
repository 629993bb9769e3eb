-- Arguments as one tuple.
-- ==
-- error: is a tuple, but .i32. is needed.*help: several arguments are written .f \(x \+ 1\) \(-3\).
def f (x: i32) (y: i32) = x - y
def main (x: i32) = f (x + 1, -3)
