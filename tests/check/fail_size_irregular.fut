-- The rows of the result would have different lengths.
-- ==
-- error: depends on size `.*`, which is not the same everywhere here.*H4003
def main (n: i64) : i64 = length (map (\i -> iota i) (iota n))
