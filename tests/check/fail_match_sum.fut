-- Every constructor needs a case.
-- ==
-- error: no case of this `match` takes `#rect .*H3016
def main (s: #circle i32 | #rect i32 i32) : i32 =
  match s
  case #circle r -> r
  case #rect _ 1 -> 1
  case #rect 2 _ -> 2
