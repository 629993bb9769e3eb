-- Arguments are evaluated from right to left: what a later one consumes, no earlier one uses.
-- ==
-- error: `xs` is used after it was consumed.*from right to left.*`ys` is used after it was consumed.*from right to left
def first (xs: *[]i32) : i32 = (xs with [1] = 0)[0]
def plus (x: i32) (y: i32) = x + y
def put (x: i32) (ys: *[]i32) : *[]i32 = ys with [0] = x
def evaluated (xs: *[]i32) = plus xs[0] (first xs)
def called (ys: *[]i32) = put ys[1] ys
