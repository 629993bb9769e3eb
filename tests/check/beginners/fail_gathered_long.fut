-- Arguments as one tuple, too long to be shown.
-- ==
-- error: help: several arguments are written .f a b.\s*$
def f (x: i32) (y: i32) = x - y
def main (x: i32) = f (x * x * x * x * x * x, let y = x in y * y * y * y * y * y)
