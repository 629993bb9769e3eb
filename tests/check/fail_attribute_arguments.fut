-- The arguments of attributes are names, numbers and attributes, with commas between them.
-- ==
-- error: expected `,` or `\)` in the attribute, found `\+`.*H2001
def main (x: i32) = #[unroll(1 + 2)] x
