-- One flat match: on the tag if cases look at nothing else, else on the number of the first case
-- whose tests hold.
type t = #a i32 | #b (i32, bool) | #c

def value (x: t) : i32 =
  match x
  case #a n -> n
  case #b (n, _) -> -n
  case #c -> 0

def main (x: t) (k: i32) : i32 =
  match (x, k)
  case (#a n, 3) -> n
  case (#b (m, true), _) -> m + k
  case (_, -1) -> value x
  case _ -> 0
