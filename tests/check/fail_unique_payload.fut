-- The parts of one payload are different arrays.
-- ==
-- error: two parts of the result of `twice` may share the memory of `xs`, and one of them is `\*` \[H3022\]
type~ pair = #pair ([]i32) ([]i32) | #none
def twice (xs: *[]i32) : *pair = #pair xs xs
