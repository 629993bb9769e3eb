-- The parts of a tuple once were numbered from 1.
-- ==
-- error: no field `2`.*help: the parts of a tuple are numbered from 0
def main (p: (i32, i32)) : i32 = p.2
