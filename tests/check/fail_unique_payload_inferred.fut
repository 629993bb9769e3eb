-- Without a type for the result it has no `*`: the parts of the payload are one array.
-- ==
-- error: `b` is used after it was consumed \[H3015\]
type pair [n] = #pair ([n]i32) ([n]i32) | #none
def twice [n] (xs: *[n]i32) = #pair xs xs : pair [n]

def main [n] (xs: *[n]i32) =
  match twice xs
  case #pair a b -> let a[0] = 1 in b
  case #none -> replicate n 0
