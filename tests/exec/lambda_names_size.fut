-- A lambda may call a parameter otherwise than its type does, and its sizes after it.
-- ==
-- input { [1,2,3] } output { 3i64 [2,3,4] }
type^ f = (k: i64) -> [k]i32 -> i64
type^ g = (k: i64) -> [k]i32 -> [k]i32

def count : f = \n (xs: [n]i32) -> length xs + n - length xs

def next : g = \m (xs: [m]i32) : [m]i32 -> map (+ 1) xs

def main [k] (xs: [k]i32) = (count k xs, next k xs)
