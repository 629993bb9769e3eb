-- A type that hides sizes is no element type.
-- ==
-- error: `rows` may hide sizes, but array elements are data of one shape.*H3021
type~ rows = []i32
def main (xs: []rows) : i64 = length xs
