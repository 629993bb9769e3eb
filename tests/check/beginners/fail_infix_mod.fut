-- Words of other languages for operators.
-- ==
-- error: unknown name .mod.*help: .x % y. is the rest of a division
def main (x: i32) = x mod 3
