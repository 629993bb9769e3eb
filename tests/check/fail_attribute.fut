-- An attribute that stays open.
-- ==
-- error: expected `]` at the end of the attribute.*\[H2003].*opened here
def main (x: i32) = #[unsafe(a)
