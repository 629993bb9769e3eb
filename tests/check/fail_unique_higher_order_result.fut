-- A function whose result may be shared is none that gives it away.
-- ==
-- error: its result is not `\*`.*H3022
def make (f: i64 -> *[]i64) : []i64 = f 3 with [0] = 1
def main (xs: []i64) : []i64 = make (\(_: i64) : []i64 -> xs)
