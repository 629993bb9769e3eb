-- A function that holds a consumed array is bound to no name.
-- ==
-- error: making it consumes `xs`.*H3022
def set (xs: *[]i32) (v: i32): *[]i32 = xs with [0] = v
def main (xs: *[]i32): ([]i32, []i32) =
  let f = set xs
  in (f 0, f 1)
