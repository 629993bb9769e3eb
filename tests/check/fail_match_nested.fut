-- Cases are looked at together.
-- ==
-- error: no case of this `match` takes `\(#none, #some false\)`.*H3016
type opt 'a = #some a | #none

def main (x: opt bool) (y: opt bool) : i32 =
  match (x, y)
  case (#some _, #none) -> 1
  case (_, #some true) -> 2
  case (#some _, #some false) -> 3
  case (#none, #none) -> 4
