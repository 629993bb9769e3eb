-- Nor under a type that says less.
-- ==
-- error: it consumes an argument that must be left alone
def set (xs: *[]i32) : *[]i32 = xs with [0] = 1

def main (xs: []i32) : []i32 =
  let f: []i32 -> []i32 = set
  in f xs
