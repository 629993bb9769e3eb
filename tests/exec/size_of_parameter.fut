-- A size may mention a parameter that is no number.
-- ==
-- input { [4, 5, 6] }
-- output { [0i64, 1i64, 2i64] }
def positions (xs: []i32) : [length xs]i64 = iota (length xs)
def main (xs: []i32) : []i64 = let ps = positions xs in map2 (+) ps (map (* 0) (positions xs))
