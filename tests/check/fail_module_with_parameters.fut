-- `with` gives a type other parameters.
-- ==
-- error: type `t` has .* are needed.*H3018
module type t = {type t 'a}
module type u = t with t = i64
