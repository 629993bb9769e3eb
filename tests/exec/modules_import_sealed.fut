-- An abstract type from another file; entries of other files do not count.
-- tolerance: exact
-- ==
-- input { 3i32 } output { 5i32 }
import "lib/modules_sealed"

entry main (n: i32) =
  let twice f x = f (f x)
  let start = loop c = counter.zero for _i < n do counter.up c
  in counter.get (twice counter.up start)
