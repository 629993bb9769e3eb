-- A keyword that Futhark once had: the attribute in its place.
-- ==
-- error: help: the attribute `#\[unsafe\]`
def main (xs: []i32) (i: i64) = unsafe xs[i]
