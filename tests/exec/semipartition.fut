-- The others come in opposite order.
-- ==
-- input { [5, 2, 8, 1, 4, 7] } output { [2, 8, 4] [7, 1, 5] }
-- input { [1, 3] } output { empty([0]i32) [3, 1] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }
def main (xs: []i32) = semipartition (\x -> x % 2 == 0) xs
