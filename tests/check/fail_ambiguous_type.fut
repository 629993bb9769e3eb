-- Nothing tells the element type of an empty array.
-- ==
-- error: nothing determines the type.*H3006
def main (x: i32): i64 = length []
