-- Lists of other languages.
-- ==
-- error: found .for.*help: for each element: .map \(\\x -> x \* x\) xs.
def main (xs: []i32) = [x * x for x in xs]
