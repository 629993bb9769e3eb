-- A field of a value whose type nothing tells.
-- ==
-- error: the type of the value with field `a` is not known here, annotate it.*H3006
def f r = r.a
def main (x: i32) : i32 = x
