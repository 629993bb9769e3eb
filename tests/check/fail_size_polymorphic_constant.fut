-- A constant that takes sizes has no size of its own.
-- ==
-- error: in a constant with size parameters.*H4003
def pair [n] = (iota n, filter (> 5) (iota n))
