-- The module lacks a value of its type.
-- ==
-- error: this module does not fit its type: value `op` is missing.*H3018
module type monoid = {type t val neutral : t val op : t -> t -> t}
module m : monoid = {type t = i32 def neutral = 0i32}
