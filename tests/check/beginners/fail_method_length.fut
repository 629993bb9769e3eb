-- Functions are no members of values.
-- ==
-- error: no field .length.*help: a function stands in front of its argument: .length x.
def main (xs: []i32) = xs.length
