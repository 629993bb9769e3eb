-- A type without `^` hides no function.
-- ==
-- error: this module does not fit its type: type `t` is declared by `type\^`, but `type` is needed.*H3018
module m : {type t} = {type^ t = i32 -> i32}
