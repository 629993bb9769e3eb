-- Values do not change.
-- ==
-- error: unknown name .\+=.*help: values do not change: .xs with \[i\] = xs\[i\] \+ 1.
def main (xs: *[]i32) = xs[0] += 1
