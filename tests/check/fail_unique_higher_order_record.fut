-- Nor as a field of a record.
-- ==
-- error: it consumes an argument that must be left alone
def use [n] (r: {f: [n]i32 -> i32}) (xs: [n]i32) : i32 = r.f xs
def main (xs: []i32) : i32 = use {f = \(ys: *[]i32) -> (ys with [0] = 1)[0]} xs
