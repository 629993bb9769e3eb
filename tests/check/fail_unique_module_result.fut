-- Nor keep what its type gives away.
-- ==
-- error: its result must share with nothing else.*H3018
module m: { val f: []i32 -> *[]i32 } = { def f (xs: []i32): []i32 = xs }
def main (xs: []i32): []i32 = m.f xs
