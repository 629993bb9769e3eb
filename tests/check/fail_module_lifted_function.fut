-- A type that may be a function, where it may hide sizes only.
-- ==
-- error: type `t` is declared by `type\^`, but `type~` is needed.*H3018
module m : {type~ t} = {type^ t = i32 -> i32}
