-- A size parameter is found in a call that an argument's type makes, also where that has a name.
-- ==
-- input { [1,2,3] } output { [1,2,3] }
def more (x: i64) = x + 1

def without [n] 't (xs: [more n]t) = xs[1:] :> [n]t

def with_first [n] 't (x: t) (xs: [n]t) : [more n]t = [x] ++ xs :> [more n]t

def main (xs: []i32) = without (with_first 2 xs)
