-- No tuple has one element.
-- ==
-- error: a comma behind a single element, a tuple has at least two \[H2001\]
def main (x: i32) = (x,)
