-- A module does not consume what its type keeps.
-- ==
-- error: must not consume its argument.*H3018
module m : {val f [n] : [n]i32 -> [n]i32} = {def f [n] (xs: *[n]i32) : *[n]i32 = xs with [0] = 1}
def main (xs: []i32) : []i32 = m.f xs
