-- A type that may hide sizes, where it must not.
-- ==
-- error: type `t` is declared by `type~`, but `type` is needed.*H3018
module m : {type t} = {type~ t = []i32}
