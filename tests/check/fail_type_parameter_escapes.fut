-- A value from outside cannot have a type that only the function inside knows.
-- ==
-- error: the type of `x` would be `b`.*H3002
def f x =
  let g 'b (y: b) = if true then y else x
  in g
