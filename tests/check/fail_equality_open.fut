-- `==` alone says nothing of the type.
-- ==
-- error: nothing determines the type of the values compared.*H3006
def same x y = x == y
def main (x: i32) : bool = true
