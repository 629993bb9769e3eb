-- A type's sizes and types may come in any order.
-- ==
-- input { [1, 2] } output { [1, 2] 2i64 }
type tagged 'a [n] 'b = ([n]a, b)
def tag [n] (xs: [n]i32) : tagged i32 [n] i64 = (xs, n)
def main [n] (xs: [n]i32) : ([n]i32, i64) = tag xs
