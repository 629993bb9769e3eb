-- A type parameter stands for every type.
-- ==
-- error: `a` stands for any type here.*H3014
def f 'a (x: a) : i32 = x
def main (x: i32) : i32 = f x
