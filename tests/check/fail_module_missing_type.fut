-- The module lacks a type of its type.
-- ==
-- error: type `t` is missing.*H3018
module type monoid = {type t val neutral : t}
module m : monoid = {def neutral = 0i32}
