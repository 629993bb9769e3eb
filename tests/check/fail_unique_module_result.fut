-- Nor keep what its type gives away.
-- ==
-- error: its result must share with nothing else.*H3018
module m : {val f [n] : [n]i32 -> *[n]i32} = {def f [n] (xs: [n]i32) : [n]i32 = xs}
def main (xs: []i32) : []i32 = m.f xs
