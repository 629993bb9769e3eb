-- A function that Futhark once had: the form in its place.
-- ==
-- error: unknown name `update`.*H3001.*help: `xs with \[i\] = v`
def main (xs: *[]i32) = update xs 0 1
