-- An update of an element as of a field.
-- ==
-- error: help: an element is .xs.3.., another one in its place .xs with .3. = v
def main (n: i64) = replicate n 0 with 3 = 1
