-- About the types of a parameter nothing is known.
-- ==
-- error: `T.t` stands for any type here.*H3014
module f (T: {type t val x : t}) = {def y = T.x + 1i32}
