-- What a module type does not name is hidden.
-- ==
-- error: unknown name `m.y`.*H3001
module m : {val x : i32} = {def x = 1i32 def y = 2i32}
def main = m.y
