-- A pair has the fields 0 and 1.
-- ==
-- error: no field `2` in a value of type `\(i32, i32\)`.*H3007
def main (p: (i32, i32)) : i32 = p.2
