-- What a module type does not name is hidden, types too.
-- ==
-- error: unknown type `m.t`.*H3003
module m : {val x : i32} = {type t = i32 def x : t = 1}
def main (x: m.t) = m.x
