-- ==
-- error: an index for a value of type `i32`.*H3002
def main (x: i32) = x[0]
