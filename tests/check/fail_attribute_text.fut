-- The arguments of attributes are names and numbers.
-- ==
-- error: expected a name or a number in the attribute.*H2001
def main (x: i32) = #[trace("x")] x
