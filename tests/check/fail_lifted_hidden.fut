-- A type that hides sizes is no element type.
-- ==
-- error: this type may hide sizes.*H3021
type~ rows = []i32
def main (xs: []rows) : i64 = length xs
