-- An earlier argument consumes what a later one has read before.
-- ==
-- input { [1, 2] } output { 101 }
-- ==
-- entry: written
-- input { [1, 2] } output { [2, 2] }
def first (xs: *[]i32) : i32 = let xs[0] = 100 in xs[0]
def plus (x: i32) (y: i32) = x + y
entry main (xs: *[]i32) = plus (first xs) xs[0]

def put (xs: *[]i32) (x: i32) : *[]i32 = xs with [0] = x
entry written (xs: *[]i32) = put xs xs[1]
