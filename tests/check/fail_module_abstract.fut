-- An abstract type is equal to no other.
-- ==
-- error: `m.t` stands for any type here.*H3014
module m : {type t val x : t} = {type t = i32 def x = 1i32}
def main : i32 = m.x
