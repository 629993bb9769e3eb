-- One argument too many.
-- ==
-- error: `f` takes 1 argument, 2 are given.*H3005
def f (x: i32) : i32 = x
def main (x: i32) : i32 = f x 2
