-- An operand that is an array: what to write for every element.
-- ==
-- error: but a .number. is needed.*help: for each element of an array write .map
def main (xs: []f32) = map (+ 1) xs + 2
