-- The `[]` of an annotation stands for one size, which something must tell.
-- ==
-- error: nothing determines this size.*H4002
type~ sum = #foo ([]i32) | #bar ([]i32)

def main (xs: *[]i32) =
  let v: sum = #foo xs
  in xs
