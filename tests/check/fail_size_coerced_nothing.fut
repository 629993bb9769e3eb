-- A size that no array of the value has cannot be changed into another.
-- ==
-- error: nothing determines the sizes in `#some`.*H4002
type opt 't = #some t | #none

def f b (x: i64) =
  if b then #some (iota x) else #none :> opt ([2]i64)
