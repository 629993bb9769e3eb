-- Constants: of other constants, functions without parameters, arrays.
-- tolerance: exact
-- ==
-- input { 2i32 }
-- output { 12i32 [0i64, 1i64, 2i64] [4i32, 5i32] }
def base : i32 = 5
def twice_base = base * 2
def table = iota 3
def increments = map (\x -> x + 3i32)
entry main (x: i32) : (i32, [3]i64, []i32) = (x + twice_base, copy table, increments [1, x])
