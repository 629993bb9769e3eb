-- Even if its result has no annotation.
-- ==
-- error: its result is not `\*`
def make (f: i64 -> *[]i64) : []i64 = f 3 with [0] = 1
def main (xs: []i64) : []i64 = make (\_ -> xs)
