-- A section of a function whose result has a size of its own.
-- ==
-- input { [1, 2, 3] } output { [9, 2, 3] }
def set (xs: *[]i32) (v: i32) : *[]i32 = xs with [0] = v

def main (xs: *[]i32) = (`set` 9) ((`set` 5) xs)
