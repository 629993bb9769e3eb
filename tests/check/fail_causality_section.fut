-- A section is made before its operand brings its size.
-- ==
-- error: size `count` of type .* is used before it is known.*H4002
def main (xs: []i32) (rows: [][2]i32) = map (filter (> 2) xs ++) rows
