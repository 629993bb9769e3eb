-- Files: their names here only, `open import` gives them on, as a module, the same file twice.
-- tolerance: exact
-- ==
-- input { [3i32, 1i32, 2i32] } output { 42i32 1i32 [1i32, 2i32, 7i32] 41i32 2i64 }
import "lib/modules_numbers"
module more = import "lib/../lib/modules_more"
module nested = {open import "lib/modules_more" def both = hidden}
module ints = sort {type t = i32 def less (a: i32) b = a < b}
def hidden = 0i32

entry main (xs: []i32) =
  let s = more.stack.push 4 (more.stack.push 3 (more.stack.empty 5))
  in (shared + hidden, ints.smallest xs, ints.insert 2 [1i32, 7], nested.both + hidden, s.top)
