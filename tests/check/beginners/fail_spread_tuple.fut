-- Arguments one by one for a function of a pair: one error, with the form of the call.
-- ==
-- error: ^error: .f. takes one tuple of 2 values, 2 arguments are given .H3005.*help: write .f \(a, 3\).\s*$
def f (x: i32, y: i32) = x + y
def main (a: i32) = f a 3
