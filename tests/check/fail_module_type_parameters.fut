-- A type with other parameters than promised.
-- ==
-- error: type `t` has .* are needed.*H3018
module m : {type t 'a} = {type t [n] 'a = [n]a}
