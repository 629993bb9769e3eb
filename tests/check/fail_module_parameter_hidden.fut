-- A parameter has the members of its type, whatever the argument has.
-- ==
-- error: unknown name `T.y`.*H3001
module f (T: {val x : i32}) = {def z = T.y}
module m = f {def x = 1i32 def y = 2i32}
