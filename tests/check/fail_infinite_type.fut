-- A function applied to itself.
-- ==
-- error: this type would contain itself.*H3009
def f x = x x
def main (x: i32) : i32 = x
