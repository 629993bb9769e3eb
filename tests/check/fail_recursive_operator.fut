-- An operator means itself in its own definition.
-- ==
-- error: only calls of itself give the result of `==` a type .H3013.*the built-in `==` of a type is `i32.==`
def (==) (x: i32) (y: i32) = x == y
